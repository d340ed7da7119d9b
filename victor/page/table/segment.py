"""Cut pages into block tables by a few vectorised passes over the event codes of a batch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints, prefix_sums
from victor.base.errors import ConfigError
from victor.page.allowance import Allowances
from victor.page.decoding.decode import utf8
from victor.page.parsing.characters import (
    JOINER,
    LINE_BREAK,
    N_CLASSES,
    PRIVATE,
    SEPARATORS,
    SPACE,
    class_table,
    first_of_run,
    shapes,
)
from victor.page.parsing.events import (
    ATTRIBUTES,
    BUNDLE_BASE,
    CLOSE,
    OPEN_WITH_ATTRIBUTES,
    TAG_BASE,
    Events,
    record,
)
from victor.page.parsing.tags import IDS, NAMES, SPLITTING, VOID, member_mask
from victor.page.parsing.unspaced import unspaced
from victor.page.table.blocks import (
    BlockTable,
    Elements,
    Segments,
    Split,
    TagStream,
    line_of_tags,
    validate,
)

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines

_TAG_CODES: Final = 0x400
_SOFT_HYPHEN: Final = 0xAD
_ZERO_WIDTH_SPACE: Final = 0x200B
_NO_BREAKS: Final = (0x2060, 0xFEFF)
"""Word joiner, and the byte order mark that once was one."""
_PRE: Final = frozenset({"pre", "listing"})
_BREAKS_THAT_SPLIT: Final = 2
"""So many ``<br>`` in a row end a paragraph where only block-level tags split."""


def parse_pages(
    pages: Iterable[bytes | str],
    split: Split = "block",
    *,
    attributes: tuple[str, ...] = ATTRIBUTES,
) -> BlockTable:
    """Decode, parse and cut pages into the blocks of one table.

    Args:
        pages: bytes of any encoding, or text. UTF-8 that was decoded before goes through
            `victor.page.parsing.events.record` and `segment`, which do not decode again.
        split: where blocks end, see `segment`.
        attributes: element attributes to record.

    >>> from victor.page.table.texts import block_texts
    >>> block_texts(parse_pages(["<h1>Bees</h1><p>They <b>live</b> in hives"]))
    ['Bees', 'They live in hives']
    >>> block_texts(parse_pages([b"<p>They <b>live</b> in hives"], "tag"))
    ['They', 'live', 'in hives']
    """
    return segment(record(map(utf8, pages), attributes=attributes), split)


def segment(events: Events, split: Split = "block", *, pre_lines: bool = False) -> BlockTable:
    """Cut the pages of a batch into text blocks.

    Args:
        events: the event stream.
        split: ``tag``: every tag ends a block, as in the paper; ``block``: block-level tags do,
            and two or more ``<br>`` in a row; ``line``: a block is the text of one line of the
            source, for events of `victor.page.parsing.line_events.record_lines`.
        pre_lines: with ``tag``, every line inside ``<pre>`` is a block (the original Victor);
            nothing with the others.

    Returns:
        A validated, read-only table.

    Raises:
        ConfigError: blocks are to end with lines of the source, which were not recorded.
    """
    if core.compiled is not None:
        return _compiled(events, split, pre_lines=pre_lines)
    raw = _locate(events.codes)
    if pre_lines and split == "tag":
        raw = _locate(_break_pre_lines(events.codes, raw))
    elements, element_of_tag = _elements(raw)
    text = _collapse(raw)
    segments, segment_space = text.segments, text.space
    roots = np.flatnonzero(elements.depth == 0)
    segment_page = np.searchsorted(elements.open[roots], segments.tag, side="right") - 1
    starts = (
        _line_starts(raw.tag_id, segments, segment_page, events.lines)
        if split == "line"
        else _block_starts(raw, segments, split)
    )
    page_starts = np.searchsorted(segment_page[starts], np.arange(len(roots) + 1))
    table = BlockTable(
        split=split,
        chars=text.chars,
        page_starts=page_starts.astype(np.int64),
        segment_starts=np.append(starts, len(segments)),
        segments=segments,
        tags=TagStream(
            id=raw.tag_id,
            step=raw.step,
            element=element_of_tag,
            text_start=text.start,
            text_length=raw.text_length,
            text_space=segment_space,
            bundle=raw.bundle,
        ),
        elements=elements,
        page_roots=roots,
        attributes=events.attributes,
        bundles=events.bundles,
        heads=events.heads,
        lines=events.lines,
        formula_signs=events.formula_signs,
    )
    table.freeze()
    validate(table)
    return table


class _Raw(Struct, frozen=True, eq=False):
    """Where tags and text lie in the codes of a batch."""

    position: Ints
    tag_id: Ints
    step: NDArray[np.int8]
    bundle: Ints
    text: NDArray[np.uint32]
    text_start: Ints
    text_length: Ints


class _Text(Struct, frozen=True, eq=False):
    """Collapsed characters, the segments in them, and start and white space of every tag's text."""

    chars: NDArray[np.uint32]
    segments: Segments
    start: Ints
    space: Ints


def _locate(codes: NDArray[np.uint32]) -> _Raw:
    """Split codes into tags, attribute bundles and text."""
    is_tag = (codes - np.uint32(TAG_BASE)) < _TAG_CODES
    position = np.flatnonzero(is_tag)
    tag_id, kind = np.divmod(codes[position].astype(np.int64) - TAG_BASE, 3)
    bundled = kind == OPEN_WITH_ATTRIBUTES
    bundle = np.full(len(position), -1, dtype=np.int64)
    bundle[bundled] = codes[position[bundled] + 1].astype(np.int64) - BUNDLE_BASE
    is_text = ~is_tag
    is_text[position[bundled] + 1] = False
    unseen = _unseen(codes, is_text)
    is_text[unseen] = False
    step = np.where(kind == CLOSE, -1, 1).astype(np.int8)
    step[_void(tag_id, kind)] = 0
    length = np.diff(position, append=len(codes)) - 1 - bundled
    if len(unseen):
        after = np.searchsorted(position, unseen) - 1
        length -= np.bincount(after, minlength=len(position))
    return _Raw(
        position=position,
        tag_id=tag_id,
        step=step,
        bundle=bundle,
        text=codes[is_text],
        text_start=np.cumsum(length) - length,
        text_length=length,
    )


def _unseen(codes: NDArray[np.uint32], is_text: Bools) -> Ints:
    """Positions of characters that only say where a line may be broken: they are no text.

    A zero-width space stays where it parts words of scripts that write no spaces.
    """
    unseen = codes == _SOFT_HYPHEN
    for character in (_ZERO_WIDTH_SPACE, *_NO_BREAKS):
        unseen |= codes == character
    positions = np.flatnonzero(unseen & is_text)
    if not len(positions):
        return positions
    spaces = codes[positions] == _ZERO_WIDTH_SPACE
    beside = unspaced().take(codes[positions - 1]) & unspaced().take(codes[positions + 1])
    return np.asarray(positions[~(spaces & beside)])


def _void(tag_id: Ints, kind: Ints) -> Bools:
    """Void elements, but for images that were given an end because they hold alternative text."""
    void = member_mask(VOID)[tag_id]
    image = tag_id == IDS["img"]
    if (image & (kind == CLOSE)).any():
        void &= ~image
    return void


def _break_pre_lines(codes: NDArray[np.uint32], raw: _Raw) -> NDArray[np.uint32]:
    """Replace every newline inside ``<pre>`` by the code of a ``<br>``."""
    inside = np.cumsum(np.where(member_mask(_PRE)[raw.tag_id], raw.step, 0)) > 0
    in_pre = np.repeat(inside, np.diff(raw.position, append=len(codes)))
    return np.where(in_pre & (codes == ord("\n")), np.uint32(TAG_BASE + 3 * IDS["br"]), codes)


def _elements(raw: _Raw) -> tuple[Elements, Ints]:
    """Pair start and end tags; also the innermost open element after every tag.

    In a balanced stream the starts and the ends of one depth alternate, so sorted by depth
    (stably, hence by position within a depth) they pair one to one.
    """
    level = np.cumsum(raw.step, dtype=np.int64)
    opens = np.flatnonzero(raw.step == 1)
    closes = np.flatnonzero(raw.step == -1)
    depth = level[opens] - 1
    close = np.empty(len(opens), dtype=np.int64)
    close[stable_order(depth)] = closes[stable_order(level[closes])]
    parent = parents(depth)
    current = np.full(len(raw.step), -1, dtype=np.int64)
    current[opens] = np.arange(len(opens))
    current[close] = parent
    marked = np.maximum.accumulate(np.where(raw.step != 0, np.arange(len(raw.step)), 0))
    elements = Elements(
        tag=raw.tag_id[opens],
        parent=parent,
        depth=depth,
        open=opens,
        close=close,
        bundle=raw.bundle[opens],
    )
    return elements, current[marked]


def parents(depth: Ints) -> Ints:
    """Parent of each element: the last one before it that is one level higher; a root is its own.

    Every element is listed twice, among the children of its depth and then among the parents of
    the depth below. Sorted by that depth, each child follows the parent that it belongs to.
    """
    listed = np.repeat(depth, 2)
    listed[1::2] += 1
    order = stable_order(listed)
    is_parent = order % 2 == 1
    last = np.maximum.accumulate(np.where(is_parent, np.arange(len(order)), 0))
    parent = np.empty(len(depth), dtype=np.int64)
    parent[order[~is_parent] // 2] = order[last[~is_parent]] // 2
    return np.where(depth == 0, np.arange(len(depth)), parent)


def stable_order(numbers: Ints) -> Ints:
    """What sorts integers of 0 or more, equal ones as they are: by radix if they fit 16 bits."""
    narrow = numbers.astype(np.min_scalar_type(numbers.max(initial=0)))
    return np.argsort(narrow, kind="stable")


def _collapse(raw: _Raw) -> _Text:
    """Collapse white space over all text, as if inline tags were not there; find the segments."""
    classes = class_table().take(raw.text)
    joiners = np.flatnonzero(classes == JOINER)
    length = raw.text_length
    if len(joiners):
        raw, classes = _trim(raw, classes, joiners)
    solid = classes != SPACE
    n_solid = prefix_sums(solid)
    ends = raw.text_start + raw.text_length
    solid_before, solid_after = n_solid[raw.text_start], n_solid[ends]
    kept = solid.copy()
    kept[1:] |= solid[:-1]
    in_pre = _inside_pre(raw)
    if in_pre is not None:
        kept |= in_pre
    n_kept = prefix_sums(kept)
    has_text = np.flatnonzero(solid_after > solid_before)
    solid_at = np.flatnonzero(solid)
    segments = Segments(
        tag=has_text,
        start=n_kept[solid_at[solid_before[has_text]]],
        end=n_kept[solid_at[solid_after[has_text] - 1]] + 1,
    )
    chars = _plain_spaces(raw.text, solid, kept, n_kept, in_pre)
    space = length - (solid_after - solid_before)
    return _Text(chars, segments, n_kept[raw.text_start], space)


def _trim(raw: _Raw, classes: NDArray[np.uint8], joiners: Ints) -> tuple[_Raw, NDArray[np.uint8]]:
    """Leave out the joiners that do not join: those after white space and at the ends of a run.

    At its end, those that shape what stands before them stay.
    """
    run = np.searchsorted(raw.text_start, joiners, side="right") - 1
    first = first_of_run(joiners)
    joins = (first > raw.text_start[run]) & _is_visible(classes[first - 1])
    joins &= shapes(raw.text[joiners]) | _anything_after(raw, classes, joiners, run)
    if joins.all():
        return raw, classes
    stays = np.ones(len(classes), dtype=bool)
    stays[joiners[~joins]] = False
    length = raw.text_length - np.bincount(run[~joins], minlength=len(raw.text_length))
    start = np.cumsum(length) - length
    text = raw.text[stays]
    return structs.replace(raw, text=text, text_start=start, text_length=length), classes[stays]


def _anything_after(raw: _Raw, classes: NDArray[np.uint8], joiners: Ints, run: Ints) -> Bools:
    """Does anything visible follow each joiner in its run of text."""
    end = raw.text_start[run] + raw.text_length[run]
    follows = _is_visible(classes.take(joiners + 1, mode="clip")) & (joiners + 1 < end)
    if not follows.all():  # A space or another joiner comes next: all of the text is looked at.
        n_visible = prefix_sums(_is_visible(classes))
        follows = n_visible[joiners] < n_visible[end]
    return np.asarray(follows)


def _is_visible(classes: NDArray[np.uint8]) -> Bools:
    return np.asarray((classes != SPACE) & (classes != JOINER))


def _inside_pre(raw: _Raw) -> Bools | None:
    """Which characters of the text are inside ``<pre>``; None when the batch has no ``<pre>``."""
    is_pre = member_mask(_PRE)[raw.tag_id]
    if not is_pre.any():
        return None
    return np.repeat(np.cumsum(np.where(is_pre, raw.step, 0)) > 0, raw.text_length)


def _plain_spaces(
    text: NDArray[np.uint32], solid: Bools, kept: Bools, n_kept: Ints, in_pre: Bools | None
) -> NDArray[np.uint32]:
    """The kept characters: white space as U+0020, or as a newline where a ``<br>`` stood."""
    as_written = (
        solid if in_pre is None else solid | in_pre & (text < PRIVATE) & ~np.isin(text, SEPARATORS)
    )
    chars = np.where(as_written, text, np.uint32(ord(" ")))[kept]
    breaks = np.flatnonzero(text == LINE_BREAK)
    slots = n_kept[breaks + 1] - 1
    slots = slots[slots >= 0]
    blank = class_table()[chars[slots]] == SPACE
    chars[slots[blank]] = ord("\n")
    return chars


def _block_starts(raw: _Raw, segments: Segments, split: Split) -> Ints:
    """First segment of every block."""
    if split == "tag" or not len(segments):
        return np.arange(len(segments))
    splits = np.cumsum(member_mask(SPLITTING)[raw.tag_id])[segments.tag]
    breaks = np.cumsum(raw.tag_id == IDS["br"])[segments.tag]
    new = (np.diff(splits) > 0) | (np.diff(breaks) >= _BREAKS_THAT_SPLIT)
    return np.flatnonzero(np.concatenate(([True], new)))


def _line_starts(tag_id: Ints, segments: Segments, page: Ints, lines: SourceLines | None) -> Ints:
    """First segment of every block where blocks end with the line of the source."""
    if lines is None:
        raise ConfigError(
            "lines of the source were not recorded; record the pages with "
            "victor.page.parsing.line_events.record_lines"
        )
    if not len(segments):
        return np.arange(0)
    line = line_of_tags(tag_id, lines)[segments.tag]
    new = (np.diff(line) != 0) | (np.diff(page) != 0)
    return np.flatnonzero(np.concatenate(([True], new)))


# --- The compiled path ---------------------------------------------------------------------------

# What a code is, and bits of what a tag is; those of core/table/blocks.h.
_UNSPACED_CODE, _SPACE_CODE, _BREAK_CODE, _ZERO_WIDTH_CODE, _JOINER_CODE = range(1, 6)
_SHAPER_CODE, _UNSEEN_CODE, _TAG_CODE = range(6, 9)
_VOID_TAG, _SPLITTING_TAG, _PRE_TAG, _BREAK_TAG, _IMAGE_TAG = 1, 2, 4, 8, 16


def _compiled(events: Events, split: Split, *, pre_lines: bool) -> BlockTable:
    """What `segment` gives; its invariants hold by construction."""
    memories, lent = core.compiled.segment(
        events.codes, _code_kinds(), _tag_roles(), split != "block", pre_lines and split == "tag"
    )
    parts = iter(memories)
    table = BlockTable.of_memory(parts)
    table.__dict__.update(
        split=split,
        segments=Segments.of_memory(parts),
        tags=TagStream.of_memory(parts),
        elements=Elements.of_memory(parts),
        attributes=events.attributes,
        bundles=events.bundles,
        heads=events.heads,
        lines=events.lines,
        formula_signs=events.formula_signs,
        allowances=Allowances(),
    )
    if split != "line":
        table.__dict__["lent"] = lent
        return table
    page = np.repeat(np.arange(table.n_pages), np.diff(table.page_starts))
    starts = _line_starts(table.tags.id, table.segments, page, events.lines)
    table = replace(
        table,
        segment_starts=np.append(starts, len(table.segments)),
        page_starts=np.searchsorted(page[starts], np.arange(table.n_pages + 1)),
    )
    table.freeze()
    return table


@cache
def _code_kinds() -> Codes:
    """(0x110000,) uint8, read-only: what each code of an event stream is."""
    of_classes = np.zeros(N_CLASSES, dtype=np.uint8)
    of_classes[[SPACE, JOINER]] = _SPACE_CODE, _JOINER_CODE
    kinds = of_classes.take(class_table())
    kinds[unspaced()] = _UNSPACED_CODE
    joiners = np.flatnonzero(kinds == _JOINER_CODE)
    kinds[joiners[shapes(joiners)]] = _SHAPER_CODE
    kinds[LINE_BREAK] = _BREAK_CODE
    kinds[_ZERO_WIDTH_SPACE] = _ZERO_WIDTH_CODE
    kinds[[_SOFT_HYPHEN, *_NO_BREAKS]] = _UNSEEN_CODE
    kinds[TAG_BASE : TAG_BASE + _TAG_CODES] = _TAG_CODE
    kinds.flags.writeable = False
    return kinds


@cache
def _tag_roles() -> Codes:
    """(len(NAMES),) uint8, read-only: bits of what each tag is to the segmenter."""
    roles = np.zeros(len(NAMES), dtype=np.uint8)
    for bit, names in (
        (_VOID_TAG, VOID),
        (_SPLITTING_TAG, SPLITTING),
        (_PRE_TAG, _PRE),
        (_BREAK_TAG, frozenset({"br"})),
        (_IMAGE_TAG, frozenset({"img"})),
    ):
        roles[member_mask(names)] |= bit
    roles.flags.writeable = False
    return roles


assert len(NAMES) * 3 <= _TAG_CODES, "tag codes fit into the surrogate range"
