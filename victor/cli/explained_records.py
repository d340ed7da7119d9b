"""Explanations and differences as plain data, for JSON lines."""

from __future__ import annotations

from typing import Any

from victor.api import Block
from victor.explain.compare import Difference, Side
from victor.explain.groups import Grouped, Why
from victor.explain.sentences import Sentence

Record = dict[str, Any]


def block_record(block: Block, sentence: Sentence, reasons: Why) -> Record:
    """A block and why it has its label; nothing is rounded, so that the groups add up."""
    return {
        "block": block.number,
        "label": block.label,
        "kept": block.kept,
        "reason": block.reason,
        "sentence": sentence.text,
        "probabilities": block.marginals,
        "text": block.text,
        "log_odds": None if reasons.grouped is None else _log_odds(reasons.grouped),
        "findings": [
            {
                "name": finding.name,
                "meaning": finding.meaning,
                "value": finding.value,
                "limit": finding.limit,
                "keeps": finding.keeps or None,
            }
            for finding in reasons.findings
        ],
    }


def _log_odds(grouped: Grouped) -> Record:
    return {
        "label": grouped.label.lower_name,
        "against": grouped.against.lower_name,
        "weight": grouped.log_odds,
        "groups": [
            {
                "name": group.name,
                "module": group.module or None,
                "weight": group.weight,
                "parts": [part._asdict() for part in group.parts],
                "more": {"parts": group.n_more, "weight": group.more},
            }
            for group in grouped.groups
        ],
    }


def difference_record(difference: Difference) -> Record:
    """A piece of text with what A and B say of it."""
    return {
        "text": difference.text,
        "A": _side(difference.first),
        "B": _side(difference.second),
    }


def _side(side: Side) -> Record:
    return {"blocks": side.blocks, "label": side.label, "probabilities": side.marginals}
