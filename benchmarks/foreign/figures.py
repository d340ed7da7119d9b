"""What of an expected document an output has: words, and items of structure by kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from structure.items import Base, items
from structure.scores import word_f
from structure.walk import Document, words

KINDS: Final = {
    "heading": "heading", "list item": "item", "table row": "row", "code": "code",
    "inline code": "inline code", "bold": "bold", "italic": "italic", "quote": "quote",
    "link": "link", "image": "image", "formula": "formula", "note": "note",
}  # fmt: skip
"""The compared kinds, and what they are called in tables."""
_LIKE: Final = 0.9
"""Share of the words that a note or a line of a recipe must have in common with the expected."""
_LINE: Final = 0.7
_IDEOGRAPHS: Final = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_NOTES: Final = "section[contains(concat(' ', @class, ' '), ' footnotes ')]"
_FORMULAS: Final = "//*[contains(concat(' ', @class, ' '), ' math ')]"


class Figures(NamedTuple):
    """One output of one page.

    Attributes:
        precision: share of its words that are expected.
        recall: share of the expected words that it has.
        f: word F.
        right: items of each kind that output and expected document share.
        wanted: expected items of each kind.
        given: items of each kind that the output has.
        missed: expected items that it lacks.
    """

    precision: float
    recall: float
    f: float
    right: Counter[str]
    wanted: Counter[str]
    given: Counter[str]
    missed: list[tuple[str, Hashable]]


def figures(expected: Document, output: Document) -> Figures:
    """Compare an output with the document that a suite expects."""
    wanted, given = things(expected), things(output)
    right: Counter[str] = Counter()
    missed: list[tuple[str, Hashable]] = []
    for kind in KINDS:
        left = _left(kind, wanted[kind], given[kind])
        right[kind] = wanted[kind].total() - len(left)
        missed += [(kind, key) for key in left]
    wanted_words, words_given = _words(expected), _words(output)
    common = (Counter(wanted_words) & Counter(words_given)).total()
    return Figures(
        common / max(1, len(words_given)) if words_given else float(not wanted_words),
        common / max(1, len(wanted_words)) if wanted_words else 1.0,
        word_f(wanted_words, words_given),
        right,
        Counter({kind: wanted[kind].total() for kind in KINDS}),
        Counter({kind: given[kind].total() for kind in KINDS}),
        missed,
    )


def _words(document: Document) -> list[str]:
    """Words of a document; of Chinese and Japanese the characters, for nothing parts its words."""
    return [piece for word in document.words for piece in _IDEOGRAPHS.split(word) if piece]


def things(document: Document) -> Mapping[str, Counter[Hashable]]:
    """Items of every kind of a rendered document."""
    counts: dict[str, Counter[Hashable]] = {kind: Counter() for kind in KINDS}
    for item in items(document, Base()):
        if item.kind in counts and not _is_of_note(item.node, item.kind):
            key = item.keys[0]
            # A document may begin with a heading of any level, so levels are not compared.
            counts[item.kind][key[1] if item.kind == "heading" else key] += 1  # type: ignore[index]
    counts["formula"].update("".join(node.text_content().split()) for node in _formulas(document))
    counts["note"].update(_notes(document))
    return counts


def _is_of_note(node: Any, kind: str) -> bool:
    """Is an item the one that holds a note."""
    return kind == "list item" and any(
        "footnotes" in (each.get("class") or "").split() for each in node.iterancestors("section")
    )


def _formulas(document: Document) -> Iterator[Any]:
    for node in document.root.xpath(_FORMULAS):
        if node.tag != "section":
            yield node


def _notes(document: Document) -> Iterator[Hashable]:
    for node in document.root.xpath(f"//{_NOTES}//li[@id]"):
        yield words(node.text_content())


def _left(kind: str, wanted: Counter[Hashable], given: Counter[Hashable]) -> list[Hashable]:
    """Expected items that are not given; a note may differ by a tenth of its words."""
    left = [*(wanted - given).elements()]
    if kind != "note":
        return left
    free = [*(given - wanted).elements()]
    missed = []
    for key in left:
        match = next((other for other in free if word_f(key, other) >= _LIKE), None)  # type: ignore[arg-type]
        if match is None:
            missed.append(key)
        else:
            free.remove(match)
    return missed


def lines_found(wanted: Sequence[str], text: str, page: str) -> tuple[int, int]:
    """How many lines stand in an output, of how many whose words the page has.

    A line is there if a line of the output has seven tenths of its words.
    """
    in_page = Counter(words(page))
    in_text = [Counter(words(line)) for line in text.split("\n")]
    possible = [
        line for line in map(Counter, map(words, wanted)) if line and _share(line, in_page) >= _LINE
    ]
    return sum(any(_share(line, one) >= _LINE for one in in_text) for line in possible), len(
        possible
    )


def _share(line: Counter[str], text: Counter[str]) -> float:
    return (line & text).total() / line.total()
