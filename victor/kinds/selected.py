"""What the user's own selectors keep and drop, whatever anybody thinks of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, window_sums
from victor.base.labels import HEADER, OTHER, TEXT
from victor.config import Scope
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import BY_SCOPE, Verdict


def with_selected(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> Verdict:
    """The verdict with what `scope.keep` selects kept, and what `scope.drop` selects dropped.

    A block is kept whole if any of it is selected. Of one that is selected in part to be dropped,
    the rest stays. Where both select something, it is dropped. Images that are selected to be
    dropped, or stand in an element that is, are not shown.

    Args:
        verdict: in scope otherwise.
        pages: its pages as UTF-8 bytes.
        scope: with the selectors.

    Raises:
        ConfigError: one of these is no CSS selector.
    """
    if not scope.keep and not scope.drop:
        return verdict
    table, labels = verdict.table, verdict.labels.copy()
    drop_text, dropped_tags = _selected(table, pages, scope.drop)
    to_keep, to_drop = _of_blocks(table, _selected(table, pages, scope.keep)[0], drop_text)
    added = to_keep & ~verdict.kept
    labels[added] = np.where(table.heading_level > 0, HEADER, TEXT)[added]
    labels[to_drop] = OTHER
    by_scope = labels != verdict.labels
    if verdict.by_scope is not None:
        by_scope |= verdict.by_scope
    changed = replace(verdict, labels=labels, by_scope=by_scope if by_scope.any() else None)
    if not dropped_tags.any():
        return changed
    return replace(changed.without_parts(drop_text, BY_SCOPE), dropped_tags=dropped_tags)


def blocks_selected(table: BlockTable, pages: Sequence[bytes], scope: Scope) -> tuple[Bools, Bools]:
    """Which blocks the selectors of a scope name.

    Args:
        table: blocks of the pages.
        pages: UTF-8 bytes.
        scope: with the selectors.

    Returns:
        Two of (n,) bool: is any of the block selected to be kept, is all of it to be dropped.
    """
    texts = (_selected(table, pages, selectors)[0] for selectors in (scope.keep, scope.drop))
    return _of_blocks(table, *texts)


def _of_blocks(table: BlockTable, keep_text: Bools, drop_text: Bools) -> tuple[Bools, Bools]:
    """What `blocks_selected` gives of two of (T,) bool for the text after each tag."""
    n_kept, n_dropped = (
        window_sums(mask[table.segments.tag], table.segment_starts)
        for mask in (keep_text, drop_text)
    )
    return n_kept > 0, (n_dropped > 0) & (n_dropped == np.diff(table.segment_starts))


def _selected(
    table: BlockTable, pages: Sequence[bytes], selectors: Sequence[str]
) -> tuple[Bools, Bools]:
    """Two of (T,) bool for all tags of a batch: as `victor.page.places.selected.Selected`."""
    none = np.zeros(len(table.tags.id), dtype=bool)
    if not selectors:
        return none, none
    from victor.page.places.selected import Selectors  # few select anything

    parsed = Selectors(selectors)
    text, tags = none.copy(), none.copy()
    for page, markup in enumerate(pages):
        selected = parsed.on(table, page, markup)
        start = int(table.elements.open[table.page_roots[page]])
        for mask, of_page in zip((text, tags), selected, strict=True):
            mask[start : start + len(of_page)] = of_page
    return text, tags
