"""A page with its blocks coloured, the clean text beside it and a slider, as one HTML file.

The file asks for nothing and runs nothing but its own script: of the page it holds text alone
(`safe_text`), and its `Content-Security-Policy` allows one script and one style sheet by their
hashes and nothing else, so that even an error here could not load or run anything.
"""

from __future__ import annotations

import html
from typing import Any

from victor.base.labels import KIND_NAMES, LABEL_NAMES, Label
from victor.explain.contributions import explain
from victor.explain.demo import bundle
from victor.explain.demo.safe_text import safe_text
from victor.explain.demo.steps import Cleaned, Steps, steps_of
from victor.explain.demo.why import clue_columns, reasons_of
from victor.explain.findings import TellsClues
from victor.labelers.crf import CrfLabeler
from victor.page.verdict.verdict import Verdict

__all__ = ["Cleaned", "demo"]


def demo(cleaned: Cleaned, *, title: str, markdown: str = "") -> str:
    """The file, as text to be written in UTF-8.

    Args:
        cleaned: a page and how it was cleaned.
        title: heading of the file, e.g. the address of the page.
        markdown: the text as Markdown, as the page was cleaned.
    """
    steps = steps_of(cleaned)
    verdict = steps.verdict
    keep = 1 - verdict.marginals[:, Label.OTHER]
    return bundle.frame().format(
        policy=html.escape(bundle.policy(), quote=True),
        title=html.escape(title),
        style=bundle.style(),
        page=safe_text(verdict.table, cleaned.markup, keep),
        data=bundle.json_in_script(_data(cleaned, steps, markdown)),
        script=bundle.script(),
    )


def _data(cleaned: Cleaned, steps: Steps, markdown: str) -> dict[str, Any]:
    verdict = steps.verdict
    return {
        "system": cleaned.labeler.name,
        "thresholds": steps.thresholds,
        "presets": steps.presets,
        "method": verdict.method,
        "isAsked": cleaned.decision is not None,
        "nearest": steps.nearest,
        "words": steps.words,
        "allWords": int(verdict.table.words.sum()),
        "blocks": steps.blocks,
        "labels": steps.labels,
        "pieces": steps.pieces,
        "ends": steps.ends,
        "texts": steps.texts,
        "markdown": markdown,
        "labelNames": LABEL_NAMES,
        "marginals": verdict.marginals.round(4).tolist(),
        **_names("kinds", _kinds(verdict)),
        **_names("reasons", verdict.reasons()),
        "why": _why(cleaned, verdict),
        "clues": _clues(cleaned, verdict),
    }


def _kinds(verdict: Verdict) -> list[str]:
    assert verdict.kinds is not None, "a finished verdict has kinds"
    return [KIND_NAMES[kind] for kind in verdict.kinds.tolist()]


def _names(key: str, names: list[str]) -> dict[str, Any]:
    """A column of names as numbers, and the names by number."""
    known = sorted({*names})
    return {key: [known.index(name) for name in names], f"{key}Names": known}


def _why(cleaned: Cleaned, verdict: Verdict) -> dict[str, Any] | None:
    """What spoke for and against; None of systems that are no chain."""
    labeler = cleaned.labeler
    if not isinstance(labeler, CrfLabeler) or not len(verdict.table):
        return None
    if not labeler.model.potentials.columns:
        return None
    return reasons_of(explain(labeler.model, verdict.table, trust_code=labeler.trust_code))


def _clues(cleaned: Cleaned, verdict: Verdict) -> list[dict[str, Any]]:
    """What the rules of a labeler found; none of systems that tell nothing."""
    labeler = cleaned.labeler
    return clue_columns(labeler.clues(verdict.table)) if isinstance(labeler, TellsClues) else []
