"""Run a system over pages and collect its texts, which can be kept in a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from peers.pages import Page, request
from peers.processes import Child, LostError
from peers.systems import System
from victor.base.files import write_bytes


@dataclass(frozen=True, slots=True)
class Run:
    """What a system made of pages.

    Attributes:
        texts: text of every page by its identifier, ``""`` where it failed.
        failures: reason of every page that raised or gave no answer in time.
        about: what the system said of itself.
    """

    texts: dict[str, str]
    failures: dict[str, str]
    about: dict[str, Any]


def extract(system: System, pages: Sequence[Page], seconds: float) -> Run:
    """Texts of all pages, one request each.

    Raises:
        MissingError: the system cannot be started.
    """
    texts: dict[str, str] = {}
    failures: dict[str, str] = {}
    with Child(system.command, system.environment) as child:
        child.start()
        for page in pages:
            text, error = _ask(child, page, seconds)
            texts[page.id] = text
            if error is not None:
                failures[page.id] = error
        return Run(texts, failures, child.about)


def _ask(child: Child, page: Page, seconds: float) -> tuple[str, str | None]:
    """The child's text, and what went wrong."""
    try:
        answer = child.ask(request([page], child.about["takes"]), seconds)
    except LostError as error:
        return "", str(error)
    return answer["texts"][0], answer["errors"][0]


def keep_run(folder: Path | None, name: str, sha256: str, run: Run) -> None:
    """Write ``NAME.json`` with what a system made of the pages with this fingerprint."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"sha256": sha256, **asdict(run)}, ensure_ascii=False)
        write_bytes(folder / f"{name}.json", text.encode("utf-8", "surrogatepass"))


def kept_run(folder: Path | None, name: str, sha256: str) -> Run | None:
    """What a system made of the same pages earlier; None if that was not kept."""
    path = folder / f"{name}.json" if folder is not None else None
    if path is None or not path.is_file():
        return None
    kept = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    return Run(**kept) if kept.pop("sha256") == sha256 else None
