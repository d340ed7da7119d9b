"""A page with its blocks coloured, the clean text beside it and a slider, as one HTML file.

The file asks for nothing and runs nothing but its own script: of the page it shows text alone
(`safe_text`). Its `Content-Security-Policy` allows one script and one style sheet by their hashes
and nothing else, so that even an error here could not load or run anything.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import KIND_NAMES, LABEL_NAMES, Label
from victor.explain.contributions import Explanation, explain
from victor.explain.demo import bundle
from victor.explain.demo.safe_text import safe_text
from victor.explain.demo.steps import Cleaned, Steps, steps_of
from victor.explain.groups import Group, Grouped, Part, TellsClues, grouped, least_sure
from victor.explain.sentences import sentences
from victor.labelers.crf import CrfLabeler
from victor.labelers.rules import Clue
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
        "why": _reasons_of_page(cleaned, verdict),
        "sentences": _sentences(cleaned, verdict),
        "clues": _clues(cleaned, verdict),
    }


def _kinds(verdict: Verdict) -> list[str]:
    assert verdict.kinds is not None, "a finished verdict has kinds"
    return [KIND_NAMES[kind] for kind in verdict.kinds.tolist()]


def _names(key: str, names: list[str]) -> dict[str, Any]:
    """A column of names as numbers, and the names by number."""
    distinct = sorted({*names})
    return {key: [distinct.index(name) for name in names], f"{key}Names": distinct}


def _reasons_of_page(cleaned: Cleaned, verdict: Verdict) -> dict[str, Any] | None:
    """What spoke for and against; None of systems that are no chain."""
    labeler = cleaned.labeler
    if not isinstance(labeler, CrfLabeler) or not _has_reasons(cleaned, verdict):
        return None
    return reasons_of(explain(labeler.model, verdict.table, trust_code=labeler.trust_code))


def _has_reasons(cleaned: Cleaned, verdict: Verdict) -> bool:
    """Are there blocks, and does the labeler read anything of them."""
    labeler = cleaned.labeler
    reads = not isinstance(labeler, CrfLabeler) or labeler.model.potentials.columns
    return bool(len(verdict.table) and reads)


def _sentences(cleaned: Cleaned, verdict: Verdict) -> dict[int, str]:
    """The decision in words, by block; of the same blocks that have reasons."""
    if not _has_reasons(cleaned, verdict):
        return {}
    blocks = least_sure(verdict.marginals[:, Label.OTHER], _MOST)
    said = sentences(cleaned.labeler, verdict, cleaned.scope, cleaned.decision, blocks)
    return {sentence.block: sentence.text for sentence in said}


def _clues(cleaned: Cleaned, verdict: Verdict) -> list[dict[str, Any]]:
    """Evidence given by a rule-based labeler; empty for others."""
    labeler = cleaned.labeler
    return clue_columns(labeler.clues(verdict.table)) if isinstance(labeler, TellsClues) else []


_GROUPS: Final = 9
"""Groups of a block, the strongest ones; all others are added up."""
_PARTS: Final = 2
"""Parts of a group, the strongest ones; all others are added up."""
_MOST: Final = 3_000
"""Blocks with reasons; on larger pages those of which the model is least sure."""
_DIGITS: Final = 3


def reasons_of(explanation: Explanation) -> dict[str, Any]:
    """What adds most to the log-odds of blocks, as plain data.

    Returns:
        ``groups``, ``names`` and ``values``: texts by number, those of names with their meanings.
        ``blocks``: by number of the block, the label that is compared with *other*; the log-odds;
        the strongest groups: number, sum, the strongest parts (flat: name, value, weight), and how
        many others there are with their sum; and how many other groups there are with their sum.
    """
    numbered = _Numbered()
    blocks_shown = least_sure(explanation.marginals[:, Label.OTHER], _MOST)
    blocks = {
        block.block: numbered.block(block) for block in grouped(explanation, blocks_shown, _PARTS)
    }
    return {
        "groups": [*numbered.groups],
        "names": [*numbered.names],
        "values": [*numbered.values],
        "blocks": blocks,
    }


def clue_columns(clues: Sequence[Clue]) -> list[dict[str, Any]]:
    """What rules found of the blocks of a page, as plain data: a column for each clue."""
    return [
        {
            "name": clue.name,
            "meaning": clue.meaning,
            "keeps": clue.keeps,
            "values": _short(np.asarray(clue.values)),
            "limits": None if clue.limit is None else _short(clue.limit),
        }
        for clue in clues
    ]


def _short(values: NDArray[Any]) -> list[Any]:
    rounded = values.round(_DIGITS) if values.dtype.kind == "f" else values
    return [*rounded.tolist()]


class _Numbered:
    """Reasons with numbers in place of texts, for blocks have the same ones."""

    def __init__(self) -> None:
        self.groups: dict[str, int] = {}
        self.names: dict[tuple[str, str], int] = {}
        self.values: dict[str, int] = {}

    def block(self, reasons: Grouped) -> list[object]:
        others = reasons.groups[_GROUPS:]
        return [
            int(reasons.label),
            _rounded(reasons.log_odds),
            [self._group(group) for group in reasons.groups[:_GROUPS]],
            len(others),
            _rounded(sum(group.weight for group in others)),
        ]

    def _group(self, group: Group) -> list[object]:
        group_index = self.groups.setdefault(group.name, len(self.groups))
        parts = [value for part in group.parts for value in self._part(part)]
        return [group_index, _rounded(group.weight), parts, group.n_more, _rounded(group.more)]

    def _part(self, part: Part) -> tuple[int, int, float]:
        meaning = f"{part.meaning}, {part.where}" if part.where else part.meaning
        return (
            self.names.setdefault((part.name, meaning), len(self.names)),
            self.values.setdefault(part.value, len(self.values)),
            _rounded(part.weight),
        )


def _rounded(weight: float) -> float:
    return round(weight, _DIGITS)
