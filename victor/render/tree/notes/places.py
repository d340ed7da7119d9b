"""What the readers of footnotes ask of a page: its kept text by tag, and the blocks around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.cached import cached_property
from victor.page.parsing.tags import NAMES, PARTING, member_mask
from victor.render.tree.rows import listed
from victor.render.tree.source import Source

LABEL: Final = re.compile(r"[\[(]?\s*(\w{1,4}|[*†‡§¶※]{1,3}|[*※]\d{1,3})\s*[\])]?[.:]?\Z")
"""All of the text of a mark, and what a note may begin with."""
TITLE: Final = re.compile(
    r"\W*(?:(?:foot|end|side)?-?\s?notes?|(?:notes (?:and|&) )?references?(?: (?:and|&) notes)?"
    r"|citations|sources|bibliography|works cited|(?:fu(?:ß|ss)|end)noten|anmerkungen|quellen"
    r"|einzelnachweise|literatur|notas?(?: al pie)?|referencias|referências|références"
    r"|notes de bas de page|note(?: a piè di pagina)?|riferimenti|fonti|poznámky(?: pod čarou)?"
    r"|reference|přípisky|odkazy|literatura|przypisy|voetnoten|noten|fotnoter|примечания|сноски"
    r"|注釈|脚注|参考文献|注释)\W*\Z",
    re.IGNORECASE,
)
"""All of the text of a heading above notes."""
_RULES: Final = frozenset({"hr"})
_NAMING: Final = ("class", "role", "rel", "epub:type", "data-type", "data-component-name", "id")
_LONGEST_TITLE: Final = 60


class Extent(NamedTuple):
    """Where a note stands.

    Attributes:
        start, stop: ordinals of tags; its text follows the tags from the first up to the second.
    """

    start: int
    stop: int


def label_of(text: str) -> str:
    """The number or sign that is all of a text, "" if there is more."""
    match = LABEL.match(text.strip())
    return str(match[1]) if match else ""


class Places:
    """The kept text of a page by place.

    Args:
        source: the page.
    """

    def __init__(self, source: Source) -> None:
        self.source, self.rows = source, source.rows
        self.parts = member_mask(PARTING)
        self._paragraphs: dict[int, list[int]] = {}
        self._around: dict[frozenset[str], list[int]] = {}

    def segments(self, extent: tuple[int, int]) -> list[int]:
        """The kept segments after the tags of an extent."""
        rows, tags = self._kept
        return rows[bisect_left(tags, extent[0]) : bisect_left(tags, extent[1])]

    def first(self, extent: tuple[int, int]) -> int:
        """The first of these, -1 for none."""
        rows, tags = self._kept
        place = bisect_left(tags, extent[0])
        return rows[place] if place < len(rows) and tags[place] < extent[1] else -1

    def hold_any(self, elements: Sequence[int]) -> bool:
        """Is any kept segment in any of some elements."""
        if not elements:
            return False
        rows, tags = self.source.table.elements, np.array(self._kept[1])
        starts, stops = rows.open[elements], rows.close[elements]
        return bool((np.searchsorted(tags, starts) < np.searchsorted(tags, stops)).any())

    def before(self, tag: int) -> int:
        """The last kept segment before a tag, -1 for none."""
        rows, tags = self._kept
        place = bisect_left(tags, tag)
        return rows[place - 1] if place else -1

    def all_text(self, extent: tuple[int, int], n: int) -> str:
        """Text of the first segments after the tags of an extent, kept or not."""
        tags = self.rows.segment_tag
        first, end = bisect_left(tags, extent[0]), bisect_left(tags, extent[1])
        return self.text(range(first, min(end, first + n)))

    def is_title(self, paragraph: int) -> bool:
        """Is a paragraph a title such as Notes."""
        segments, columns = self.of_paragraph(paragraph), self.source.table.segments
        if columns.end[segments[-1]] - columns.start[segments[0]] > _LONGEST_TITLE:
            return False
        return TITLE.match(self.text(segments)) is not None

    def text(self, segments: Iterable[int]) -> str:
        """Text of some segments without what stands between."""
        return "".join(map(self.rows.text, segments))

    def extent(self, element: int) -> Extent:
        """All of an element."""
        return Extent(self.rows.open[element], self.rows.close[element])

    def name(self, element: int) -> str:
        """Name of an element."""
        return NAMES[int(self.source.table.elements.tag[element])]

    def block(self, element: int) -> int:
        """The element that parts paragraphs: this one, or the nearest around it."""
        return self._blocks[element]

    def around_named(self, names: frozenset[str]) -> Sequence[int]:
        """(E,) the innermost element of one of some names around each element, -1 for none."""
        if names not in self._around:
            self._around[names] = listed(self.source.table.elements.innermost(names))
        return self._around[names]

    def leads_away(self, segment: int) -> bool:
        """Is a segment in a link to another page."""
        anchor = int(self.source.anchors[self.rows.segment_element[segment]])
        address = self.source.of_element(anchor).get("href", "") if anchor >= 0 else ""
        return address[:1] not in ("", "#")

    def around(self, element: int, n: int) -> list[int]:
        """An element and up to n of those around it, the innermost first."""
        chain = [element]
        for _ in range(n):
            above = self.rows.parent[chain[-1]]
            if above == chain[-1]:
                break
            chain.append(above)
        return chain

    def names(self, element: int) -> str:
        """What the attributes of an element say that it is."""
        attributes = self.source.of_element(element)
        given = (attributes.get(name, "")[:200] for name in _NAMING)
        return " ".join(filter(None, given))

    def opening(self, names: frozenset[str], start: int, stop: int) -> list[int]:
        """Ordinals of the tags in an extent that open an element of one of some names."""
        tags = self.source.table.tags
        here = slice(start, stop)
        opens = member_mask(names)[tags.id[here]] & (tags.step[here] >= 0)
        return listed(np.flatnonzero(opens) + start)

    def paragraph(self, segment: int) -> int:
        """The paragraph of a kept segment."""
        return self._paragraph_of_block[self._block_of_segment[segment]]

    def starts_paragraph(self, segment: int) -> bool:
        """Is no kept text before a segment in its paragraph."""
        paragraph = self.paragraph(segment)
        return segment == next(iter(self.of_paragraph(paragraph)), -1)

    def of_paragraph(self, paragraph: int) -> Sequence[int]:
        """The segments of a paragraph."""
        if paragraph not in self._paragraphs:
            columns, starts = self.source.paragraphs, self.rows.segment_starts
            blocks = columns.blocks[columns.starts[paragraph] : columns.starts[paragraph + 1]]
            self._paragraphs[paragraph] = [
                row for block in blocks.tolist() for row in range(starts[block], starts[block + 1])
            ]
        return self._paragraphs[paragraph]

    def follows_rule_or_title(self, tag: int) -> bool:
        """Does a line, or a title such as Notes, stand between a tag and the text before it."""
        segment = self.before(tag)
        if segment < 0:
            return False
        return bool(self.opening(_RULES, self.rows.segment_tag[segment] + 1, tag)) or (
            self.follows_title(tag)
        )

    def follows_title(self, tag: int) -> bool:
        """Is the paragraph before a tag a title such as Notes."""
        segment = self.before(tag)
        return segment >= 0 and self.is_title(self.paragraph(segment))

    @cached_property
    def _kept(self) -> tuple[list[int], list[int]]:
        """The kept segments, and the tags before them."""
        rows = np.flatnonzero(self.source.paragraphs.kept_segments)
        return listed(rows), listed(self.source.table.segments.tag[rows])

    @cached_property
    def _blocks(self) -> Sequence[int]:
        return listed(self.source.table.elements.innermost(PARTING))

    @cached_property
    def _block_of_segment(self) -> Sequence[int]:
        return listed(self.source.table.block_of_segment)

    @cached_property
    def _paragraph_of_block(self) -> Sequence[int]:
        columns = self.source.paragraphs
        result = np.full(len(self.source.table), -1)
        result[columns.blocks] = np.repeat(np.arange(len(columns.pre)), np.diff(columns.starts))
        return listed(result)
