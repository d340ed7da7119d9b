"""The page itself without its dropped parts; nothing else changes unless it is precleaned.

The text of dropped blocks is removed, and so is every element whose blocks are all dropped. If it
is the only separator of two kept blocks, the element stays, empty, so that they do not become one.
Declared character encodings become UTF-8, in which the result is to be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.errors import ConfigError
from victor.page.markup.full_record import Kind, Markup, markup_of, precleaned
from victor.page.parsing.tags import IDS, PAGE, SPLITTING, VOID, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page

_FRAME: Final = frozenset({PAGE, "html", "head", "body"})
"""Elements that are never removed: the parser would put them back."""
_WITHOUT_END: Final = VOID | {"param"}
_ENDLESS: Final = "plaintext"
"""Everything after its start tag is its text, so nothing can be written after it; but the parser
also accepts ``<plaintext/>``, which is empty."""
_RAW_TEXT: Final = frozenset("script style iframe noembed noframes xmp".split()) | {_ENDLESS}
"""Elements whose text is written as it is (HTML standard, 13.3)."""
_CHARSET: Final = re.compile(r"(charset\s*=\s*)[^\s;]+", re.IGNORECASE | re.ASCII)
_ESCAPED: Final = re.compile("[&<>\xa0\r]")
_BREAKS_THAT_SPLIT: Final = 2
_, _START, _END, _TEXT, _COMMENT = map(int, Kind)  # to compare with members takes longer


def render(page: Page, *, preclean: bool = False) -> str:
    """The kept part of a page as HTML.

    Args:
        page: with its markup.
        preclean: leave out scripts, styles, embedded objects and comments, too
            (`victor.page.markup.full_record`).

    Raises:
        ConfigError: no markup, or not that of this page.
    """
    if page.markup is None:
        raise ConfigError("the html format needs the markup of the page: give markup=<UTF-8 bytes>")
    full = markup_of(page.verdict.table, page.number, page.markup)
    return written(page.verdict, page.number, precleaned(full) if preclean else full)


def written(verdict: Verdict, page: int, full: Markup) -> str:
    """The kept part of a page of a verdict, given its number and its full record."""
    table = verdict.table
    kept, segments = verdict.kept_segments, full.segments(table, page)
    cut = ~np.append(kept, True)[segments]
    blocks = np.append(table.block_of_segment, -1)[segments]
    parts = cut & np.append(verdict.kept, False)[blocks]
    tag_removed, text_removed = _vanishing(table, kept, page)
    is_tag = ~full.dropped & ((full.kind == Kind.START) | (full.kind == Kind.END))
    removed = np.where(is_tag, tag_removed[full.tag], text_removed[full.tag])
    # Where a part of a kept block goes, a space stays.
    rows = np.flatnonzero(~removed | parts)
    columns = (values[rows].tolist() for values in (full.kind, removed, cut, parts))
    return "".join(_pieces(full, table.allowance.over(rows.tolist()), columns))


def _pieces(full: Markup, rows: Iterable[int], columns: Iterable[Sequence[int]]) -> list[str]:
    """The markup of some items, given for each its kind, and whether it is removed, or only its
    text is, as part of a kept block.
    """  # noqa: D205
    texts, attributes = full.texts, [*full.attributes]
    pieces: list[str] = []
    raw = unfinished = ""
    for row, kind, is_removed, is_cut, is_part in zip(rows, *columns, strict=True):
        text = texts[row]
        if is_removed:
            pieces.append(" ")
        elif kind == _TEXT:
            shown = text if raw else _escaped(text)
            if is_cut:
                shown = " " if is_part else _white_ends(shown)
            pieces.append(unfinished + shown)
            unfinished = ""
        elif kind == _START:
            values = attributes[row]
            if is_cut and values:
                # An image stays where it separates, but its dropped alternative text does not.
                values = {**values, "alt": ""}
            pieces.append(_start_tag(text, values) if values else "<" + text)
            if text != _ENDLESS:
                pieces.append(">")
            raw = text if text in _RAW_TEXT else ""
            unfinished = ">" if raw == _ENDLESS else ""
        elif kind == _END:
            if text == _ENDLESS:
                if not unfinished:
                    break
                pieces.append("/>")
            elif text not in _WITHOUT_END:
                pieces.append(f"</{text}>")
            raw = unfinished = ""
        else:
            pieces.append(f"<!--{text}-->" if kind == _COMMENT else f"<!DOCTYPE {text}>")
            raw = unfinished = ""
    return pieces


def _start_tag(name: str, attributes: Mapping[str, str]) -> str:
    if name == "meta":
        attributes = {key: as_utf8(key, value) for key, value in attributes.items()}
    written = "".join([f' {key}="{value}"' for key, value in attributes.items()])
    if _ESCAPED.search(written) or written.count('"') > 2 * len(attributes):
        values = {key: _escaped(value).replace('"', "&quot;") for key, value in attributes.items()}
        written = "".join([f' {key}="{value}"' for key, value in values.items()])
    return f"<{name}{written}"


def _escaped(text: str) -> str:
    # Replacements one after the other are many times as fast as a translation.
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\xa0", "&nbsp;").replace("\r", "&#13;")


def as_utf8(name: str, value: str) -> str:
    """An attribute of ``<meta>`` with the declared encoding changed to UTF-8."""
    if name == "charset":
        return "utf-8"
    return _CHARSET.sub(r"\1utf-8", value) if name == "content" else value


def _white_ends(text: str) -> str:
    """White space at both ends of a text, which still separates its neighbours."""
    return text.replace(text.strip(), "", 1)


def _vanishing(table: BlockTable, kept: Bools, page: int) -> tuple[Bools, Bools]:
    """Per tag of a page: is the tag removed, and is the text after it removed with its element."""
    span = table.elements_of(page)
    removed = _all_dropped(table, kept, span)
    _keep_separators(table, kept, span, removed)
    return _covered(table, span, removed, with_end=True), _covered(
        table, span, removed, with_end=False
    )


def _all_dropped(table: BlockTable, kept: Bools, span: slice) -> Bools:
    elements, tags = table.elements, table.segments.tag
    opens, closes = elements.open[span], elements.close[span]
    of_page = slice(*np.searchsorted(tags, (opens[0], closes[0])))
    n_kept = prefix_sums(kept[of_page])
    first, last = (np.searchsorted(tags[of_page], ends) for ends in (opens, closes))
    emptied = (last > first) & (n_kept[last] == n_kept[first])
    return np.asarray(emptied & ~member_mask(_FRAME)[elements.tag[span]])


def _covered(table: BlockTable, span: slice, removed: Bools, *, with_end: bool) -> Bools:
    opens, closes = table.elements.open[span], table.elements.close[span]
    change = np.zeros(closes[0] - opens[0] + 2, dtype=np.int64)
    np.add.at(change, opens[removed] - opens[0], 1)
    np.add.at(change, closes[removed] - opens[0] + with_end, -1)
    return np.asarray(np.cumsum(change)[:-1] > 0)


def _keep_separators(table: BlockTable, kept: Bools, span: slice, removed: Bools) -> None:
    """Keep elements that alone separate two kept blocks; edits `removed`."""
    opens, closes = table.elements.open[span], table.elements.close[span]
    before, after = _gaps(table, kept, int(opens[0]), int(closes[0]))
    names = table.tags.id[opens[0] : closes[0] + 1]
    stays = ~_covered(table, span, removed, with_end=True)
    splits = stays if table.split == "tag" else stays & member_mask(SPLITTING)[names]
    n_splits, n_breaks = np.cumsum(splits), np.cumsum(stays & (names == IDS["br"]))
    a, b = before - opens[0], after - opens[0]
    apart = (n_splits[b] > n_splits[a]) | (n_breaks[b] - n_breaks[a] >= _BREAKS_THAT_SPLIT)
    first = np.searchsorted(opens, before[~apart], side="right")
    last = np.searchsorted(opens, after[~apart], side="right")
    for x, y in zip(first.tolist(), last.tolist(), strict=True):
        removed[x + _separator(table, slice(span.start + x, span.start + y), removed[x:y])] = False


def _gaps(table: BlockTable, kept: Bools, first: int, last: int) -> tuple[Ints, Ints]:
    """Tags before two consecutive kept blocks between which something is dropped."""
    segments = table.segments
    inside = np.arange(*np.searchsorted(segments.tag, (first, last)))
    visible = inside[kept[inside]]
    wide = (np.diff(visible) > 1) & (np.diff(table.block_of_segment[visible]) > 0)
    return segments.tag[visible[:-1][wide]], segments.tag[visible[1:][wide]]


def _separator(table: BlockTable, between: slice, removed: Bools) -> Ints:
    """Positions, in a gap, of the few elements that must stay to separate its sides."""
    candidates = np.flatnonzero(removed)
    if table.split == "tag":
        return candidates[:1]
    splits = member_mask(SPLITTING)[table.elements.tag[between]]
    chosen = candidates[splits[candidates]][:1]
    if not len(chosen):
        # Line breaks or void elements separate: they stay, with all elements around them.
        return candidates
    opens, closes = table.elements.open[between], table.elements.close[between]
    around = (opens[candidates] <= opens[chosen]) & (closes[candidates] >= closes[chosen])
    return candidates[around]
