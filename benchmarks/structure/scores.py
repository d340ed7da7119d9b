"""What of the gold items an output has, of those whose text it keeps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from structure.align import aligned
from structure.gold import Gold, is_in
from structure.items import KINDS, Item

_ALIKE: Final = frozenset(["list item", "nested item"])
"""Kinds whose long texts may differ a little: a button or a note may be left out."""
_LONG: Final = 10
_GRAM: Final = 5
_SHARE: Final = 0.9
_TABLE_SHARE: Final = 0.5
"""Cells of a table that a table of an output must have to be that table."""


class Count(NamedTuple):
    """Gold items of one kind whose text an output has, and those that it has as such."""

    kept: int
    right: int


class Score(NamedTuple):
    """One output of one page.

    Attributes:
        counts: by kind.
        tables: data tables of the gold whose text is kept, those among them that are no tables
            there, and those with holes.
    """

    counts: dict[str, Count]
    tables: dict[str, int]


def score(gold: Gold, output: Sequence[Item], text: Sequence[str]) -> Score:
    """Compare the items and the words of a rendered output with the gold of its page."""
    places = aligned(gold.page, text)
    counts = {}
    for kind in KINDS:
        wanted = [item for item in gold.items if item.kind == kind]
        counts[kind] = _count(kind, wanted, [i for i in output if i.kind == kind], places)
    return Score(counts, _tables(gold.items, output, places))


def _count(kind: str, wanted: Sequence[Item], given: Sequence[Item], places: Any) -> Count:
    free = Counter(item.keys[0] for item in given)
    right = [_taken(item.keys, free) for item in wanted]
    if kind in _ALIKE:
        rest = [(number, item) for number, item in enumerate(wanted) if not right[number]]
        for number in _alike(rest, free):
            right[number] = True
    kept = [flag or is_in(item, places) for flag, item in zip(right, wanted, strict=True)]
    return Count(sum(kept), sum(right))


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
    counts = Counter({"kept": 0, "flattened": 0, "with holes": 0})
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
