"""The dataset card of a run: what lies in its folder, and where loaders find the rows.

``datasets.load_dataset(folder)`` reads the head of the card, people the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml

from victor.crawl.state import State
from victor.crawl.writers import WRITERS
from victor.documents.row import TYPES, card_features

_GLOBS: Final = {"texts": "data/*/*.txt"}
"""Patterns of forms whose parts are folders."""


def card(form: str, totals: State, model: str) -> str:
    """Markdown with a head in YAML.

    Args:
        form: of the parts, one of `victor.crawl.writers.WRITERS`.
        totals: of the run.
        model: fingerprint of the model, or the name of the labeler.
    """
    head = _head(form)
    front = f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n\n" if head else ""
    return front + "\n".join(_lines(form, totals, model)) + "\n"


def _head(form: str) -> dict[str, Any]:
    if form == "vertical":  # `datasets` has no loader for it
        return {}
    glob = _GLOBS.get(form, f"data/*{WRITERS[form]}")
    files = {"config_name": "default", "data_files": [{"split": "train", "path": glob}]}
    if form == "texts":
        return {"configs": [{**files, "sample_by": "document"}]}
    # Declared, for the first rows need not show the type of a field that is seldom known.
    return {"configs": [files], "dataset_info": {"features": card_features()}}


def _lines(form: str, totals: State, model: str) -> Iterator[str]:
    yield from ("# Web corpus", "")
    yield (
        f"{totals.written:,} documents of {totals.pages:,} pages, cleaned by Victor (model "
        f"`{model}`). They lie in `data/`, in the form `{form}`; `run.json` has the options, "
        "`failed.jsonl` the records that failed."
    )
    yield from ("", "| outcome | reason | records |", "|---|---|--:|")
    yield f"| written | | {totals.written} |"
    for outcome in ("dropped", "failed", "skipped"):
        for reason, number in sorted(getattr(totals, outcome).items()):
            yield f"| {outcome} | {reason} | {number} |"
    if form.startswith(("jsonl", "parquet")):
        yield from ("", f"Fields of a row: {', '.join(f'`{name}`' for name in TYPES)}.")
