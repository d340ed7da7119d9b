"""The way back from a block to its page: an XPath in other people's trees.

Browsers and libxml2 make different trees of one page: rows get a ``tbody`` or not, unclosed
formatting is cloned or not, ``</p>`` alone is an empty paragraph or nothing. What they agree on is
the order of start tags and of texts. So an XPath counts elements of one name, and texts, in the
order of the document from an element with an ``id`` on, and never goes down child by child.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.lazy import cached_property
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import Kind
from victor.page.parsing.tags import BLOCK_LEVEL, HEADINGS, SHADOW_ROOT
from victor.page.table.blocks import BlockTable

_BLANK: Final = " \t\r\n"  # white space in XPath 1.0
_PLAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]*\Z")
_PLAIN_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
_FIRM: Final = frozenset({"div", "td", "th"})
"""Elements that hold the same in libxml2 and in browsers, whatever is not closed inside."""
_UNNAMED: Final = frozenset({"math", "noscript", "form", "option", "optgroup"})
"""Elements of another name space, or that browsers leave out or end elsewhere."""
_TABLE_PARTS: Final = {
    "td": ("tr",),
    "th": ("tr",),
    "tr": ("table", "tbody", "thead", "tfoot"),
    "tbody": ("table",),
    "thead": ("table",),
    "tfoot": ("table",),
    "caption": ("table",),
}
"""Where parts of tables stand; elsewhere browsers leave them out."""
_CONTAINERS: Final = frozenset(
    "article aside blockquote center details dl dir div fieldset figure footer form header main "
    "menu nav ol section select span a table ul".split()
)
"""Elements that hold others and whose end tag must be written."""
_INLINE: Final = frozenset({b"a", b"span"})
_CONTAINER_TAGS: Final = frozenset(name.encode() for name in _CONTAINERS)
_HEADING_TAGS: Final = frozenset(name.encode() for name in HEADINGS)
_ALL: Final = tuple(sorted(name.encode() for name in BLOCK_LEVEL | _CONTAINERS))
_ROLES: Final = np.array(
    [
        (name in _INLINE)
        + 2 * (name in _CONTAINER_TAGS)
        + 4 * (name in _HEADING_TAGS)
        + 8 * (name == b"p")
        for name in _ALL
    ],
    dtype=np.uint8,
)
"""What each of them is, as the core reads it."""
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
        in_order, stray_end, shaky = core.compiled.markup_nesting(markup, _ALL, _ROLES)
        return cls(
            in_order=bool(in_order),
            shaky_headings=frozenset(name.decode() for name in shaky),
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
        elements: of the page, by `MarkupElements.of_page`.
        markup: its UTF-8 bytes.
    """

    def __init__(
        self, table: BlockTable, page: int, elements: MarkupElements, markup: bytes
    ) -> None:
        texts = _Texts.of(elements)
        root, of_page = table.elements_of(page).start, table.tags_of(page)
        n_tags = of_page.stop - of_page.start
        blocks = slice(int(table.page_starts[page]), int(table.page_starts[page + 1]))
        self._containers = elements.of_table[table.container[blocks] - root].tolist()
        starts = table.segment_starts[blocks.start : blocks.stop + 1]
        segment_tags = table.segments.tag[starts[0] : starts[-1]] - of_page.start
        shown = np.flatnonzero((texts.tag >= 0) & (n_tags == elements.record.n_tags))
        tags = texts.tag[shown]
        self._starts = (starts - starts[0]).tolist()
        self._first = np.searchsorted(tags, segment_tags).tolist()
        self._end = np.searchsorted(tags, segment_tags, side="right").tolist()
        self._nodes = shown.tolist()
        is_of_block = np.zeros(n_tags, dtype=bool)
        is_of_block[segment_tags] = True
        self._paths = _Paths(elements, texts, shown[is_of_block[tags]], Nesting.of(markup))

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
        segments = range(self._starts[number], self._starts[number + 1])
        texts = [text for s in segments for text in self._nodes[self._first[s] : self._end[s]]]
        return self._paths.of_block(self._containers[number], texts)


class _Texts(NamedTuple):
    """The X text nodes of a page in the tree of libxml2, but nothing stands in void elements.

    Those that are empty or hold nothing but space, tab and newline are left out: XPath leaves them
    out by ``[normalize-space()]``. The content of shadow roots is dropped, too: it is in no
    document of a browser.

    Attributes:
        first, end: (E,) int64; the text nodes inside each element are ``first:end``.
        after: (X,) int64 last element that begins before each.
        tag: (X,) int64 ordinal on the page of the tag before each; -1 in dropped elements.
        dropped: (E,) bool; is each element dropped before blocks are cut, or inside one that is.
    """

    first: Ints
    end: Ints
    after: Ints
    tag: Ints
    dropped: Bools

    @classmethod
    def of(cls, elements: MarkupElements) -> _Texts:
        """Those among some elements."""
        record, items = elements.record, _text_nodes(elements)
        first, end = (np.searchsorted(items, tags) for tags in (elements.start, elements.end))
        after = np.searchsorted(elements.start, items) - 1
        dropped = elements.dropped.copy()
        tag = np.where(record.dropped[items], -1, record.tag[items])
        for root in [row for row, name in enumerate(elements.names) if name == SHADOW_ROOT]:
            tag[first[root] : end[root]] = -1
            dropped[root : elements.last[root] + 1] = True
        return cls(first, end, after, tag, dropped)


def _text_nodes(elements: MarkupElements) -> Ints:
    """(X,) items that text nodes begin with, blanks left out; a document type ends none."""
    kind = elements.record.kind
    is_text = kind == Kind.TEXT
    node = np.cumsum(~is_text & (kind != Kind.DOCTYPE))
    solid = [text.strip(_BLANK) != "" for text in compress(elements.record.texts, is_text.tolist())]
    items = np.flatnonzero(is_text)[np.array(solid, dtype=bool)]
    return np.asarray(items[np.unique(node[items], return_index=True)[1]])


class _Paths:
    def __init__(
        self, elements: MarkupElements, texts: _Texts, of_blocks: Ints, nesting: Nesting
    ) -> None:
        self._page = elements
        self._nesting = nesting
        visible = texts.tag < 0
        self._dropped_texts: list[int] = np.flatnonzero(visible).tolist()
        visible[of_blocks] = True
        self._n_visible: list[int] = prefix_sums(visible).tolist()
        self._parent: list[int] = elements.parent.tolist()
        self._first_text: list[int] = texts.first.tolist()
        self._end_text: list[int] = texts.end.tolist()
        self._dropped: list[bool] = texts.dropped.tolist()
        self._text_after: list[int] = texts.after.tolist()
        self._ids = dict(elements.valued("id"))
        self._count_of_id = Counter(self._ids.values())
        self._anchors: dict[int, int] = {}
        self._firm: dict[int, int] = {}
        self._named: dict[int, int] = {}
        self._elements: dict[int, str] = {}

    def of_block(self, container: int, texts: Sequence[int]) -> str:
        """XPath of a block.

        Args:
            container: element around it.
            texts: its text nodes, ascending; none where they are not known.
        """
        around = self._named_around(max(container, 0))
        is_all = self._visible_inside(around) == len(texts) and self._is_sound(around)
        if is_all or not texts:
            return self.element(around)
        return self._texts(self._firm_around(around), texts[0], texts[-1])

    def _nearest(self, element: int, fits: Callable[[int], bool], known: dict[int, int]) -> int:
        """An element if it fits, else the nearest around it that does, or the root.

        Args:
            element: where to begin.
            fits: does an element.
            known: what was found before; the answer is put there for all that is looked at.
        """
        if element in known:
            return known[element]
        passed = [element]
        while element not in known and self._parent[element] >= 0 and not fits(element):
            element = self._parent[element]
            passed.append(element)
        result = known.get(element, element)
        known.update(dict.fromkeys(passed, result))
        return result

    def _is_sound(self, element: int) -> bool:
        """Do browsers count and fill an element as libxml2 does."""
        name = self._page.names[element]
        if name == "p":
            anchor, shaky = self._anchor(element), self._shaky_paragraphs
            return bisect_right(shaky, anchor) == bisect_right(shaky, element)
        return name not in self._nesting.shaky_headings

    @cached_property
    def _shaky_paragraphs(self) -> list[int]:
        """Paragraphs that hold block-level elements, which only one of the parsers lets them."""
        names, parent, shaky = self._page.names, self._parent, set[int]()
        for paragraph in self._by_name["p"]:
            inside = names[paragraph + 1 : int(self._page.last[paragraph]) + 1]
            if self._in_head(parent[paragraph]) or not BLOCK_LEVEL.isdisjoint(inside):
                shaky.add(paragraph)
        for table in self._by_name["table"] if self._nesting.tables_in_paragraphs else ():
            before = table - 1  # or what it stands in: the last child before the table
            while before > parent[table] and parent[before] != parent[table]:
                before = parent[before]
            if before > parent[table] and names[before] == "p":
                shaky.add(before)
        return sorted(shaky)

    def _in_head(self, element: int) -> bool:
        """Is an element one of the first of a page that belong into its ``head``."""
        return 0 <= element <= self._head_end

    @cached_property
    def _head_end(self) -> int:
        """The last element inside ``head``, -1 if there is none."""
        heads = self._by_name["head"]
        return int(self._page.last[heads[0]]) if heads else -1

    def _firm_around(self, element: int) -> int:
        """An element if it is firm, else the nearest firm one or ``body`` around it."""
        names = self._page.names
        return self._nearest(
            element, lambda each: names[each] in _FIRM or names[each] == "body", self._firm
        )

    def element(self, element: int) -> str:
        """XPath of an element."""
        if element not in self._elements:
            self._elements[element] = self._counted(element)
        return self._elements[element]

    def _counted(self, element: int) -> str:
        anchor, name = self._anchor(element), self._page.names[element]
        if anchor == element:
            return f"//*[@id='{self._ids[element]}']"
        here = self._counting(name)
        number = here.before(element + 1) - here.before(anchor + 1)
        step = name + here.predicate(anchor, element)
        if anchor < 0:
            return f"(//{step})[{number}]"
        return self._after(f"//*[@id='{self._ids[anchor]}']", step, str(number))

    def _after(self, start: str, step: str, which: str) -> str:
        """XPath of some of the nodes inside an element, or behind its start."""
        if self._nesting.in_order:
            return f"({start}//{step})[{which}]"
        return f"({start}//{step}|{start}/following::{step})[{which}]"

    def _visible_inside(self, element: int) -> int:
        """How many text nodes an element holds that are of a block or of a dropped element."""
        first, end = self._first_text[element], self._end_text[element]
        return self._n_visible[end] - self._n_visible[first]

    def _texts(self, around: int, first: int, last: int) -> str:
        """XPath of the texts from one to another inside an element.

        Browsers move into ``body`` what does not belong into ``head``, so inside these the texts
        are counted from the start of the page.
        """
        in_firm = self._page.names[around] in _FIRM
        start, dropped = self._first_text[around] if in_firm else 0, self._dropped_texts
        step, skipped = "text()[normalize-space()]", bisect_left(dropped, start)
        if bisect_left(dropped, last) > skipped:
            first -= bisect_left(dropped, first) - skipped
            last -= bisect_left(dropped, last) - skipped
            step += f"[not({self._droppers})]"
        first, last = first - start + 1, last - start + 1
        which = str(first) if first == last else f"position()>={first} and position()<={last}"
        if not in_firm:
            return f"(//{step})[{which}]"
        return self._after(self.element(around), step, which)

    def _named_around(self, element: int) -> int:
        """An element if XPath can name it in any tree, else the nearest such one around it."""
        return self._nearest(element, self._can_name, self._named)

    def _can_name(self, element: int) -> bool:
        """Can XPath name an element in any tree: parts of tables where all around them are."""
        name, above = self._page.names[element], self._parent[element]
        while above >= 0 and name in _TABLE_PARTS:
            parent = self._page.names[above]
            if parent not in _TABLE_PARTS[name]:
                return False
            name, above = parent, self._parent[above]
        is_plain = name not in _UNNAMED and _PLAIN_NAME.match(name) is not None
        return is_plain and name not in _TABLE_PARTS and not self._dropped[element]

    def _anchor(self, element: int) -> int:
        """The nearest element with an ``id`` to begin at, the element or around it; -1 for none."""
        nearest = self._nearest(element, self._can_begin, self._anchors)
        is_root = self._parent[nearest] < 0
        return -1 if is_root and not self._can_begin(nearest) else nearest

    def _can_begin(self, element: int) -> bool:
        """Has an element an ``id`` that paths may begin at."""
        value = self._ids.get(element, "")
        is_alone = value != "" and self._count_of_id[value] == 1
        is_firm = is_alone and self._page.names[element] in _FIRM and not self._dropped[element]
        return is_firm and _PLAIN_ID.match(value) is not None

    @cached_property
    def _droppers(self) -> str:
        """Condition that is true inside the dropped elements of the page."""
        outer = {
            self._outer_dropped.get(self._text_after[text], "") for text in self._dropped_texts
        }
        return _inside(outer, with_formulas=self._has_formulas)

    @cached_property
    def _has_formulas(self) -> bool:
        return any(not self._dropped[script] for script in self._by_name["script"])

    @cached_property
    def _outer_dropped(self) -> dict[int, str]:
        """Name of the outermost dropped element around each element that is dropped."""
        outer: dict[int, str] = {}
        for element in compress(range(len(self._page)), self._dropped):
            outer[element] = outer.get(self._parent[element]) or self._page.names[element]
        return outer

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        by_name: dict[str, list[int]] = defaultdict(list)
        for element, name in enumerate(self._page.names):
            by_name[name].append(element)
        return by_name

    @cached_property
    def _counts(self) -> dict[str, _Count]:
        return {}

    def _counting(self, name: str) -> _Count:
        if name not in self._counts:
            elements = self._by_name[name]
            only_full = name == "p" and self._nesting.stray_paragraph_ends
            if only_full:
                elements = [e for e in elements if self._first_text[e] < self._end_text[e]]
            # Browsers end a drawing before a block, or take it for a block inside.
            drawn = "svg" if name in BLOCK_LEVEL else ""
            around = [self._outer_dropped.get(e, "") for e in elements]
            self._counts[name] = _Count(
                [e for e, outer in zip(elements, around, strict=True) if outer in ("", drawn)],
                [e for e, outer in zip(elements, around, strict=True) if outer not in ("", drawn)],
                "[normalize-space()]" if only_full else "",
                f"[not({_inside({*around} - {'', drawn}, with_formulas=False)})]",
            )
        return self._counts[name]


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
