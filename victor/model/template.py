"""Templates: which columns of which neighbouring blocks a model reads, alone or joined."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Literal, get_args

from victor.base.errors import ConfigError, TemplateError, hint
from victor.config.braces import expand

PageEdge = Literal["one", "distance"]
Place = tuple[str, int]
"""A column and the offset of the block that it is read from."""

FARTHEST = 100
"""Largest offset; a larger one is a typing error."""

_MOST_ENTRIES = 20_000
"""Braces multiply: a line may stand for more entries than there is memory."""

_ADD = " (`features:` replaces the modules of the base, `features+:` adds to them)"
"""Why a column of the base's template may be unknown."""


@dataclass(frozen=True)
class Entry:
    """One attribute family: the codes of its places together are the attribute's value.

    Attributes:
        columns: (column, offset) places; one is a plain entry, more are a conjunction.
    """

    columns: tuple[Place, ...]

    def __str__(self) -> str:
        return " & ".join(
            f"{name}[{offset:+d}]" if offset else name for name, offset in self.columns
        )


@dataclass(frozen=True)
class Template:
    """Entries in order, and the value of a place outside the page.

    Attributes:
        entries: no two alike.
        page_edge: ``"one"``: one value for "before the first block" and one for "after the last";
            ``"distance"``: the first, second, third place outside differ (Victor 2008, CRF++).
    """

    entries: tuple[Entry, ...]
    page_edge: PageEdge = "distance"

    def __post_init__(self) -> None:
        if self.page_edge not in get_args(PageEdge):
            raise TemplateError(f"page edge is one or distance, got {self.page_edge!r}")
        seen = set()
        for entry in self.entries:
            _check_entry(entry)
            places = frozenset(entry.columns)
            if places in seen:
                raise TemplateError(f"entry {entry} occurs twice: remove one of the two")
            seen.add(places)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns used, each once, in order of first use."""
        return tuple(dict.fromkeys(name for entry in self.entries for name, _ in entry.columns))

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
        bags: Collection[str] = (),
        page_edge: PageEdge = "distance",
    ) -> Template:
        """Expand a template as written in YAML.

        Args:
            structure: a list; each item is ``{column: NAME, offset: O}``, ``{columns: [A, B],
                offset: O}`` (a conjunction inside one block) or a list of ``{column, offset}``
                (any conjunction). Names and offsets may hold braces, ``{alpha,num}`` or
                ``{-3..3}``; an offset may also be a list; without one it is 0. An item stands
                for all its expansions.
            columns: the columns with codes.
            bags: the bag columns: only at offset 0 and in no conjunction.
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
        expanded = (entry for item in structure for entry in _expand_item(item))
        entries = tuple(islice(expanded, _MOST_ENTRIES + 1))
        if len(entries) > _MOST_ENTRIES:
            raise TemplateError(f"the template stands for more than {_MOST_ENTRIES:,} entries")
        template = cls(entries, page_edge)
        template.check(columns, bags)
        return template

    def check(self, columns: Collection[str], bags: Collection[str] = ()) -> None:
        """Check the entries against the columns.

        Raises:
            TemplateError: a column is unknown, or a bag has an offset or is in a conjunction.
        """
        names = {*columns, *bags}
        for entry in self.entries:
            for name, offset in entry.columns:
                if name not in names:
                    raise TemplateError(f"template: unknown column {name}{hint(name, names)}{_ADD}")
                if name in bags and (offset or len(entry.columns) > 1):
                    raise TemplateError(f"{entry}: bag {name} may only stand alone at offset 0")

    def to_json(self) -> dict[str, Any]:
        """Plain data for a model file."""
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


def _check_entry(entry: Entry) -> None:
    """Refuse empty entries, repeated columns and offsets that are too large."""
    if not entry.columns:
        raise TemplateError("an entry names no column")
    if len(set(entry.columns)) < len(entry.columns):
        raise TemplateError(f"{entry} joins a column with itself")
    if any(abs(offset) > FARTHEST for _, offset in entry.columns):
        raise TemplateError(f"{entry}: offsets go from {-FARTHEST} to {FARTHEST}")
