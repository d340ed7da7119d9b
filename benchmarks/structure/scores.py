"""What of the gold items an output has: recall, precision, and recall where the text is kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from structure.align import aligned
from structure.gold import Gold, is_in
from structure.items import KINDS, Item

_ALIKE: Final = frozenset(["list item", "nested item", "ordered item", "quote"])
"""Kinds whose long texts may differ a little: a button or a note may be left out."""
_LONG: Final = 10
_GRAM: Final = 5
_SHARE: Final = 0.9
_TABLE_SHARE: Final = 0.5
"""Cells of a table that a table of an output must have to be that table."""


@dataclass(slots=True)
class Count:
    """Items of one kind on one page: of the gold, with kept text, right, of the output."""

    gold: int = 0
    kept: int = 0
    right: int = 0
    right_kept: int = 0
    output: int = 0
    right_output: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, name) + getattr(other, name) for name in Count.__slots__))

    @property
    def recall(self) -> float:
        """Share of the gold items that the output has; NaN without gold."""
        return _share(self.right, self.gold)

    @property
    def precision(self) -> float:
        """Share of the output's items that are gold; NaN without output."""
        return _share(self.right_output, self.output)

    @property
    def recall_kept(self) -> float:
        """Share of the gold items whose text the output has that it has as such."""
        return _share(self.right_kept, self.kept)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


@dataclass(frozen=True, slots=True)
class Missed:
    """A gold item that an output lacks, and whether it has its text."""

    kind: str
    text: str
    kept: bool


@dataclass(slots=True)
class Score:
    """One output of one page.

    Attributes:
        counts: by kind.
        missed: what it lacks.
        tables: data tables of the gold whose text is kept, those among them that are no tables
            there, those with holes, and cells missing in tables that are there.
        f: word F against the gold text.
    """

    counts: dict[str, Count] = field(default_factory=dict)
    missed: list[Missed] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    f: float = 0.0


def score(gold: Gold, output: Sequence[Item], text: Sequence[str]) -> Score:
    """Compare an output with the gold of its page.

    Args:
        gold: of the page.
        output: items of the rendered output.
        text: words of the rendered output.
    """
    places = aligned(gold.page, text)
    result = Score(f=word_f(gold.text, text))
    for kind in KINDS:
        wanted = [item for item in gold.items if item.kind == kind]
        given = [item for item in output if item.kind == kind and not _is_callout(item)]
        result.counts[kind] = _count(kind, wanted, given, places, result.missed)
    result.tables = _tables(gold.items, output, places)
    return result


def _is_callout(item: Item) -> bool:
    """Is a quote of an output the frame that CommonMark lacks, such as ``> [!note]``."""
    return item.kind == "quote" and item.text.lstrip().startswith("[!")


def _count(
    kind: str, wanted: Sequence[Item], given: Sequence[Item], places: Any, missed: list[Missed]
) -> Count:
    free = Counter(item.keys[0] for item in given)
    right = [_taken(item.keys, free) for item in wanted]
    if kind in _ALIKE:
        rest = [(number, item) for number, item in enumerate(wanted) if not right[number]]
        for number in _alike(rest, free):
            right[number] = True
    kept = [flag or is_in(item, places) for flag, item in zip(right, wanted, strict=True)]
    missed += [
        Missed(kind, item.text, is_kept)
        for item, flag, is_kept in zip(wanted, right, kept, strict=True)
        if not flag
    ]
    for item, flag in zip(wanted, right, strict=True):
        for _ in range(item.times - 1 if flag else 0):  # spanning cells may be repeated
            _taken(item.keys, free)
    n_right, n_given = sum(right), _judged(kind, wanted, given)
    n_taken = len(given) - free.total()
    return Count(len(wanted), sum(kept), n_right, n_right, n_given, min(n_taken, n_given))


def _judged(kind: str, wanted: Sequence[Item], given: Sequence[Item]) -> int:
    """Items of an output that count for precision: no language that the page does not declare."""
    if kind != "code language":
        return len(given)
    codes = {key[1] for item in wanted for key in item.keys}  # type: ignore[index]
    return sum(item.keys[0][1] in codes for item in given)  # type: ignore[index]


def _taken(keys: Iterable[Hashable], free: Counter[Any]) -> bool:
    for key in keys:
        if free[key] > 0:
            free[key] -= 1
            return True
    return False


def _alike(rest: Sequence[tuple[int, Item]], free: Counter[Any]) -> list[int]:
    """Numbers of the long items that an item left over nearly is, which it takes."""
    by_gram: dict[Any, set[Any]] = defaultdict(set)
    for key in [key for key, count in free.items() if count > 0]:
        for gram in _grams(_text_of(key)):
            by_gram[gram].add(key)
    taken = []
    for number, item in rest:
        match = _nearest(item, by_gram, free)
        if match is not None:
            free[match] -= 1
            taken.append(number)
    return taken


def _nearest(item: Item, by_gram: dict[Any, set[Any]], free: Counter[Any]) -> Any:
    for key in item.keys:
        grams = _grams(_text_of(key))
        shared = Counter(other for gram in grams for other in by_gram.get(gram, ()))
        for other, count in shared.most_common(3):
            same_place = not _has_place(key) or key[0] == other[0]  # type: ignore[index]
            enough = count >= _SHARE * max(len(grams), len(_grams(_text_of(other))))
            if same_place and enough and free[other] > 0:
                return other
    return None


def _has_place(key: Any) -> bool:
    """Whether a key is a depth or a number with words, rather than only words."""
    return len(key) == 2 and isinstance(key[0], int)


def _text_of(key: Any) -> tuple[str, ...]:
    text: tuple[str, ...] = key[1] if _has_place(key) else key
    return text


def _grams(text: tuple[str, ...]) -> set[tuple[str, ...]]:
    if len(text) < _LONG:
        return set()
    return {text[first : first + _GRAM] for first in range(len(text) - _GRAM + 1)}


def _tables(gold: Sequence[Item], output: Sequence[Item], places: Any) -> dict[str, int]:
    wanted, given = _by_table(gold), _by_table(output)
    counts = Counter({"kept": 0, "flattened": 0, "with holes": 0, "cells missing": 0})
    kept_text: dict[int, list[bool]] = defaultdict(list)
    for item in gold:
        if item.kind == "table cell":
            kept_text[item.table].append(is_in(item, places))
    for number, cells in wanted.items():
        n_common, n_missing = _best(cells, given)
        is_table = n_common >= max(2, _TABLE_SHARE * cells.total()) or n_missing == 0
        if not is_table and sum(kept_text[number]) < _TABLE_SHARE * cells.total():
            continue
        counts["kept"] += 1
        counts["flattened"] += not is_table
        counts["with holes"] += is_table and n_missing > 0
        counts["cells missing"] += n_missing if is_table else 0
    return dict(counts)


def _by_table(found: Sequence[Item]) -> dict[int, Counter[Any]]:
    tables: dict[int, Counter[Any]] = defaultdict(Counter)
    for item in found:
        if item.kind == "table cell":
            tables[item.table][item.keys[0]] += 1
    return tables


def _best(cells: Counter[Any], given: dict[int, Counter[Any]]) -> tuple[int, int]:
    """Cells in common with the most similar table, and cells that it lacks."""
    n_common = max(((cells & other).total() for other in given.values()), default=0)
    return n_common, cells.total() - n_common


def word_f(gold: Sequence[str], text: Sequence[str]) -> float:
    """F of two bags of words; 1 if both are empty."""
    if not gold and not text:
        return 1.0
    common = (Counter(gold) & Counter(text)).total()
    return 2 * common / (len(gold) + len(text))
