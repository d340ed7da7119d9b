"""Templates: which columns of which neighbouring blocks a model reads, alone or joined.

The value of an entry at a block is a number, made of the codes of its columns.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, Literal, TypeGuard, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from victor.base.arrays import Codes, Ints
from victor.base.errors import ConfigError, TemplateError, hint
from victor.base.lazy import pattern

if TYPE_CHECKING:
    from victor.config.schema import Config
    from victor.features.base import Kind

PageEdge = Literal["one", "distance"]
Place = tuple[str, int]  # a column and the offset of the block that it is read from

FARTHEST = 100  # largest offset; a larger one is a typing error

_MOST_ENTRIES = 20_000  # braces multiply: a line may stand for more entries than there is memory

_REMEDY = (
    " (`features-: [MODULE]` leaves a module of the base out with all that reads it, "
    "`features+: [MODULE]` adds one)"
)
"""What to do where the modules were listed anew and the template is that of the base."""


class Entry(Struct, frozen=True):
    """One attribute family: the codes of its places together are the attribute's value."""

    columns: tuple[Place, ...]
    """(column, offset) places; one is a plain entry, more are a conjunction."""

    def __str__(self) -> str:
        return " & ".join(
            f"{name}[{offset:+d}]" if offset else name for name, offset in self.columns
        )


class Template(Struct, frozen=True):
    """Entries in order, and the value of a place outside the page."""

    entries: tuple[Entry, ...]  # what the potential of a block reads; no two alike
    page_edge: PageEdge = "distance"
    """``"one"``: one value for "before the first block" and one for "after the last";
    ``"distance"``: the first, second, third place outside differ (Victor 2008, CRF++)."""
    edges: tuple[Entry, ...] = ()
    """What the edge to a block from the one before reads, relative to the block; no two alike. A
    value of such an entry has a weight for every pair of labels, as the bigram templates (``B``)
    of CRF++ do it. Without any, all edges are alike."""

    def __post_init__(self) -> None:
        if self.page_edge not in get_args(PageEdge):
            raise TemplateError(f"page edge is one or distance, got {self.page_edge!r}")
        _check_distinct(self.entries)
        _check_distinct(self.edges)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that the entries of blocks use, each once, in order of first use."""
        return _names_of(self.entries)

    @property
    def edge_names(self) -> tuple[str, ...]:
        """The columns that the entries of edges use, likewise."""
        return _names_of(self.edges)

    def outside(self, offset: int) -> int:
        """How many codes beyond those of the column mark places outside the page.

        A block before (after) this one is never after the last (before the first) block of the
        page, so one value is enough for each sign of the offset.
        """
        return min(abs(offset), 1) if self.page_edge == "one" else abs(offset)

    @classmethod
    def from_config(
        cls,
        structure: object,
        *,
        columns: Collection[str],
        page_edge: PageEdge = "distance",
    ) -> Template:
        """Expand a template as written in YAML.

        Args:
            structure: a list; each item is ``{column: NAME, offset: O}``, ``{columns: [A, B],
                offset: O}`` (a conjunction inside one block), a list of ``{column, offset}``
                (any conjunction), or ``{edge: NAME}`` or ``{edge: ITEM}``, where ITEM is one of
                these forms, for an entry of edges. Names and offsets may hold braces,
                ``{alpha,num}`` or ``{-3..3}``; an offset may also be a list; without one it is 0.
                An item stands for all its expansions.
            columns: the columns with codes.
            page_edge: see the class.

        Raises:
            TemplateError: the structure is malformed, names an unknown column or repeats an entry.
        """
        if isinstance(structure, Sequence) and not structure:
            raise TemplateError(
                "a template is a list of entries, and there is none: begin the configuration with "
                "'base: default'"
            )
        if not isinstance(structure, Sequence) or isinstance(structure, str):
            raise TemplateError(f"a template is a list of entries, got {structure!r}")
        of_blocks = [item for item in structure if not _is_edge(item)]
        of_edges = [_edge_item(item) for item in structure if _is_edge(item)]
        template = cls(_expanded_items(of_blocks), page_edge, _expanded_items(of_edges))
        template.check(columns)
        return template

    @classmethod
    def of(cls, config: Config, kinds: Mapping[str, Kind]) -> Template:
        """The template of a configuration, the edge entry that `crf.edges` names among its edges.

        Args:
            config: with the entries of its template, as `victor.config.layers.load` gives it.
            kinds: kind of every column of its features.

        Raises:
            TemplateError: as `from_config`.
        """
        edge = {"edge": config.crf.edges}
        is_new = config.crf.edges is not None and edge not in config.template
        return cls.from_config(
            (*config.template, *([edge] if is_new else [])),
            columns=kinds,
            page_edge=config.page_edge,
        )

    def check(self, columns: Collection[str]) -> None:
        """Check the entries against the columns.

        Raises:
            TemplateError: a column is unknown.
        """
        for entry in (*self.entries, *self.edges):
            for name, _ in entry.columns:
                if name not in columns:
                    guess = hint(name, columns)
                    raise TemplateError(f"template: unknown column {name}{guess}{_REMEDY}")

    def without(self, columns: Collection[str]) -> Template:
        """The template without the entries that read one of some columns, conjunctions too."""
        entries, edges = (_not_reading(part, columns) for part in (self.entries, self.edges))
        return replace(self, entries=entries, edges=edges)

    @property
    def structure(self) -> list[Any]:
        """The template as `from_config` reads it, all braces written out."""
        of_blocks, of_edges = (
            [
                [{"column": name, "offset": offset} for name, offset in entry.columns]
                for entry in part
            ]
            for part in (self.entries, self.edges)
        )
        return [*of_blocks, *({"edge": item} for item in of_edges)]

    def to_json(self) -> dict[str, Any]:
        """Plain data of the entries of blocks, for a model file."""
        entries = [[list(place) for place in entry.columns] for entry in self.entries]
        return {"page_edge": self.page_edge, "entries": entries}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Template:
        """The template that `to_json` wrote.

        Raises:
            TemplateError: the data are not what `to_json` writes.
        """
        try:
            places = [
                tuple((str(name), int(offset)) for name, offset in e) for e in data["entries"]
            ]
            return cls(tuple(Entry(columns) for columns in places), data["page_edge"])
        except (KeyError, TypeError, ValueError) as error:
            raise TemplateError(f"this is not a stored template: {error}") from error


def _not_reading(entries: Sequence[Entry], columns: Collection[str]) -> tuple[Entry, ...]:
    """The entries that read none of some columns."""
    return tuple(e for e in entries if not any(name in columns for name, _ in e.columns))


def _names_of(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for entry in entries for name, _ in entry.columns))


def _is_edge(item: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(item, Mapping) and "edge" in item


def _edge_item(item: Mapping[object, object]) -> object:
    """What an item of edges would be as one of blocks."""
    _check_keys(item, {"edge"})
    entry = item["edge"]
    return {"column": entry} if isinstance(entry, str) else entry


def _expanded_items(items: Sequence[object]) -> tuple[Entry, ...]:
    """All entries that the items of a template stand for."""
    expanded = (entry for item in items for entry in _expand_item(item))
    entries = tuple(islice(expanded, _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        raise TemplateError(f"the template stands for more than {_MOST_ENTRIES:,} entries")
    return entries


def _expanded(text: str) -> list[str]:
    """What a string with braces stands for."""
    try:
        return expand(text)
    except ConfigError as error:
        raise TemplateError(str(error)) from None


def _expand_item(item: object) -> Iterator[Entry]:
    """All entries that one item of the structure stands for."""
    if isinstance(item, Mapping) and "columns" in item:
        _check_keys(item, {"columns", "offset"})
        names = [_names(name) for name in _listed(item["columns"])]
        offsets = _offsets(item.get("offset", 0))
        for choice in product(*names):  # one at a time: there may be any number of them
            yield from (Entry(tuple((name, offset) for name in choice)) for offset in offsets)
    elif isinstance(item, Mapping):
        yield from (Entry((place,)) for place in _places(item))
    elif isinstance(item, list | tuple) and item:
        yield from map(Entry, product(*map(_places, item)))
    else:
        raise TemplateError(f"an entry is {{column: NAME, offset: O}} or a list of these: {item!r}")


def _places(item: object) -> list[Place]:
    """All places that one ``{column, offset}`` stands for."""
    if not isinstance(item, Mapping) or "column" not in item:
        raise TemplateError(f"this needs the form {{column: NAME, offset: O}}: {item!r}")
    _check_keys(item, {"column", "offset"})
    return list(product(_names(item["column"]), _offsets(item.get("offset", 0))))


def _check_keys(item: Mapping[object, object], allowed: set[str]) -> None:
    """Refuse unknown keys."""
    for key in item:
        if key not in allowed:
            raise TemplateError(
                f"unknown key {key!r} in {dict(item)!r}, allowed: {sorted(allowed)}"
            )


def _listed(value: object) -> Sequence[object]:
    """The names of a conjunction."""
    if not isinstance(value, list | tuple) or len(value) < 2:
        raise TemplateError(f"columns is a list of two or more names, got {value!r}")
    return value


def _names(value: object) -> list[str]:
    """The expansions of a column name."""
    if not isinstance(value, str) or not value:
        raise TemplateError(f"a column is named by a string, got {value!r}")
    return _expanded(value)


def _offsets(value: object) -> list[int]:
    """The offsets that an integer, a list or a string with braces stands for."""
    if isinstance(value, list | tuple) and value:
        return [offset for part in value for offset in _offsets(part)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    try:
        if isinstance(value, str):
            return [int(text) for text in _expanded(value)]
    except ValueError:
        pass
    raise TemplateError(f'an offset is an integer, a list of these or "{{-3..3}}", got {value!r}')


def _check_distinct(entries: Sequence[Entry]) -> None:
    """Refuse unsound entries, and two of the same places."""
    seen = set()
    for entry in entries:
        _check_entry(entry)
        places = frozenset(entry.columns)
        if places in seen:
            raise TemplateError(f"entry {entry} occurs twice: remove one of the two")
        seen.add(places)


def _check_entry(entry: Entry) -> None:
    """Refuse empty entries, repeated columns and offsets that are too large."""
    if not entry.columns:
        raise TemplateError("an entry names no column")
    if len(set(entry.columns)) < len(entry.columns):
        raise TemplateError(f"{entry} joins a column with itself")
    if any(abs(offset) > FARTHEST for _, offset in entry.columns):
        raise TemplateError(f"{entry}: offsets go from {-FARTHEST} to {FARTHEST}")


# --- Braces: names with alternatives --------------------------------------------------------------

_BRACES: Final = pattern(r"\{([^{}]*)\}")
_RANGE: Final = pattern(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
_LONGEST_RANGE: Final = 200
_MOST: Final = 10_000  # names that a string may stand for


def expand(text: str) -> list[str]:
    """All expansions of the brace alternatives and integer ranges in a string, in order."""
    expanded, end = [""], 0
    for braces in _BRACES.finditer(text):
        head, end = _plain(text, end, braces.start()), braces.end()
        choices = [each for part in braces[1].split(",") for each in _choices(part.strip(), text)]
        if len(expanded) * len(choices) > _MOST:
            raise ConfigError(f"{shortened(text)} stands for more than {_MOST:,} names")
        expanded = [start + head + choice for start in expanded for choice in choices]
    rest = _plain(text, end, len(text))
    return [start + rest for start in expanded]


def _plain(text: str, start: int, end: int) -> str:
    part = text[start:end]
    if "{" in part or "}" in part:
        raise ConfigError(f"unbalanced or nested braces in {shortened(text)}")
    return part


def _choices(part: str, text: str) -> Iterable[str]:
    bounds = _RANGE.fullmatch(part)
    if not part or (".." in part and bounds is None):
        raise ConfigError(f"cannot expand {shortened(text)}: write {{a,b}} or {{-3..3}}")
    if bounds is None:
        return [part]
    low, high = int(bounds[1]), int(bounds[2])
    if not 0 <= high - low <= _LONGEST_RANGE:
        raise ConfigError(
            f"cannot expand {shortened(text)}: a range goes from low to high, e.g. {{-3..3}}"
        )
    return map(str, range(low, high + 1))


# --- Values ---------------------------------------------------------------------------------------


def extents(entry: Entry, template: Template, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Number of values of each place of an entry: the codes of its column, then those outside."""
    return tuple(sizes[name] + template.outside(offset) for name, offset in entry.columns)


def n_values(entry: Entry, template: Template, sizes: Mapping[str, int]) -> int:
    """Number of values of an entry; those of a conjunction are counted row by row."""
    return math.prod(extents(entry, template, sizes))


def entry_values(
    entry: Entry,
    codes: Mapping[str, Codes],
    page_starts: Ints,
    *,
    template: Template,
    sizes: Mapping[str, int],
) -> Ints:
    """The value of an entry at every block of a batch.

    Args:
        entry: an entry of the template.
        codes: column name to (n,) codes.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        template: the template of the entry, for its page edge.
        sizes: column name to number of codes.

    Returns:
        (n,) int64 below `n_values`.
    """
    values = np.zeros(int(page_starts[-1]), dtype=np.int64)
    for (name, offset), extent in zip(entry.columns, extents(entry, template, sizes), strict=True):
        values *= extent
        values += _shifted(codes[name], offset, page_starts, template=template, size=sizes[name])
    return values


def _shifted(
    codes: Codes, offset: int, page_starts: Ints, *, template: Template, size: int
) -> Ints:
    """Codes of the blocks at an offset; outside the page they begin at `size`."""
    blocks, rows = outside(page_starts, offset, template=template)
    shifted = np.roll(codes.astype(np.int64), -offset)
    shifted[blocks] = size + rows
    return shifted


def outside(page_starts: Ints, offset: int, *, template: Template) -> tuple[Ints, Ints]:
    """Where an offset leads out of the page.

    Returns:
        The blocks whose place at the offset is outside, and which of the values outside
        (below ``template.outside(offset)``) each of these places has.
    """
    starts, ends = page_starts[:-1, None], page_starts[1:, None]
    distance = np.arange(1, abs(offset) + 1)
    if offset < 0:
        blocks = starts - offset - distance
        valid = blocks < ends
    else:
        blocks = ends - 1 - offset + distance
        valid = blocks >= starts
    rows = np.minimum(distance, template.outside(offset)) - 1
    return blocks[valid], np.broadcast_to(rows, blocks.shape)[valid]
