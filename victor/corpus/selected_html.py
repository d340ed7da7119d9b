"""Labels from pages on which annotators selected elements: ``cc-select="true"``.

All text inside a selected element is content, whatever its descendants say; all other text is not.
The annotation tool ran in a browser and left more behind, which a model must not read: identifiers
on elements, the class ``mark-selected``, empty ``style`` attributes on what the pointer touched,
and wrappers around text that shares its element with other elements. Reading takes all of it out.

Source: WebMainBench, the pages of Liu et al. (2025), Dripper.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from victor.arrays import Chars, Labels, prefix_sums
from victor.corpus.pages import AnnotatedPage, annotate, segment_places
from victor.errors import PageError
from victor.labels import UNLABELLED, Label
from victor.page.blocks import BlockTable, Split
from victor.page.characters import JOINER, SPACE, class_table
from victor.page.decode import utf8
from victor.page.events import record
from victor.page.segment import segment
from victor.page.texts import segment_texts, text_of

SELECTION: Final = "cc-select"
_IDENTIFIERS: Final = ("_item_id", "data-anno-uid")
_CLASS: Final = "mark-selected"
_MARKS: Final = (SELECTION, *_IDENTIFIERS, "class", "style")
_HIDDEN: Final = UNLABELLED - 1
"""Text that the browser did not show, in the labels of elements only."""

# Possessive, and ended by the end of the page: no part of a page is read twice.
_TAG: Final = re.compile(
    rb"""</?[a-z](?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+(?:>|\Z)""", re.IGNORECASE
)
_TRACE: Final = re.compile(rb"cc-|_item_id|data-anno-uid|mark(?:ed)?-|style", re.IGNORECASE)
_WRAPPER: Final = re.compile(
    rb"</?(?:marked-(?:text|tail|inline)|cc-alg-uc-text)(?=[\s/>])", re.IGNORECASE
)
_NAME: Final = re.compile(rb"</?[^\s/>]+")
_ATTRIBUTE: Final = re.compile(
    rb"""[\s/]?([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""", re.IGNORECASE
)


def read_selected(page_id: str, marked: str | bytes, **fields: object) -> AnnotatedPage:
    """An annotated page from markup with selected elements; its gold text is what they hold.

    Text that only a wrapper parted from text with another label is unlabelled. So is selected text
    inside an element with the style ``display: none``: nobody saw it, and the benchmark's own gold
    text is without it.

    Args:
        page_id: id of the page.
        marked: the page with its marks.
        fields: further attributes of the page.

    Raises:
        PageError: a mark cannot be taken out (``marks-stay``), or the text of the page is another
            one without the marks (``marks-hold-text``).
    """
    # A page stored in UTF-8 with zero bytes would look like UTF-16; browsers show none of them.
    markup = utf8(marked).replace(b"\0", b"")
    html = without_marks(markup)
    selected, plain = _table(markup, "block"), _table(utf8(html), "tag")
    if _has_marks(plain):
        raise PageError(
            "marks-stay", f"a mark cannot be taken out; repair the tag with {SELECTION}"
        )
    marked_labels = _segment_labels(selected)
    labels = _carried(marked_labels, selected, plain)
    labels[(labels == Label.TEXT) & (plain.heading_level > 0)] = Label.HEADER
    gold = _gold_text(marked_labels, selected)
    return annotate(page_id, html, labels, texts=segment_texts(plain), gold=gold, **fields)


def has_selection(markup: str) -> bool:
    """Does any tag of a page select its element."""
    table = _table(utf8(markup), "tag")
    return "true" in table.attribute(SELECTION)


def without_marks(markup: bytes) -> bytes:
    """Markup without all that the annotation tool wrote into its tags; text stays as it is."""
    return _TAG.sub(_clean_tag, markup)


def _clean_tag(match: re.Match[bytes]) -> bytes:
    tag = match.group()
    if not _TRACE.search(tag):
        return tag
    if _WRAPPER.match(tag):
        return b""
    name = _NAME.match(tag)
    end = name.end() if name else 0
    return tag[:end] + _ATTRIBUTE.sub(_clean_attribute, tag[end:])


def _clean_attribute(match: re.Match[bytes]) -> bytes:
    name, value = match.group(1).lower(), match.group(2) or b""
    if name.startswith(b"cc-") or name.decode("latin-1") in _IDENTIFIERS:
        return b""
    if name == b"style" and value in (b'""', b"''"):
        return b""
    if name == b"class" and _CLASS.encode() in _classes(value):
        return _without_class(value)
    return match.group()


def _classes(value: bytes) -> list[bytes]:
    """Names in a class attribute, in lower case."""
    return value.strip(b"\"'").lower().split()


def _without_class(value: bytes) -> bytes:
    """A class attribute without the class of selected elements; nothing if it was the only one."""
    quote = value[:1] if value[:1] in (b'"', b"'") else b'"'
    names = zip(value.strip(b"\"'").split(), _classes(value), strict=True)
    others = b" ".join(name for name, lower in names if lower != _CLASS.encode())
    return b" class=" + quote + others + quote if others else b""


def _table(markup: bytes, split: Split) -> BlockTable:
    """The segments of UTF-8 markup, and the marks of its elements."""
    return segment(record([markup], attributes=_MARKS), split)


def _has_marks(table: BlockTable) -> bool:
    marks = (value for name in (SELECTION, *_IDENTIFIERS) for value in table.attribute(name))
    classes = (value.lower().split() for value in table.attribute("class") if value)
    return any(value is not None for value in marks) or any(_CLASS in names for names in classes)


def _segment_labels(table: BlockTable) -> Labels:
    """(S,) label of every segment of a page with marks: text, other or unlabelled."""
    is_selected = [value == "true" for value in table.attribute(SELECTION)]
    is_hidden = [_hides(value or "") for value in table.attribute("style")]
    labels: list[int] = []
    elements = table.elements
    for parent, bundle in zip(elements.parent.tolist(), elements.bundle.tolist(), strict=True):
        label = labels[parent] if parent < len(labels) else int(Label.OTHER)
        if bundle >= 0:
            label = _element_label(label, is_selected[bundle], is_hidden[bundle])
        labels.append(label)
    innermost = table.tags.element[table.segments.tag]
    of_segment = np.array(labels or [Label.OTHER], dtype=np.uint8)[innermost]
    return np.where(of_segment == _HIDDEN, np.uint8(Label.OTHER), of_segment)


def _element_label(around: int, selected: bool, hidden: bool) -> int:
    """Label of text in an element, given that of text around it."""
    if around in (Label.TEXT, UNLABELLED):
        return around
    if hidden or around == _HIDDEN:
        return UNLABELLED if selected else _HIDDEN
    return Label.TEXT if selected else Label.OTHER


def _hides(style: str) -> bool:
    """Does a style hide its element; no other way of hiding counts in WebMainBench."""
    return "display: none" in style or "display:none" in style


def _carried(labels: Labels, selected: BlockTable, plain: BlockTable) -> Labels:
    """(S',) labels of the segments of the plain page, from those of the page with its marks.

    Args:
        labels: (S,) labels of the segments with marks.
        selected: the page with its marks.
        plain: the same without them, where wrappers do not part texts.
    """
    if not np.array_equal(_visible(selected), _visible(plain)):
        raise PageError("marks-hold-text", "without its marks the page has another text")
    of_character = np.repeat(labels, segment_places(selected)[0])
    n_visible = segment_places(plain)[0]
    ends = np.cumsum(n_visible)
    carried = np.full(len(n_visible), UNLABELLED, dtype=np.uint8)
    for label in (Label.TEXT, Label.OTHER):
        total = prefix_sums(of_character == label)
        carried[total[ends] - total[ends - n_visible] == n_visible] = label
    return carried


def _visible(table: BlockTable) -> Chars:
    """(V,) visible characters of a page in order."""
    classes = class_table()[table.chars]
    is_visible = (classes != SPACE) & (classes != JOINER)
    visible: Chars = table.chars[is_visible]
    return visible


def _gold_text(labels: Labels, table: BlockTable) -> str:
    """Selected text, a line for every run of it inside a block."""
    rows = np.flatnonzero(labels == Label.TEXT)
    block = table.block_of_segment[rows]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (np.diff(rows) > 1) | (np.diff(block) > 0)
    first, last = rows[is_first], rows[np.roll(is_first, -1)]
    starts, ends = table.segments.start[first].tolist(), table.segments.end[last].tolist()
    bounds = zip(starts, ends, strict=True)
    return "\n".join(text_of(table.chars[start:end]) for start, end in bounds)
