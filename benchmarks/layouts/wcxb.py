"""WCXB (Foley 2026): one split as published, its pages packed or not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from layouts import GoldPage, UnusableError


def pages(folder: Path) -> Iterator[GoldPage | UnusableError]:
    """The pages of `ground-truth/<id>.json`."""
    for path in sorted((folder / "ground-truth").glob("*.json")):
        plain = folder / "html" / f"{path.stem}.html"
        packed = plain.with_suffix(".html.gz")
        if not plain.is_file() and not packed.is_file():
            yield UnusableError(f"{path.stem} has no page")
            continue
        html = plain.read_bytes() if plain.is_file() else gzip.decompress(packed.read_bytes())
        data = json.loads(path.read_text(encoding="utf-8"))
        truth = data["ground_truth"]
        row = {
            "id": path.stem,
            "url": data.get("url"),
            "type": page_type(data),
            "licence": "CC-BY-4.0",
            "text": truth.pop("main_content", None) or "",
            **truth,
        }
        yield GoldPage(row, html)


def page_type(data: dict[str, Any]) -> str | None:
    """Page type, read as in WCXB's `evaluate.py`: older files have other shapes and names."""
    kind = (data.get("_internal") or {}).get("page_type")
    kind = kind.get("primary") if isinstance(kind, dict) else kind
    return "collection" if kind == "category" else kind
