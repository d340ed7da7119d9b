"""Cut pages into block tables by a few vectorised passes over the event codes of a batch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.base import core
from victor.base.arrays import Codes, Ints
from victor.base.errors import ConfigError
from victor.page.allowance import Allowances
from victor.page.decoding.decode import utf8
from victor.page.parsing.characters import (
    JOINER,
    LINE_BREAK,
    N_CLASSES,
    SPACE,
    class_table,
    shapes,
)
from victor.page.parsing.events import (
    ATTRIBUTES,
    TAG_BASE,
    Events,
    record,
)
from victor.page.parsing.tags import NAMES, SPLITTING, VOID, roles_of
from victor.page.parsing.unspaced import unspaced
from victor.page.table.blocks import (
    BlockTable,
    Elements,
    Segments,
    Split,
    TagStream,
    line_of_tags,
)

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines

_TAG_CODES: Final = 0x400
_SOFT_HYPHEN: Final = 0xAD
_ZERO_WIDTH_SPACE: Final = 0x200B
_NO_BREAKS: Final = (0x2060, 0xFEFF)
"""Word joiner, and the byte order mark that once was one."""
_PRE: Final = frozenset({"pre", "listing"})
_BREAK: Final = frozenset({"br"})
_IMAGE: Final = frozenset({"img"})


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
    # The bits of core/table/blocks.h.
    tag_roles = roles_of(VOID, SPLITTING, _PRE, _BREAK, _IMAGE)[: len(NAMES)]
    memories, lent = core.compiled.segment(
        events.codes, _code_kinds(), tag_roles, split != "block", pre_lines and split == "tag"
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


# What a code is, as in core/table/blocks.h.
_UNSPACED_CODE, _SPACE_CODE, _BREAK_CODE, _ZERO_WIDTH_CODE, _JOINER_CODE = range(1, 6)
_SHAPER_CODE, _UNSEEN_CODE, _TAG_CODE = range(6, 9)


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


assert len(NAMES) * 3 <= _TAG_CODES, "tag codes fit into the surrogate range"
