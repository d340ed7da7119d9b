"""Labels step by step: those of pages that need what few do, and the parts that a user chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, Labels, window_sums
from victor.base.labels import HEADER, OTHER, TEXT, Kind
from victor.config.schema import Scope
from victor.kinds.copies import without_copies
from victor.kinds.kinds import dangling, kept_comments, kept_headlines, without_heading_links
from victor.kinds.names import are_threads
from victor.kinds.units import FORUM, Needs
from victor.kinds.whole_units import with_whole_units
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import BY_SCOPE, Verdict

_PARTS: Final = (Kind.HEADLINE, Kind.COMMENT)
_OWN_WORD: Final = "labels"
_KEPT: Final = {
    "main": (None, None), "article": (True, False), "full": (True, True), _OWN_WORD: (None, None),
}  # fmt: skip
"""Is each of the parts kept or dropped; None leaves it as labelled."""


def made_whole(verdict: Verdict, pages: Sequence[bytes], scope: Scope, needs: int) -> Verdict:
    """The verdict of a labeler without copies and with whole units, unless `labels` are wanted.

    Args:
        verdict: of the labeler.
        pages: as UTF-8 bytes.
        scope: which parts of pages are kept.
        needs: what they may need (`Needs`).
    """
    if scope.name == _OWN_WORD:
        return verdict
    if needs & Needs.COPIES:
        verdict = without_copies(verdict)
    return without_heading_links(with_whole_units(verdict, pages, needs))


def in_scope(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> Verdict:
    """The verdict, with kinds, with the parts kept and dropped that a scope and selectors name."""
    return _with_selected(_scoped(verdict, scope), pages, scope)


def _scoped(verdict: Verdict, scope: Scope) -> Verdict:
    """The verdict with the parts kept and dropped that a scope says.

    What a model keeps loses its headline and comments in the scope `main`, and headings at its end
    that head nothing; the systems of others keep all, as they were published. The headline of a
    thread is what its first post is called, and often the question itself: it stays, as do the
    replies. A page is a thread if the user says so, or its markup.
    """
    table, labels = verdict.table, _with_parts(verdict, scope)
    if verdict.by_model and scope.name != _OWN_WORD:
        labels = labels.copy()
        if scope.name == "main":
            headlines = kept_headlines(table, labels, verdict.is_no_text)
            told = None if verdict.pages is None else verdict.pages.told
            if scope.comments is None and told != FORUM:
                labels[kept_comments(table, labels, headlines)] = OTHER
            if scope.headline is None and told != FORUM and len(headlines):
                labels[headlines[~are_threads(table)[table.page[headlines]]]] = OTHER
        labels[dangling(table, labels)] = OTHER
    return verdict.with_scope(labels)


def _with_parts(verdict: Verdict, scope: Scope) -> Labels:
    """(n,) labels with the parts that a scope or its switches decide about.

    Pages of which the labeler keeps nothing stay empty.
    """
    switches = zip((scope.headline, scope.comments), _KEPT[scope.name], strict=True)
    keeps = [own if switch is None else switch for switch, own in switches]
    if keeps == [None, None]:
        return verdict.labels
    table, labels, kinds = verdict.table, verdict.labels.copy(), verdict.kinds
    assert kinds is not None, "a scope needs kinds"
    may_be_added = ~verdict.kept & (window_sums(verdict.kept, table.page_starts) > 0)[table.page]
    may_be_added &= ~verdict.is_no_text
    for kind, keep in zip(_PARTS, keeps, strict=True):
        if keep:
            labels[may_be_added & (kinds == kind)] = HEADER if kind == Kind.HEADLINE else TEXT
        elif keep is not None:
            labels[kinds == kind] = OTHER
    return labels


def _with_selected(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> Verdict:
    """The verdict with what `scope.keep` selects kept, and what `scope.drop` selects dropped.

    A block is kept whole if any of it is selected. Of one that is selected in part to be dropped,
    the rest stays. Where both select something, it is dropped. Images that are selected to be
    dropped, or stand in an element that is, are not shown.

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
    """Two of (T,) bool for all tags of a batch: as `victor.page.places.selectors.Selected`."""
    none = np.zeros(len(table.tags.id), dtype=bool)
    if not selectors:
        return none, none
    from victor.page.places.selectors import Selectors  # few select anything

    parsed = Selectors(selectors)
    text, tags = none.copy(), none.copy()
    for page, markup in enumerate(pages):
        selected = parsed.on(table, page, markup)
        start = table.tags_of(page).start
        for mask, of_page in zip((text, tags), selected, strict=True):
            mask[start : start + len(of_page)] = of_page
    return text, tags
