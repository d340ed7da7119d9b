"""A page with its blocks coloured, the clean text beside it and a slider, as one HTML file.

The file asks for nothing and runs nothing but its own script: of the page it shows text alone
(`safe_text`). Its `Content-Security-Policy` allows one script and one style sheet by their hashes
and nothing else, so that even an error here could not load or run anything.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any, Final

from victor.base.labels import KIND_NAMES, LABEL_NAMES, OTHER
from victor.explain.demo import bundle
from victor.explain.demo.safe_text import safe_text
from victor.explain.demo.steps import Cleaned, Steps, Texts, steps_of
from victor.explain.groups import Finding, Group, Grouped, least_sure, why
from victor.explain.sentences import sentences
from victor.labelers.crf import CrfLabeler
from victor.page.verdict.verdict import Verdict

__all__ = ["Cleaned", "demo"]

_GROUPS: Final = 9
"""Groups of a block, the strongest ones; all others are added up."""
_PARTS: Final = 2
"""Parts of a group, the strongest ones; all others are added up."""
_MOST: Final = 3_000
"""Blocks with reasons; on larger pages those of which the model is least sure."""
_DIGITS: Final = 3


def demo(cleaned: Cleaned, *, title: str, markdown: str = "") -> str:
    """The file, as text to be written in UTF-8.

    Args:
        cleaned: a page and how it was cleaned.
        title: heading of the file, e.g. the address of the page.
        markdown: the text as Markdown, as the page was cleaned.
    """
    texts = Texts()
    steps = steps_of(cleaned, texts)
    verdict = steps.verdict
    keep = 1 - verdict.marginals[:, OTHER]
    data = {**_data(cleaned, steps, markdown), "why": _why(cleaned, verdict, texts)}
    return bundle.frame().format(
        policy=html.escape(bundle.policy(), quote=True),
        title=html.escape(title),
        style=bundle.style(),
        page=safe_text(verdict.table, cleaned.markup, keep),
        data=bundle.json_in_script({**data, "texts": [*texts.numbers]}),
        script=bundle.script(),
    )


def _data(cleaned: Cleaned, steps: Steps, markdown: str) -> dict[str, Any]:
    verdict = steps.verdict
    assert verdict.kinds is not None, "a finished verdict has kinds"
    return {
        "system": cleaned.labeler.name,
        "thresholds": steps.thresholds,
        "presets": steps.presets,
        "method": verdict.method,
        "nearest": steps.nearest,
        "words": steps.words,
        "allWords": int(verdict.table.words.sum()),
        "blocks": steps.blocks,
        "labels": steps.labels,
        "pieces": steps.pieces,
        "ends": steps.ends,
        "markdown": markdown,
        "labelNames": LABEL_NAMES,
        "marginals": verdict.marginals.round(4).tolist(),
        "kinds": verdict.kinds.tolist(),
        "kindNames": KIND_NAMES,
    }


def _why(cleaned: Cleaned, verdict: Verdict, texts: Texts) -> dict[int, list[Any]]:
    """By number of the block its sentence, what follows it, and rows of texts with weights.

    A row is a list: the number of a text, a weight or null, and the rows below it. Blocks have many
    of these texts in common.
    """
    labeler = cleaned.labeler
    reads = not isinstance(labeler, CrfLabeler) or labeler.model.potentials.columns
    if not len(verdict.table) or not reads:
        return {}
    blocks = least_sure(verdict.marginals[:, OTHER], _MOST)
    said = sentences(labeler, verdict, cleaned.scope, cleaned.decision, blocks)
    reasons = why(labeler, verdict.table, blocks, _PARTS)
    return {
        sentence.block: [
            sentence.text,
            _title(labeler.name, each.grouped),
            _numbered(_rows(each.grouped, each.findings), texts),
        ]
        for sentence, each in zip(said, reasons, strict=True)
    }


def _title(system: str, grouped: Grouped | None) -> str:
    if grouped is None:
        return f"What {system} found"
    return f"{grouped.label} against {grouped.against}: {grouped.log_odds:+.2f}"


_Row = tuple[str, float | None, Sequence["_Row"]]


def _rows(grouped: Grouped | None, findings: Sequence[Finding]) -> Iterable[_Row]:
    if grouped is None:
        return [(each.words, None, [(each.meaning, None, [])]) for each in findings if each.words]
    rows = [_row(group) for group in grouped.groups[:_GROUPS]]
    others = grouped.groups[_GROUPS:]
    rest = (f"{len(others)} more groups", sum(group.weight for group in others), ())
    return [*rows, rest] if others else rows


def _row(group: Group) -> _Row:
    if group.module is None and len(group.parts) == 1:
        return group.name, group.weight, ()
    rows: list[_Row] = [(part.words, part.weight, ()) for part in group.parts]
    if group.n_more:
        rows.append((f"{group.n_more} more", group.more, ()))
    return group.name, group.weight, rows


def _numbered(rows: Iterable[_Row], texts: Texts) -> list[Any]:
    """Rows with numbers in place of texts, and rounded weights."""
    return [
        [
            texts.number(text),
            None if weight is None else round(weight, _DIGITS),
            _numbered(below, texts),
        ]
        for text, weight, below in rows
    ]
