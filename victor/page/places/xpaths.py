"""The way back from a block to its page: an XPath in other people's trees.

Browsers and libxml2 make different trees of one page: rows get a ``tbody`` or not, unclosed
formatting is cloned or not, ``</p>`` alone is an empty paragraph or nothing. What they agree on is
the order of start tags and of texts. So an XPath counts elements of one name, and texts, in the
order of the document from an element with an ``id`` on, and never goes down child by child.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.lazy import cached_property
from victor.page.parsing.tags import BLOCK_LEVEL, HEADINGS, IDS, SHADOW_ROOT, roles_of
from victor.page.places.outline import Outline
from victor.page.table.blocks import BlockTable

_SIDES: Final = ("left", "right")
_PLAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]*\Z")
_PLAIN_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
_FIRM: Final = frozenset({"div", "td", "th"})
"""Elements that hold the same in libxml2 and in browsers, whatever is not closed inside."""
_UNNAMED: Final = frozenset({"math", "noscript", "form", "option", "optgroup"})
"""Elements of another name space, or that browsers leave out or end elsewhere."""
_TABLE_PARTS: Final = {
    "caption": ("table",),
    "tbody": ("table",),
    "thead": ("table",),
    "tfoot": ("table",),
    "tr": ("table", "tbody", "thead", "tfoot"),
    "td": ("tr",),
    "th": ("tr",),
}
"""Where parts of tables stand, the outer ones first; elsewhere browsers leave them out."""
_CONTAINERS: Final = frozenset(
    "article aside blockquote center details dl dir div fieldset figure footer form header main "
    "menu nav ol section select span a table ul".split()
)
"""Elements that hold others and whose end tag must be written."""
_BLOCKS: Final = (BLOCK_LEVEL | _CONTAINERS) - {"a", "span"}
_ROLES: Final = roles_of(_BLOCKS, _CONTAINERS, frozenset(HEADINGS), frozenset({"p"}))
"""What each tag is, as core/markup/nesting.h has it."""
_DOCTYPE: Final = re.compile(
    rb"""<!doctype\s++html(?:(?P<standard>
        \s*+> | [^>]*(?:XHTML\ 1|HTML\ 4\.01//|<!doctype\s++html\s*+>)
        | (?>[^>]*?HTML\ 4\.01\ Trans)[^>]*http
    ) | [^>]*+)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A document type, and whether it is one of standards mode; of any other nothing is read twice."""
_HEAD: Final = 4096  # bytes in which the document type stands, if the page has one


class Nesting(NamedTuple):
    """What of a page libxml2 and browsers make different trees of.

    Both follow the author where tags are closed in order. This is a look at the tags alone: one in
    a comment or a script counts, too, so a page may be taken for worse than it is, never for
    better.
    """

    in_order: bool  # all elements that need an end tag have one, in order
    shaky_headings: frozenset[str]
    """Names of headings (``h1`` to ``h6``) of which one holds another block, so that only
    libxml2 ends it there."""
    tables_in_paragraphs: bool  # a ``table`` does not end a ``p`` in browsers (quirks mode)
    stray_paragraph_ends: bool
    """There is a ``</p>`` of no ``<p>``, which is an empty paragraph in browsers."""

    @classmethod
    def of(cls, markup: bytes) -> Nesting:
        """Look at a page given as UTF-8 bytes."""
        in_order, stray_end, shaky = core.compiled.markup_nesting(markup, _ROLES)
        return cls(
            in_order=bool(in_order),
            shaky_headings=frozenset(name for name in HEADINGS if shaky[IDS[name]]),
            tables_in_paragraphs=not any(
                each["standard"] for each in _DOCTYPE.finditer(markup[:_HEAD])
            ),
            stray_paragraph_ends=bool(stray_end),
        )


class Places:
    """Places of all n blocks of a page.

    Args:
        table: the blocks.
        page: number of the page.
        markup: its UTF-8 bytes.

    Raises:
        ConfigError: the table was not made from this markup.
    """

    def __init__(self, table: BlockTable, page: int, markup: bytes) -> None:
        outline = Outline.of_page(table, page, markup)
        root, of_page = table.elements_of(page).start, table.tags_of(page)
        blocks = slice(int(table.page_starts[page]), int(table.page_starts[page + 1]))
        self._containers = outline.of_table[table.container[blocks] - root].data
        starts = table.segment_starts[blocks.start : blocks.stop + 1]
        tags = table.segments.tag[starts[0] : starts[-1]] - of_page.start
        has_same_tags = of_page.stop - of_page.start == outline.n_tags
        shown = np.flatnonzero((outline.text_outer < 0) & has_same_tags)
        first, end = (np.searchsorted(outline.text_tag[shown], tags, side) for side in _SIDES)
        self._starts = prefix_sums(end - first)[starts - starts[0]].data
        is_of_block = np.zeros(of_page.stop - of_page.start, dtype=bool)
        is_of_block[tags] = True
        of_blocks = shown[is_of_block[outline.text_tag[shown]]]
        self._texts = of_blocks.data
        self._paths = _Paths(outline, of_blocks, Nesting.of(markup))

    @cached_property
    def xpaths(self) -> list[str]:
        """(n,) XPath of every block, as `xpath`."""
        return [*map(self.xpath, range(len(self._containers)))]

    def xpath(self, number: int) -> str:
        """XPath 1.0 that selects one block alone; of a few it takes less time than of all.

        It does so in the tree of libxml2 and in a browser that runs no scripts. It selects the
        element whose text is that of the block, else the text nodes of the block. Of a line of
        some text node, and of a block in a shadow root, it selects the element around it.
        """
        texts = self._texts[self._starts[number] : self._starts[number + 1]]
        return self._paths.of_block(self._containers[number], texts)


class _Paths:
    def __init__(self, page: Outline, of_blocks: Ints, nesting: Nesting) -> None:
        self._page = page
        self._nesting = nesting
        counts = page.text_outer >= 0
        self._hidden_texts: list[int] = np.flatnonzero(counts).tolist()
        counts[of_blocks] = True
        n_before = prefix_sums(counts)
        self._n_texts = (n_before[page.end] - n_before[page.first]).data
        self._name, self._first_text = page.name.data, page.first.data
        self._elements: dict[int, str] = {}
        self._counts: dict[int, _Count] = {}
        row = np.arange(len(page.name))
        is_root, is_firm = page.parent == row, page.is_named(_FIRM.__contains__)
        begins = is_firm & _has_own_id(page) & (page.outer < 0)
        is_of_body = is_firm | is_root | page.is_named("body".__eq__)
        fits = np.concatenate([begins, is_of_body, is_root | _can_name(page)])
        own = np.where(fits, np.tile(row, 3), -1)
        nearest = core.array(core.compiled.handed_down(page.parent, own, False), np.int64)
        self._anchor, self._firm, self._named = (each.data for each in nearest.reshape(3, -1))

    def of_block(self, container: int, texts: Sequence[int]) -> str:
        """XPath of a block.

        Args:
            container: element around it.
            texts: its text nodes, ascending; none where they are not known.
        """
        around = self._named[max(container, 0)]
        is_all = self._n_texts[around] == len(texts) and self._is_sound(around)
        if is_all or not texts:
            return self.element(around)
        return self._texts(self._firm[around], texts[0], texts[-1])

    def _is_sound(self, element: int) -> bool:
        """Do browsers count and fill an element as libxml2 does."""
        name = self._page.names[self._name[element]]
        if name == "p":
            anchor, shaky = self._anchor[element], self._shaky_paragraphs
            return bisect_right(shaky, anchor) == bisect_right(shaky, element)
        return name not in self._nesting.shaky_headings

    @cached_property
    def _shaky_paragraphs(self) -> list[int]:
        """Paragraphs that hold block-level elements, which only one of the parsers lets them."""
        page, paragraphs = self._page, self._page.named("p")
        n_blocks = prefix_sums(page.is_named(BLOCK_LEVEL.__contains__))
        around, heads = page.parent[paragraphs], page.named("head")
        head_end = page.last[heads[0]] if len(heads) else -1  # what belongs into it comes first
        behind = page.last[paragraphs] + 1
        shaky = (n_blocks[behind] > n_blocks[paragraphs + 1]) | (around <= head_end)
        if self._nesting.tables_in_paragraphs:
            is_table = np.append(page.is_named("table".__eq__), False)
            parent = np.append(page.parent, -1)
            shaky |= is_table[behind] & (parent[behind] == around)
        chosen: list[int] = paragraphs[shaky].tolist()
        return chosen

    def element(self, element: int) -> str:
        """XPath of an element."""
        if element not in self._elements:
            self._elements[element] = self._counted(element)
        return self._elements[element]

    def _counted(self, element: int) -> str:
        anchor, number = self._anchor[element], self._name[element]
        if anchor == element:
            return self._at(element)
        here = self._counting(number)
        n_before = here.before(element + 1) - here.before(anchor + 1)
        step = self._page.names[number] + here.predicate(anchor, element)
        if anchor < 0:
            return f"(//{step})[{n_before}]"
        return self._after(self._at(anchor), step, str(n_before))

    def _at(self, element: int) -> str:
        """XPath of an element that has an ``id`` to begin at."""
        return f"//*[@id='{self._page.ids[self._page.id[element]]}']"

    def _after(self, start: str, step: str, which: str) -> str:
        """XPath of some of the nodes inside an element, or behind its start."""
        if self._nesting.in_order:
            return f"({start}//{step})[{which}]"
        return f"({start}//{step}|{start}/following::{step})[{which}]"

    def _texts(self, around: int, first: int, last: int) -> str:
        """XPath of the texts from one to another inside an element.

        Browsers move into ``body`` what does not belong into ``head``, so inside these the texts
        are counted from the start of the page.
        """
        in_firm = self._page.names[self._name[around]] in _FIRM
        start, hidden = self._first_text[around] if in_firm else 0, self._hidden_texts
        step, skipped = "text()[normalize-space()]", bisect_left(hidden, start)
        if bisect_left(hidden, last) > skipped:
            first -= bisect_left(hidden, first) - skipped
            last -= bisect_left(hidden, last) - skipped
            step += f"[not({self._hiding})]"
        first, last = first - start + 1, last - start + 1
        which = str(first) if first == last else f"position()>={first} and position()<={last}"
        if not in_firm:
            return f"(//{step})[{which}]"
        return self._after(self.element(around), step, which)

    @cached_property
    def _hiding(self) -> str:
        """Condition that is true inside the hidden elements of the page."""
        page = self._page
        has_formulas = bool((page.outer[page.named("script")] < 0).any())
        return _inside(self._names_of(page.text_outer), with_formulas=has_formulas)

    def _names_of(self, elements: Ints) -> set[str]:
        """The names of some elements; -1 is none."""
        numbers = self._page.name[elements[elements >= 0]]
        return {self._page.names[number] for number in np.unique(numbers).tolist()}

    def _counting(self, number: int) -> _Count:
        if number not in self._counts:
            page, name = self._page, self._page.names[number]
            elements = np.flatnonzero(page.name == number)
            only_full = name == "p" and self._nesting.stray_paragraph_ends
            if only_full:
                elements = elements[page.first[elements] < page.end[elements]]
            outer = page.outer[elements]
            counted = outer < 0
            if name in BLOCK_LEVEL:  # browsers end a drawing before a block, or take it for one
                counted |= page.is_named("svg".__eq__)[outer]
            self._counts[number] = _Count(
                elements[counted].tolist(),
                elements[~counted].tolist(),
                "[normalize-space()]" if only_full else "",
                f"[not({_inside(self._names_of(outer[~counted]), with_formulas=False)})]",
            )
        return self._counts[number]


def _has_own_id(page: Outline) -> Bools:
    """(E,) has each element an ``id`` that no other has and that XPath can quote."""
    counts = np.bincount(page.id[page.id >= 0], minlength=len(page.ids)).tolist()
    pairs = zip(page.ids, counts, strict=True)
    is_own = [n == 1 and _PLAIN_ID.match(value) is not None for value, n in pairs]
    return np.array([*is_own, False], dtype=bool)[page.id]


def _can_name(page: Outline) -> Bools:
    """(E,) can XPath name each element in any tree: parts of tables where all around them are."""
    can = page.is_named(lambda name: name not in _UNNAMED and _PLAIN_NAME.match(name))
    for name, around in _TABLE_PARTS.items():
        if name in page.names:
            parts = page.named(name)
            parents = page.parent[parts]
            can[parts] = can[parents] & page.is_named(around.__contains__)[parents]
    return can & (page.outer < 0)


class _Count(NamedTuple):
    """How elements of one name are counted."""

    elements: list[int]
    dropped: list[int]
    always: str
    if_dropped: str

    def before(self, element: int) -> int:
        """How many of them come before an element."""
        return bisect_left(self.elements, element)

    def predicate(self, after: int, until: int) -> str:
        """What to write behind the name to count those between two elements."""
        hides = bisect_right(self.dropped, after) < bisect_right(self.dropped, until)
        return self.always + (self.if_dropped if hides else "")


_SPECIAL: Final = {
    # Browsers put drawings in a name space of their own.
    "svg": "*[local-name()='svg']",
    # Scripts that hold the source of a formula are not dropped.
    "script": "script[not(starts-with(@type,'math/tex'))]",
    SHADOW_ROOT: "template",
}


def _inside(names: set[str], *, with_formulas: bool) -> str:
    """Condition for what stands in an element of one of some names."""
    tests = dict.fromkeys(
        name if name == "script" and not with_formulas else _SPECIAL.get(name, name)
        for name in sorted(names)
    )
    return " or ".join(f"ancestor::{test}" for test in tests)
