"""What becomes of the labels of a labeler before anything is written: whole units, kinds, scope.

Most pages have no copies, data tables, facts, declarations, notes, links of headings or comments:
one call of the core makes all judgments on them. Where the core says that a page may have some,
they are made step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base import core
from victor.base.arrays import Bools, Labels, unchanging, window_sums
from victor.base.labels import HEADER, OTHER, TEXT, Kind
from victor.config.schema import Scope
from victor.kinds import declared, whole_units
from victor.kinds.copies import PRE_TAGS, without_copies
from victor.kinds.kinds import (
    TAGS,
    dangling,
    kept_comments,
    kept_headlines,
    with_kinds,
    without_heading_links,
)
from victor.kinds.names import are_threads, bits_of
from victor.kinds.units import LARGEST, Needs
from victor.kinds.whole_units import with_whole_units
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, words
from victor.page.parsing.tags import roles_of
from victor.page.table.blocks import HIDING, HIDING_ROLES, BlockTable
from victor.page.verdict.paragraphs import no_tables, table_roles
from victor.page.verdict.verdict import BY_SCOPE, Verdict

_FORUM: Final = "forum"
_MAIN: Final = Scope()
_PARTS: Final = (Kind.HEADLINE, Kind.COMMENT)
_OWN_WORD: Final = "labels"
_KEPT: Final = {
    "main": (None, None), "article": (True, False), "full": (True, True), _OWN_WORD: (None, None),
}  # fmt: skip
"""Is each of the parts kept or dropped; None leaves it as labelled."""


def finish(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> list[tuple[Verdict, int]]:
    """What a labeler says of pages with whole tables and code, with kinds, and in scope.

    Kinds cost nothing until they are asked for. In the scope `labels` every block stays as it is
    labelled. A page that needs what few do is finished alone.

    Args:
        verdict: of the labeler.
        pages: its P pages as UTF-8 bytes.
        scope: which parts of pages are kept.

    Returns:
        P verdicts, each with the number of the page there; most pages share one.
    """
    verdict = verdict.on_pages(pages)
    if verdict.by_model and scope == _MAIN:
        told = None if verdict.pages is None else verdict.pages.told
        plain = plain_pages(verdict, is_forum=told == _FORUM)
        if plain is not None:
            shared = with_kinds(plain.verdict, pages).with_scope(plain.labels)
            return [
                (_by_steps(verdict.alone(page), pages[page : page + 1], scope, needs), 0)
                if needs
                else (shared, page)
                for page, needs in enumerate(plain.needs)
            ]
    whole = _by_steps(verdict, pages, scope)
    return [(whole, page) for page in range(len(pages))]


def _by_steps(
    verdict: Verdict, pages: Sequence[bytes], scope: Scope, needs: int = Needs.ALL
) -> Verdict:
    """The finished verdict on some pages, of which it is known what they may need."""
    if scope.name != _OWN_WORD:
        if needs & Needs.COPIES:
            verdict = without_copies(verdict)
        verdict = without_heading_links(with_whole_units(verdict, pages, needs))
    return _with_selected(_scoped(with_kinds(verdict, pages), scope), pages, scope)


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
            if scope.comments is None and told != _FORUM:
                labels[kept_comments(table, labels, headlines)] = OTHER
            if scope.headline is None and told != _FORUM and len(headlines):
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
            added = may_be_added & (kinds == kind)
            is_header = (kind == Kind.HEADLINE) | (table.heading_level[added] > 0)
            labels[added] = np.where(is_header, HEADER, TEXT)
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


_GROUPS: Final = (("comment", "review"), ("forum",), ("ingredient",), ("note",))
"""Of names, in the order of core/kinds/finish.c."""


class PlainPages(NamedTuple):
    """What becomes of the P pages of a batch that need nothing rare.

    Attributes:
        verdict: with whole units; its n labels in the scope `main` are `labels`.
        labels: (n,) uint8 `victor.base.labels.Label`.
        needs: `Needs` of each page; of pages that have any the others say nothing.
    """

    verdict: Verdict
    labels: Labels
    needs: bytes


def plain_pages(verdict: Verdict, *, is_forum: bool) -> PlainPages | None:
    """The judgments on pages that need nothing rare; None if names are not recorded.

    Args:
        verdict: of a model.
        is_forum: does the user say that all pages are threads.
    """
    table = verdict.table
    if not {*ATTRIBUTES} <= {*table.attributes}:
        return None
    found = core.compiled.finish(
        table.batch, _rules(table.attributes), LARGEST, is_forum,
        verdict.labels, np.ascontiguousarray(verdict.marginals),
        words().names.masks(table),
    )  # fmt: skip
    labels, p_other, in_scope, needs = found
    whole = core.array(labels, np.uint8), no_tables(table), core.array(p_other, np.float64)
    return PlainPages(verdict.with_units(*whole), core.array(in_scope, np.uint8), bytes(needs))


@lru_cache(maxsize=16)
def _rules(attributes: tuple[str, ...]) -> object:
    """What the core looks for in tables with some attributes, in the order of ``finish.c``."""
    is_told = {*HIDING} <= {*attributes}
    hiding = [attributes.index(name) for name in HIDING] if is_told else []
    arrays = (
        whole_units.ROLES,
        HIDING_ROLES,
        roles_of(WHOLE_PAGE),
        roles_of(),
        roles_of(frozenset({"sup"}), frozenset({"a"}), whole_units.TABLES),
        TAGS,
        PRE_TAGS,
        np.array([*map(bits_of, _GROUPS)], dtype=np.uint64),
        np.array(hiding, dtype=np.int64),
        table_roles(),
        declared.MONEY,
    )
    return core.compiled.judgment_rules(tuple(map(unchanging, arrays)))
