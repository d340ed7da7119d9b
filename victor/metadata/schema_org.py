"""The things of schema.org that a page declares: read them, and choose what the page is about.

JSON-LD in scripts and microdata in markup come in one form: a mapping whose ``@type`` holds the
types and whose other keys are properties, each with one value or a list. Scripts may hold comments,
too many commas, or be cut off; whatever can be read is read. Numbers are strings as written, so
that prices keep their digits.

Vocabulary: https://schema.org; syntax: https://www.w3.org/TR/json-ld11/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Any, Final

import numpy as np

from victor.base.arrays import Bools
from victor.base.lazy import cached_property
from victor.metadata.texts import clean, letters, word_list, words
from victor.page.parsing.heads import Head
from victor.page.plain_data import valid
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.table.texts import text_of

_WRAPPING: Final = re.compile(r"<!--|-->|//\s*+<!\[CDATA\[|//\s*+\]\]>|<!\[CDATA\[|\]\]>")
_REPAIRS: Final = re.compile(
    r'("(?:[^"\\]++|\\.?)*+(?:"|\Z))|,(?=\s*+[\]}])|/\*.*?(?:\*/|\Z)', re.DOTALL
)
"""Strings, which stay; commas before an end and comments, which go."""
_BAD_ESCAPE: Final = re.compile(r'(\\\\)|\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SEPARATORS: Final = re.compile(r"[\s;,\ufeff]*+")
_DECODER: Final = json.JSONDecoder(
    strict=False, parse_int=str, parse_float=str, parse_constant=lambda _: None
)
_LONGEST_TYPE: Final = 200  # characters
_MOST_MEMBERS: Final = 1_000  # values of one property that are read
_ATTRIBUTES: Final = ("itemprop", "itemtype", "content", "href", "datetime")
"""What has to be recorded of a page with microdata."""
_MARKS: Final = (b"itemprop", b"ITEMPROP")
_LONGEST_TEXT: Final = 500
"""Characters of a text of microdata that are read; most values of interest are short, and elements
nest."""
_IN_FULL: Final = frozenset({"recipeInstructions", "text"})
"""Properties whose texts are read in full: steps and answers."""
_MOST_IN_FULL: Final = 1_000_000  # characters of all these of a page
_MOST_NAMES: Final = 8
_MOST_VALUES: Final = 100_000  # values that a page says, those of what it refers to every time
_DEEPEST: Final = 30

Thing = dict[str, Any]


def read(script: str) -> list[Any]:
    """The values of a script, one after the other: any JSON, but with numbers as strings.

    Comments, commas before an end, raw control characters, wrong escapes and entities are mended.
    What cannot be mended gives what stands before the fault; nothing raises. Nesting that is too
    deep for the parser is a fault. Linear in the length of the script.
    """
    text = script
    for mended in (str, _unwrapped, _repaired, _unescaped):
        text = mended(text)
        if values := _decoded(text):
            return values
    return []


def nodes(head: Head, markup: bytes) -> list[Thing]:
    """What a page declares in JSON-LD, else in microdata, as plain values; numbers as written.

    A reference (an object that has but an ``@id``) becomes what it names, unless that is around it.
    What is nested deeper than 30, or comes after 100,000 values, is None.

    Args:
        head: of the page.
        markup: the page as UTF-8 bytes.
    """
    things = objects(head) or microdata(markup)
    known, left = by_id(things), _MOST_VALUES

    def plain(value: Any, around: tuple[int, ...]) -> Any:  # noqa: ANN401 - any JSON
        nonlocal left
        left -= 1
        if not isinstance(value, dict | list):
            return valid(value) if isinstance(value, str) else value
        if len(around) == _DEEPEST or left < 0:
            return None
        if isinstance(value, dict) and value.keys() == {"@id"}:
            named = known.get(str(value["@id"]), value)
            value = value if id(named) in around else named
        around = (*around, id(value))
        if isinstance(value, list):
            return [plain(each, around) for each in value]
        return {valid(key): plain(each, around) for key, each in value.items()}

    return [thing for thing in (plain(thing, ()) for thing in things) if thing]


def objects(head: Head) -> list[Mapping[str, Any]]:
    """The objects of all JSON-LD scripts of a page in order; lists and ``@graph`` are flattened.

    Values inside an object stay as they are; `nested` walks over them. Linear in the length of the
    scripts, which are read as `read` does.
    """
    return [one for script in head.json_ld for value in read(script) for one in _flat(value)]


def nested(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    """A value, if it is an object, and all objects inside it, in document order, each once.

    In microdata one object may be several properties of another; its inside counts once, too.
    """
    waiting, seen = [value], set[int]()
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if id(here) in seen:
                continue
            seen.add(id(here))
            yield here
            waiting += reversed([each for each in here.values() if not isinstance(each, str)])
        elif isinstance(here, list):
            waiting += reversed(here)


def types(thing: Mapping[str, Any]) -> tuple[str, ...]:
    """The types of an object in lower case without their address: ``product``; also several."""
    return tuple(
        [
            _type(name)
            for name in members(thing.get("@type"))
            if isinstance(name, str) and len(name) < _LONGEST_TYPE
        ]
    )


@lru_cache(maxsize=256)
def _type(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].rpartition(":")[2].lower()


def members(value: object) -> list[Any]:
    """A value as the list that it may be or stand for, lists in it opened; null is no value."""
    if isinstance(value, str):
        return [value]
    found: list[Any] = []
    waiting = [value]
    while waiting and len(found) < _MOST_MEMBERS:
        here = waiting.pop()
        if isinstance(here, list):
            waiting += reversed(here[:_MOST_MEMBERS])
        elif isinstance(here, dict) and ("@list" in here or "@set" in here):
            waiting.append(here.get("@list", here.get("@set")))
        elif here is not None:
            found.append(here)
    return found


def by_id(things: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    """Objects by ``@id``, for values that only refer to them; of several the largest."""
    result: dict[str, Mapping[str, Any]] = {}
    for thing in nested([*things]):
        name = thing.get("@id")
        if isinstance(name, str) and len(thing) > len(result.get(name, ())):
            result[name] = thing
    return result


def _unwrapped(text: str) -> str:
    return _WRAPPING.sub(" ", text)


def _repaired(text: str) -> str:
    return _REPAIRS.sub(_repair, text)


def _repair(match: re.Match[str]) -> str:
    string = match[1]
    if string is None:
        return ""
    return _BAD_ESCAPE.sub(lambda escape: escape[1] or "", string) if "\\" in string else string


def _unescaped(text: str) -> str:
    return unescape(text) if '"' not in text[:200] else text


def _decoded(script: str) -> list[Any]:
    """The values of a script, one after the other, up to a fault."""
    values: list[Any] = []
    end = _start(script, 0)
    while end < len(script):
        try:
            value, end = _DECODER.raw_decode(script, end)
        except (ValueError, RecursionError):
            break
        values.append(value)
        end = _start(script, end)
    return values


def _start(script: str, end: int) -> int:
    between = _SEPARATORS.match(script, end)
    return between.end() if between is not None else end


def _flat(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    """The objects of a value; one that only holds a graph is no object of its own."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting += reversed(here)
        elif isinstance(here, dict):
            if "@graph" not in here or "@type" in here:
                yield here
            waiting.append(here.get("@graph"))


# --- Microdata ------------------------------------------------------------------------------------


def microdata(markup: bytes) -> list[Thing]:
    """The outermost objects that the markup of a page declares, in order; linear in its length.

    Args:
        markup: the page as UTF-8 bytes.
    """
    if not any(mark in markup for mark in _MARKS):
        return []
    table = read_pages([markup], attributes=_ATTRIBUTES)
    outermost: list[Thing] = []
    open_things: list[tuple[int, Thing]] = []
    for tag, kinds, names, value in _declared(table):
        while open_things and open_things[-1][0] < tag:
            open_things.pop()
        thing: Thing | None = {"@type": kinds} if kinds else None
        if open_things:
            for name in names:
                _add(open_things[-1][1], name, value if thing is None else thing)
        elif thing is not None:
            outermost.append(thing)
        if thing is not None:
            open_things.append((_end(table, tag), thing))
    return outermost


def _declared(table: BlockTable) -> Iterator[tuple[int, list[str], list[str], str]]:
    """Tag, types, properties and value of every tag that is an object or a property."""
    columns = [table.attribute(name) for name in _ATTRIBUTES]
    rows = [[value or "" for value in row] for row in zip(*columns, strict=True)]
    says: Bools = np.array([*(bool(row[0] or row[1]) for row in rows), False], dtype=bool)
    tags, left = table.tags, _MOST_IN_FULL
    for tag in np.flatnonzero(says[tags.bundle] & (tags.step >= 0)).tolist():
        names, kinds, content, href, moment = rows[int(tags.bundle[tag])]
        properties = names.split()[:_MOST_NAMES]
        value = content or moment or href
        if not value and tags.step[tag] > 0:
            in_full = not _IN_FULL.isdisjoint(properties)
            value = _text(table, tag, max(left, _LONGEST_TEXT) if in_full else _LONGEST_TEXT)
            left -= len(value) * in_full
        yield tag, kinds.split()[:_MOST_NAMES], properties, value


def _end(table: BlockTable, tag: int) -> int:
    """Tag with which the element ends that a tag opens; the tag itself for a void element."""
    return int(table.elements.close[table.tags.element[tag]]) if table.tags.step[tag] > 0 else tag


def _text(table: BlockTable, tag: int, longest: int) -> str:
    """How the text of an element begins, each block on a line of its own."""
    segments = table.segments
    first, after = np.searchsorted(segments.tag, (tag, _end(table, tag)))
    after = min(after, first + longest)  # a segment has a character at least
    if first == after:
        return ""
    start = int(segments.start[first])
    end = min(int(segments.end[after - 1]), start + longest)
    begins = np.flatnonzero(np.diff(table.block_of_segment[first:after])) + first + 1
    starts = [start, *(place for place in segments.start[begins].tolist() if place < end), end]
    texts = (text_of(table.chars[one:other]).split() for one, other in pairwise(starts))
    return "\n".join(map(" ".join, texts))


def _add(thing: Thing, name: str, value: str | Thing) -> None:
    if name not in thing:
        thing[name] = value
    elif isinstance(thing[name], list):
        thing[name].append(value)
    else:
        thing[name] = [thing[name], value]


# --- The graph and its main thing -----------------------------------------------------------------

Node = Mapping[str, Any]

_MOST_NODES: Final = 20_000
_MOST_THINGS: Final = 500  # nodes that the thing a page is about is chosen from
_WRITTEN: Final = 4
_THING: Final = 3
_PAGE: Final = 2
_RANKS: Final[Mapping[str, int]] = {
    **dict.fromkeys(word_list("written_types"), _WRITTEN),
    **dict.fromkeys(word_list("thing_types"), _THING),
    **dict.fromkeys(word_list("page_types"), _PAGE),
}
"""How likely a thing of each type is what its page is about; others are not."""
ORGANIZATIONS: Final = word_list("organization_types")
_SITE_TYPES: Final = frozenset({"website"})
_MAIN_OF: Final = ("mainEntity", "mainEntityOfPage", "about")
_LIKE: Final = 0.5  # least share of words in common with the page's titles


@dataclass(frozen=True, eq=False)
class Graph:
    """All that the JSON-LD of a page says."""

    roots: Sequence[Any]  # the values of all scripts

    @classmethod
    def of(cls, scripts: Sequence[str]) -> Graph:
        """Read the scripts of a page."""
        return cls([value for script in scripts for value in read(script)])

    @cached_property
    def known(self) -> Mapping[str, Node]:
        """Identifier to the node that says something of it."""
        return by_id(self.roots)

    @cached_property
    def top(self) -> Sequence[Node]:
        """The nodes that are of no other node, and what a page names as its main entity.

        They are of a script itself, of lists and of ``@graph``.
        """
        return [*self._top_nodes()]

    def _top_nodes(self) -> Iterator[Node]:
        waiting: list[object] = [*reversed(self.roots)]
        seen: set[int] = set()
        left = _MOST_NODES
        while waiting and left:
            left -= 1
            value = waiting.pop()
            if isinstance(value, list):
                waiting += reversed(value[:_MOST_NODES])
            elif isinstance(value, dict) and id(value) not in seen:
                seen.add(id(value))
                if isinstance(graph := value.get("@graph"), list | dict):
                    waiting.append(graph)
                if types(value):
                    yield value
                    waiting += reversed(self._main_of(value))

    def _main_of(self, node: Node) -> list[object]:
        """What a page, which is not a list of questions, names as its main entity."""
        if _rank(node) != _PAGE or "faqpage" in types(node):
            return []
        inner = [each for key in _MAIN_OF for each in members(node.get(key))]
        nodes = [each for each in inner if isinstance(each, dict)]
        return [self.known.get(str(each.get("@id")), each) for each in nodes]

    def resolved(self, value: object) -> Any:  # noqa: ANN401
        """A node in place of a reference to it; other values are as they are."""
        if isinstance(value, str) or not isinstance(value, dict) or value.get("name"):
            return value
        name = value.get("@id")
        return self.known.get(name, value) if isinstance(name, str) else value

    def values(self, value: object) -> Iterator[Any]:
        """The values that a value stands for, nodes in place of references, each node once."""
        seen: set[int] = set()
        for each in map(self.resolved, members(value)):
            if isinstance(each, dict):
                if id(each) in seen:  # many may refer to one that holds many
                    continue
                seen.add(id(each))
            yield each

    def text(self, value: object, key: str = "name") -> str:
        """First text of a value, or ""."""
        if value is None:
            return ""
        return clean(value) if isinstance(value, str) else next(self.each_text(value, key), "")

    def each_text(self, value: object, key: str = "name") -> Iterator[str]:
        """Texts of a value: strings, and of nodes what they hold under a key."""
        for each in self.values(value):
            several = [each] if isinstance(each, str) else []
            if isinstance(each, dict):
                several = members(each.get(key) or each.get("@value"))
            yield from filter(None, map(clean, several))

    @cached_property
    def site(self) -> Node:
        """The site that the page is of; empty where no script names it."""
        return next((node for node in self.top if _SITE_TYPES & {*types(node)}), {})

    @cached_property
    def page(self) -> Node:
        """The page itself as a thing; empty where no script names it."""
        return next((node for node in self.top if _rank(node) == _PAGE), {})

    def main(self, titles: Sequence[str], addresses: Sequence[str]) -> Node:
        """The thing that the page is about; empty where no script names it.

        Written works come before other things and these before pages. Of several, that counts which
        has the address or the title of the page; a list of things is about none of them.

        Args:
            titles: of the page, from elsewhere.
            addresses: of the page.
        """
        ranked = [(rank, node) for node in self.top if (rank := _rank(node)) > _PAGE]
        ranked = ranked[:_MOST_THINGS]
        if not ranked:
            return {}
        declared = {_address(address) for address in addresses if address}
        best = max(ranked, key=lambda pair: (self._fits(pair[1], titles, declared), pair[0]))
        if len(ranked) > 1 and not self._fits(best[1], titles, declared):
            rank = max(rank for rank, _ in ranked)
            of_rank = [node for each, node in ranked if each == rank]
            return of_rank[0] if len(of_rank) <= 2 else {}
        return best[1]

    def _fits(self, node: Node, titles: Sequence[str], addresses: set[str]) -> int:
        """Does a node have the address, 2, or the title of the page, 1."""
        if self._is_at(node, addresses):
            return 2
        title = words(self.text(node.get("headline")) or self.text(node.get("name")))
        return int(any(_likeness(title, words(other)) >= _LIKE for other in titles))

    def _is_at(self, node: Node, addresses: set[str]) -> bool:
        named = (node.get(key) for key in ("url", "@id", "mainEntityOfPage"))
        texts = (text for value in named for text in self.each_text(value, "@id"))
        return any(_address(text) in addresses for text in texts)


def is_work(node: Node) -> bool:
    """Is a node a written work."""
    return _rank(node) == _WRITTEN


def _rank(node: Node) -> int:
    return max((_RANKS.get(kind, 0) for kind in types(node)), default=0)


def _address(text: str) -> str:
    """An address for comparing: without scheme, ``www.``, query, fragment and slash at the end."""
    text = text[:2000].partition("#")[0].partition("?")[0].rstrip("/").lower()
    return letters(text.partition("://")[2].removeprefix("www.") or text)


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    if not first or not second:
        return 0.0
    return len({*first} & {*second}) / min(len({*first}), len({*second}))
