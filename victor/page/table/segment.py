"""Read pages and cut them into block tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from victor.base import core
from victor.base.arrays import Ints
from victor.base.errors import ConfigError
from victor.page.allowance import Allowances
from victor.page.decoding.decode import utf8
from victor.page.parsing.events import (
    ATTRIBUTES,
    MOST_BUNDLES,
    AltText,
    BundleColumns,
    Events,
    bundles_of,
    heads_of,
    record,
)
from victor.page.parsing.heads import texts_of_heads
from victor.page.table.blocks import BlockTable, Segments, Split, line_of_tags, table_of
from victor.page.table.tokens import vocabulary

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines


def parse_pages(
    pages: Iterable[bytes | str],
    split: Split = "block",
    *,
    attributes: tuple[str, ...] = ATTRIBUTES,
) -> BlockTable:
    """Decode, parse and cut pages into the blocks of one table.

    Args:
        pages: bytes of any encoding, or text; `read_pages` takes what is UTF-8 already.
        split: where blocks end, see `segment`.
        attributes: element attributes to record.

    >>> from victor.page.table.texts import block_texts
    >>> block_texts(parse_pages(["<h1>Bees</h1><p>They <b>live</b> in hives"]))
    ['Bees', 'They live in hives']
    >>> block_texts(parse_pages([b"<p>They <b>live</b> in hives"], "tag"))
    ['They', 'live', 'in hives']
    """
    utf8_pages = [*map(utf8, pages)]
    if split == "line":
        return segment(record(utf8_pages, attributes=attributes), split)
    return read_pages(utf8_pages, split, attributes=attributes)


def read_pages(
    pages: Sequence[bytes],
    split: Split = "block",
    *,
    alt_text: AltText | bool = AltText.NONE,
    attributes: tuple[str, ...] = ATTRIBUTES,
    pre_lines: bool = False,
) -> BlockTable:
    """Read pages given as UTF-8 bytes: `victor.page.parsing.events.record` and `segment` at once.

    Args:
        pages: their markup; a byte that is no UTF-8 becomes U+FFFD.
        split: ``tag`` or ``block``, see `segment`.
        alt_text: of `victor.page.parsing.events.record`.
        attributes: likewise.
        pre_lines: of `segment`.

    Raises:
        ValueError: an attribute has another name than `record` allows.
    """
    mode = int(AltText.ALL if alt_text is True else alt_text)
    cuts = split != "block", pre_lines and split == "tag"
    batch = core.compiled.read(vocabulary(), (*pages,), attributes, mode, MOST_BUNDLES, *cuts)
    if batch is None:
        valid = [page.decode("utf-8", "replace").encode() for page in pages]
        return read_pages(
            valid, split, alt_text=alt_text, attributes=attributes, pre_lines=pre_lines
        )
    makers: dict[str, Callable[[], object]] = {
        "bundles": partial(bundles_of, batch.array, len(attributes)),
        "heads": partial(heads_of, batch.array, len(pages)),
    }
    return table_of(
        batch, split, makers, attributes=attributes, lines=None, allowances=Allowances(),
    )  # fmt: skip


def segment(events: Events, split: Split = "block", *, pre_lines: bool = False) -> BlockTable:
    """Cut the pages of a batch into text blocks.

    Args:
        events: the event stream.
        split: ``tag``: every tag ends a block, as in the paper; ``block``: block-level tags do,
            and two or more ``<br>`` in a row; ``line``: a block is the text of one line of the
            source, for events of `victor.page.parsing.source_lines.record_lines`.
        pre_lines: with ``tag``, every line inside ``<pre>`` is a block (the original Victor);
            nothing with the others.

    Raises:
        ConfigError: blocks are to end with lines of the source, which were not recorded.
    """
    bundles = BundleColumns.of(events.bundles, len(events.attributes))
    batch = core.compiled.segment(
        vocabulary(), events.codes, bundles.values, bundles.offsets, *texts_of_heads(events.heads),
        events.attributes, split != "block", pre_lines and split == "tag",
    )  # fmt: skip
    table = table_of(
        batch, split, attributes=events.attributes, bundles=events.bundles, heads=events.heads,
        lines=events.lines, allowances=Allowances(),
    )  # fmt: skip
    if split != "line":
        return table
    page = np.repeat(np.arange(table.n_pages), np.diff(table.page_starts))
    starts = _line_starts(table.tags.id, table.segments, page, events.lines)
    table = table.replace(
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
            "victor.page.parsing.source_lines.record_lines"
        )
    if not len(segments):
        return np.arange(0)
    line = line_of_tags(tag_id, lines)[segments.tag]
    new = (np.diff(line) != 0) | (np.diff(page) != 0)
    return np.flatnonzero(np.concatenate(([True], new)))
