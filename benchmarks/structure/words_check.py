"""Whether Markdown renders to the words of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from structure.walk import Document, words

SAME, ORDER, DIFFERENT = "same", "order", "different"
_MARK = 3
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Check:
    """`SAME`; `ORDER`, where footnotes stand at the end; or `DIFFERENT` and the first place."""

    result: str
    text: str = ""
    markdown: str = ""


def check(document: Document, text: str) -> Check:
    """Compare rendered Markdown with the text that it was made beside.

    Marks of footnotes count on neither side: rendering numbers them anew. Nor do descriptions of
    images, which are no words of the page.
    """
    marks = _drop_marks(document.root)
    given = Document(document.root, is_page=False).words if marks else document.words
    wanted = list(words(text))
    if given == wanted:
        return Check(SAME)
    lacking, added = Counter(wanted), Counter(given)
    lacking.subtract(added)
    _join_marks(lacking)
    rest = [word for word, count in lacking.items() for _ in range(abs(count))]
    # Without a mark nothing moves: another order is a difference.
    if marks and len(rest) <= 2 * marks and all(_is_mark(word, lacking) for word in rest):
        return Check(ORDER)
    return _first_difference(wanted, given)


def _join_marks(lacking: Counter[str]) -> None:
    """Take the words out that differ by the mark of a note at their end: `Corn` and `Corn1`."""
    for word in [word for word, count in lacking.items() if count > 0]:
        stem = word.rstrip("0123456789")
        if len(word) - len(stem) <= _MARK and lacking[stem] < 0:
            lacking[word] -= 1
            lacking[stem] += 1


def _is_mark(word: str, lacking: Counter[str]) -> bool:
    """A word that only the text has and that may be the mark of a note or its number."""
    return lacking[word] > 0 and len(word) <= _MARK


def _drop_marks(root: Any) -> int:
    """Remove references to footnotes from rendered Markdown; how many there were."""
    marks = root.xpath("//sup[@class='footnote-ref'] | //a[@class='footnote-backref']")
    for mark in marks:
        mark.drop_tree()
    return len(marks)


def _first_difference(wanted: Sequence[str], given: Sequence[str]) -> Check:
    pairs = enumerate(zip_longest(wanted, given))
    start = next(number for number, (one, other) in pairs if one != other)
    first = max(0, start - 3)
    return Check(
        DIFFERENT,
        " ".join(wanted[first : start + _SHOWN]),
        " ".join(given[first : start + _SHOWN]),
    )
