"""Labels written into the original page: what `victor.corpus.marked_html` reads.

The page keeps every byte. An element gets the attribute ``data-victor`` where its text has another
label than what surrounds it; where one element holds texts of several labels, these are put between
``<victor-mark>`` tags. Taking both out again gives the bytes there were.

Where the tags of the parser stand in the bytes is not guessed: every place that may be one is
given a number, the page is parsed with them, and the numbers that come out tell which were.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Ints
from victor.corpus.marked_html import ATTRIBUTE, WRAPPER, read_marked
from victor.corpus.pages import AnnotatedPage, canonical_table
from victor.errors import CorpusError
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.page.blocks import BlockTable
from victor.page.decode import decode
from victor.page.segment import parse_pages
from victor.page.texts import segment_texts

_VALUES: Final = (*LABEL_NAMES, "unlabelled")
_OTHER: Final = int(Label.OTHER)
_ATTRIBUTE_COST: Final = 1
_WRAPPER_COST: Final = 3
_NONE: Final = -1

_EDGES: Final = re.compile("[<>]")
_START: Final = re.compile(r"<[a-zA-Z][a-zA-Z0-9:-]*(?=[ \t\r\n\f/>])")
_TEXT: Final = re.compile(r"(?:\A|(?<=>))(?=[^<>]*[^<>\s]|<[^a-zA-Z/!?])")
_MARKUP: Final = re.compile(r"<[a-zA-Z/!?]")
_BOM: Final = b"\xef\xbb\xbf"


def mark(page: AnnotatedPage) -> bytes:
    """The bytes of a page with its labels in them.

    Raises:
        CorpusError: the page has such marks already, its labels do not fit it, or reading it would
            not give the same page and labels; it then says which page.
    """
    if ATTRIBUTE.encode() in page.html.lower() or WRAPPER.encode() in page.html.lower():
        raise CorpusError(f"page {page.id} holds marks of its own; export it in another format")
    table = canonical_table(page.html)
    if len(table.segments) != len(page.labels):
        raise CorpusError(f"page {page.id}: its labels do not fit it; see `victor annotate check`")
    marked = _marked(page, table)
    if not _reads_back(page, marked):
        raise CorpusError(
            f"page {page.id}: its markup or encoding leaves no place for marks; export it in "
            "another format"
        )
    return marked


def _reads_back(page: AnnotatedPage, marked: bytes) -> bool:
    try:
        found = read_marked(page.id, marked)
    except CorpusError:
        return False
    return found.html == page.html and np.array_equal(found.labels, page.labels)


def _marked(page: AnnotatedPage, table: BlockTable) -> bytes:
    """The page with marks, right or not."""
    source = _Source.of(page.html)
    columns = np.where(page.labels == UNLABELLED, len(Label), page.labels).astype(np.int64)
    places = source.start_tags(table)
    chosen = _choose(table, columns, places != _NONE)
    inserts = [
        (source.after_name[places[element]], f' {ATTRIBUTE}="{_VALUES[value]}"')
        for element, value in enumerate(chosen.tolist())
        if value != _NONE
    ]
    inherited = _inherited(table, chosen)[table.segment_element]
    wrapped = np.flatnonzero(inherited != columns).tolist()
    if wrapped:
        extents = source.text_places(table)
        for number in (number for number in wrapped if number in extents):
            first, last = extents[number]
            inserts.append((first, f'<{WRAPPER} {ATTRIBUTE}="{_VALUES[columns[number]]}">'))
            inserts.append((last, f"</{WRAPPER}>"))
    return _inserted(page.html, inserts)


def _choose(table: BlockTable, columns: Ints, markable: NDArray[np.bool_]) -> Ints:
    """(E,) mark of every element or -1, so that the fewest marks are needed.

    Args:
        table: the page cut at every tag.
        columns: (S,) wanted label of each segment, as an index of `_VALUES`.
        markable: (E,) can the element be given an attribute.

    From the leaves to the root: the cost of an element whose label is m is what it takes to wrap
    its own texts of other labels, and the costs of the elements in it when they inherit m; whatever
    it inherits, it may have a label of its own for one more attribute.
    """
    elements = table.elements
    costs = np.zeros((len(elements), len(_VALUES)))
    for value in range(len(_VALUES)):
        wrong = table.segment_element[columns != value]
        costs[:, value] = _WRAPPER_COST * np.bincount(wrong, minlength=len(elements))
    levels = _levels(elements.depth)
    for level in levels[:0:-1]:
        best = costs[level].min(axis=1, keepdims=True) + _ATTRIBUTE_COST
        best[~markable[level]] = np.inf
        np.add.at(costs, elements.parent[level], np.minimum(costs[level], best))
    chosen = np.full(len(elements), _NONE, dtype=np.int64)
    label = np.full(len(elements), _OTHER, dtype=np.int64)
    for level in levels[1:]:
        around = label[elements.parent[level]]
        best = costs[level].argmin(axis=1)
        own = np.arange(len(level))
        pays = costs[level][own, best] + _ATTRIBUTE_COST < costs[level][own, around]
        pays &= markable[level]
        chosen[level[pays]] = best[pays]
        label[level] = np.where(pays, best, around)
    return chosen


def _levels(depth: Ints) -> list[Ints]:
    """The elements of every depth, from the root down."""
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)


def _inherited(table: BlockTable, chosen: Ints) -> Ints:
    """(E,) the label of every element: that of the nearest mark around it."""
    label = np.full(len(chosen), _OTHER, dtype=np.int64)
    for level in _levels(table.elements.depth)[1:]:
        around = label[table.elements.parent[level]]
        label[level] = np.where(chosen[level] != _NONE, chosen[level], around)
    return label


class _Source(NamedTuple):
    """A page as text, and where the places of the text are in its bytes.

    Attributes:
        text: the decoded page.
        starts: where something stands in the text that looks like a start tag.
        after_name: place in the bytes just behind the name of each.
        texts: where, in the text, something begins that looks like text behind a tag.
        extents: from there to the next tag, in the bytes.
    """

    text: str
    starts: list[re.Match[str]]
    after_name: list[int]
    texts: list[int]
    extents: list[tuple[int, int]]

    @classmethod
    def of(cls, html: bytes) -> _Source:
        """The places in a page; none where its encoding hides what tags begin and end with."""
        text = decode(html).text
        edges = [match.start() for match in _EDGES.finditer(text)]
        in_bytes = [match.start() for match in re.finditer(rb"[<>]", html)]
        if len(edges) != len(in_bytes):
            return cls(text, [], [], [], [])
        place = dict(zip(edges, in_bytes, strict=True))
        starts = [*_START.finditer(text)]
        texts = [match.start() for match in _TEXT.finditer(text)]
        begin = len(_BOM) if html.startswith(_BOM) else 0
        tags = np.array([*(match.start() for match in _MARKUP.finditer(text)), len(text)])
        ends = tags[np.searchsorted(tags, texts)].tolist()
        return cls(
            text,
            starts,
            [place[match.start()] + match.end() - match.start() for match in starts],
            texts,
            [
                (place[first - 1] + 1 if first else begin, place.get(last, len(html)))
                for first, last in zip(texts, ends, strict=True)
            ],
        )

    def start_tags(self, table: BlockTable) -> Ints:
        """(E,) number of the start tag of every element, -1 where it cannot be told."""
        numbered = _inserted_text(
            self.text,
            [(tag.end(), f' {ATTRIBUTE}="{n}"') for n, tag in enumerate(self.starts)],
        )
        probe = parse_pages([numbered], "tag", attributes=(ATTRIBUTE,))
        if not np.array_equal(probe.tags.id, table.tags.id):
            return np.full(len(table.elements), _NONE, dtype=np.int64)
        number = np.array([*(int(value or _NONE) for (value,) in probe.bundles), _NONE])
        return np.asarray(number[probe.elements.bundle], dtype=np.int64)

    def text_places(self, table: BlockTable) -> dict[int, tuple[int, int]]:
        """Where segments of the page begin and end in the bytes; unknown ones are left out."""
        sign = _unused(self.text)
        numbered = _inserted_text(
            self.text, [(place, f"{sign}{n}{sign}") for n, place in enumerate(self.texts)]
        )
        probe = parse_pages([numbered], "tag")
        if not np.array_equal(probe.tags.id, table.tags.id):
            return {}
        # What counts as white space here may have become text, so segments go by their tags.
        number_of = {tag: number for number, tag in enumerate(table.segments.tag.tolist())}
        found = {}
        for tag, text in zip(probe.segments.tag.tolist(), segment_texts(probe), strict=True):
            numbers = re.findall(f"{sign}([0-9]+){sign}", text)
            if numbers and tag in number_of:
                first, last = self.extents[int(numbers[0])], self.extents[int(numbers[-1])]
                found[number_of[tag]] = first[0], last[1]
        return found


def _unused(text: str) -> str:
    """A word that the text does not hold."""
    sign = "q"
    while sign in text:
        sign += "xq"
    return sign


def _inserted_text(text: str, inserts: Sequence[tuple[int, str]]) -> str:
    """A text with more text at some places, given in order."""
    bounds = [0, *(place for place, _ in inserts)]
    parts = [text[a:b] + new for a, b, (_, new) in zip(bounds, bounds[1:], inserts, strict=False)]
    return "".join(parts) + text[bounds[-1] :]


def _inserted(html: bytes, inserts: list[tuple[int, str]]) -> bytes:
    """A page with ASCII text at some places of its bytes."""
    # Where a wrapper ends and another begins, they are in this order already.
    inserts = sorted(inserts, key=lambda insert: insert[0])
    bounds = [0, *(place for place, _ in inserts)]
    parts = [
        html[a:b] + new.encode()
        for a, b, (_, new) in zip(bounds, bounds[1:], inserts, strict=False)
    ]
    return b"".join(parts) + html[bounds[-1] :]
