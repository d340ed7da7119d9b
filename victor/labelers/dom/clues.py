"""What the DOM system found of blocks: the step that dropped them, or parts of them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from victor.labelers.dom.article import in_article
from victor.labelers.dom.findings import OUTSIDE, Findings
from victor.labelers.rules import Clue

_STEPS: Final = {
    "noscript": "dropped, in <noscript>",
    "forms": "dropped, in a form",
    "buttons": "dropped, in a button",
    "selects": "dropped, in a list to choose from",
    "image-links": "dropped, in a link around an image",
    "text-links": "dropped, in a link",
    "advertisements": "dropped, leads to a server of advertisements",
    "link-lists": "dropped, in a list of links",
    "empty-tables": "dropped, in a table of which little else is left",
    OUTSIDE: "dropped, not in the article",
}


def clues(findings: Findings) -> list[Clue]:
    """The step that decided on every block, what it lost, and its density."""
    blocks = range(len(findings.table))
    reasons = [findings.cut.of_block(block) for block in blocks]
    lost = [Counter(reason for reason, _ in findings.cut.parts_of(block)) for block in blocks]
    return [
        Clue("step", "the step that decided",
             ["kept" if reason is None else _STEPS[reason] for reason in reasons]),
        Clue("lost parts", "parts of the block that were removed, by step",
             [", ".join(f"{step} {n}" for step, n in parts.items()) for parts in lost]),
        Clue("in the article", "is it in the element that holds the article",
             in_article(findings.table, findings.article)),
        Clue("text density", "words outside links over these and tags; orders the blocks",
             findings.density),
    ]  # fmt: skip
