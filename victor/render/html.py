"""The page itself, without what was dropped and with nothing else changed.

The text of dropped blocks goes, and every element goes whose blocks are all dropped. An element
that goes although nothing else stands between two kept blocks stays, empty: without it the two
would become one. Declared character encodings become UTF-8, as the result is meant to be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from victor.arrays import Bools, Ints
from victor.errors import ConfigError
from victor.page.blocks import BlockTable
from victor.page.full_record import Item, Kind, Markup, markup_of
from victor.page.tags import IDS, PAGE, SPLITTING, VOID, member_mask
from victor.page.verdict import Verdict

_FRAME: Final = frozenset({PAGE, "html", "head", "body"})
"""Elements that never go: the parser would put them back."""
_WITHOUT_END: Final = VOID | {"param"}
_ENDLESS: Final = "plaintext"
"""All that follows its start tag is its text, so nothing can be written after it; but the parser
also takes ``<plaintext/>``, which is empty."""
_RAW_TEXT: Final = frozenset("script style iframe noembed noframes xmp".split()) | {_ENDLESS}
"""Elements whose text is written as it is (HTML standard, 13.3)."""
_CHARSET: Final = re.compile(r"(charset\s*=\s*)[^\s;]+", re.IGNORECASE)
_TEXT_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\xa0": "&nbsp;", "\r": "&#13;"}
)
_VALUE_ESCAPES: Final = _TEXT_ESCAPES | {ord('"'): "&quot;"}
_BREAKS_THAT_SPLIT: Final = 2


def render(
    verdict: Verdict, page: int, *, markup: bytes | Markup | None = None, **metadata: object
) -> str:
    """The kept part of a page as HTML.

    Args:
        verdict: what to keep.
        page: number of the page in the batch.
        markup: the UTF-8 bytes that the page was read from, or their full record.
        metadata: not used.

    Raises:
        ConfigError: no markup, or not that of this page.
    """
    if markup is None:
        raise ConfigError("the html format needs the markup of the page: give markup=<UTF-8 bytes>")
    table = verdict.table
    full = markup if isinstance(markup, Markup) else markup_of(table, page, markup)
    blocks = full.blocks(table, page)
    cut = (blocks >= 0) & ~np.append(verdict.kept, True)[blocks]
    tag_goes, text_goes = _vanishing(table, verdict.kept, page)
    return "".join(_pieces(full.items, cut.tolist(), tag_goes.tolist(), text_goes.tolist()))


def _pieces(
    items: tuple[Item, ...], cut: list[bool], tag_goes: list[bool], text_goes: list[bool]
) -> Iterator[str]:
    """What is written of every item; the flags say of which texts and tags nothing is."""
    raw = unfinished = ""
    for item, is_cut in zip(items, cut, strict=True):
        is_tag = not item.dropped and item.kind in (Kind.START, Kind.END)
        if (tag_goes if is_tag else text_goes)[item.tag]:
            continue
        if item.kind is Kind.TEXT:
            text = item.text if raw else item.text.translate(_TEXT_ESCAPES)
            yield unfinished + (_white_ends(text) if is_cut else text)
            unfinished = ""
            continue
        if item.kind is Kind.END and item.text == _ENDLESS and not unfinished:
            return
        # An image stays where it separates, but its dropped alternative text does not.
        yield _tag(item._replace(attributes={**item.attributes, "alt": ""}) if is_cut else item)
        raw = item.text if item.kind is Kind.START and item.text in _RAW_TEXT else ""
        unfinished = ">" if raw == _ENDLESS else ""


def _tag(item: Item) -> str:
    """A start tag, end tag, comment or document type declaration as written."""
    match item.kind:
        case Kind.START:
            end = "" if item.text == _ENDLESS else ">"
            return f"<{item.text}{''.join(_attributes(item))}{end}"
        case Kind.END:
            end = "/>" if item.text == _ENDLESS else f"</{item.text}>"
            return "" if item.text in _WITHOUT_END else end
        case Kind.COMMENT:
            return f"<!--{item.text}-->"
        case _:
            return f"<!DOCTYPE {item.text}>"


def _attributes(item: Item) -> Iterator[str]:
    """Attributes as written, each after a space."""
    for name, value in item.attributes.items():
        shown = value if item.text != "meta" else as_utf8(name, value)
        yield f' {name}="{shown.translate(_VALUE_ESCAPES)}"'


def as_utf8(name: str, value: str) -> str:
    """An attribute of ``<meta>`` with the declared encoding changed to UTF-8."""
    if name == "charset":
        return "utf-8"
    return _CHARSET.sub(r"\1utf-8", value) if name == "content" else value


def _white_ends(text: str) -> str:
    """White space at both ends of a text: it goes on separating what stands around."""
    inner = text.strip()
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return before + after


def _vanishing(table: BlockTable, kept: Bools, page: int) -> tuple[Bools, Bools]:
    """Per tag of a page: does the tag go, does the text after it go with the elements around it."""
    root = int(table.page_roots[page])
    stop = int(table.page_roots[page + 1]) if page + 1 < table.n_pages else len(table.elements)
    own = slice(root, stop)
    goes = _all_dropped(table, kept, own)
    _keep_separators(table, kept, own, goes)
    return _covered(table, own, goes, with_end=True), _covered(table, own, goes, with_end=False)


def _all_dropped(table: BlockTable, kept: Bools, own: slice) -> Bools:
    """Which elements of a page have blocks, but none that is kept."""
    elements, segments = table.elements, table.segments
    n_kept = np.concatenate(([0], np.cumsum(kept[table.block_of_segment])))
    first = np.searchsorted(segments.tag, elements.open[own])
    last = np.searchsorted(segments.tag, elements.close[own])
    emptied = (last > first) & (n_kept[last] == n_kept[first])
    return np.asarray(emptied & ~member_mask(_FRAME)[elements.tag[own]])


def _covered(table: BlockTable, own: slice, goes: Bools, *, with_end: bool) -> Bools:
    """Which tags of a page lie in an element that goes, its end tag included or not."""
    opens, closes = table.elements.open[own], table.elements.close[own]
    change = np.zeros(closes[0] - opens[0] + 2, dtype=np.int64)
    np.add.at(change, opens[goes] - opens[0], 1)
    np.add.at(change, closes[goes] - opens[0] + with_end, -1)
    return np.asarray(np.cumsum(change)[:-1] > 0)


def _keep_separators(table: BlockTable, kept: Bools, own: slice, goes: Bools) -> None:
    """Let elements stay where else nothing would separate two kept blocks; edits `goes`."""
    opens, closes = table.elements.open[own], table.elements.close[own]
    before, after = _gaps(table, kept, int(opens[0]), int(closes[0]))
    names = table.tags.id[opens[0] : closes[0] + 1]
    stays = ~_covered(table, own, goes, with_end=True)
    splits = stays if table.split == "tag" else stays & member_mask(SPLITTING)[names]
    n_splits, n_breaks = np.cumsum(splits), np.cumsum(stays & (names == IDS["br"]))
    a, b = before - opens[0], after - opens[0]
    apart = (n_splits[b] > n_splits[a]) | (n_breaks[b] - n_breaks[a] >= _BREAKS_THAT_SPLIT)
    first = np.searchsorted(opens, before[~apart], side="right")
    last = np.searchsorted(opens, after[~apart], side="right")
    for x, y in zip(first.tolist(), last.tolist(), strict=True):
        goes[x + _separator(table, slice(own.start + x, own.start + y), goes[x:y])] = False


def _gaps(table: BlockTable, kept: Bools, first: int, last: int) -> tuple[Ints, Ints]:
    """Tags before two consecutive kept texts between which something is dropped."""
    segments = table.segments
    inside = np.arange(*np.searchsorted(segments.tag, (first, last)))
    shown = inside[kept[table.block_of_segment[inside]]]
    wide = np.diff(shown) > 1
    return segments.tag[shown[:-1][wide]], segments.tag[shown[1:][wide]]


def _separator(table: BlockTable, between: slice, goes: Bools) -> Ints:
    """Positions, among the elements of a gap, of few that must stay to separate its two sides."""
    going = np.flatnonzero(goes)
    if table.split == "tag":
        return going[:1]
    splits = member_mask(SPLITTING)[table.elements.tag[between]]
    chosen = going[splits[going]][:1]
    if not len(chosen):
        # Line breaks, or void elements, separate: they stay with all that is around them.
        return going
    opens, closes = table.elements.open[between], table.elements.close[between]
    around = (opens[going] <= opens[chosen]) & (closes[going] >= closes[chosen])
    return going[around]
