"""What becomes of the labels of a labeler before anything is written: whole units, kinds, scope."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes, Ints, Labels
from victor.base.labels import HEADER, OTHER, TEXT, Kind
from victor.config import Scope, ScopeName
from victor.kinds.comments import kept_comments
from victor.kinds.heading_links import without_heading_links
from victor.kinds.headline import kept_headlines
from victor.kinds.kinds import with_kinds
from victor.kinds.selected import with_selected
from victor.kinds.whole_units import with_whole_units
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

_KEEPS: Final = {"main": (), "article": (Kind.HEADLINE,), "full": (Kind.HEADLINE, Kind.COMMENT)}
_DROPS: Final = {"main": (), "article": (Kind.COMMENT,), "full": ()}
_STAY, _KEEP, _DROP = range(3)
_SWITCHES: Final = {"headline": Kind.HEADLINE, "comments": Kind.COMMENT}


def finish(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> Verdict:
    """The verdict of a labeler with whole tables and code, with kinds, and in scope.

    Kinds cost nothing until they are asked for.

    Args:
        verdict: of the labeler.
        pages: its pages as UTF-8 bytes.
        scope: which parts of pages are kept.
    """
    verdict = without_heading_links(with_whole_units(verdict.on_pages(pages), pages))
    return with_selected(scoped(with_kinds(verdict, pages), scope), pages, scope)


def scoped(verdict: Verdict, scope: Scope) -> Verdict:
    """The verdict with the parts kept and dropped that a scope says.

    Pages of which the labeler keeps nothing stay empty. The probabilities stay what the labeler
    thinks. What a model keeps loses its headline in the scope `main`, and headings at its end that
    head nothing; the systems of others keep both, as they were published.

    Args:
        verdict: with kinds.
        scope: which parts.
    """
    labels = verdict.labels
    actions = _actions(scope.name, *(getattr(scope, part) for part in _SWITCHES))
    if actions is not None:
        labels = _acted(verdict, labels, actions)
    if verdict.by_model:
        labels = labels.copy() if labels is verdict.labels else labels
        if scope.name == "main" and scope.comments is None:
            labels[kept_comments(verdict.table, labels)] = OTHER
        if scope.name == "main" and scope.headline is None:
            labels[kept_headlines(verdict.table, labels)] = OTHER
        labels[_dangling(verdict.table, labels)] = OTHER
    return verdict.with_scope(labels)


def _acted(verdict: Verdict, labels: Labels, actions: Codes) -> Labels:
    """(n,) labels after what becomes of the blocks of each kind."""
    kinds, kept = verdict.kinds, labels != OTHER
    assert kinds is not None, "a scope needs kinds"
    action = actions[kinds]
    added = (action == _KEEP) & ~kept & _has_text(verdict.table, kept)
    labels = np.where((action == _DROP) & kept, OTHER, labels).astype(np.uint8)
    labels[added] = np.where(_is_heading(verdict, kinds)[added], HEADER, TEXT)
    return labels


def _dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text."""
    kept = np.flatnonzero(labels != OTHER)
    last = np.searchsorted(kept, table.page_starts[1:]) - 1
    starts, last = table.page_starts[:-1][last > 0], last[last > 0]
    before, last = kept[last - 1], kept[last]
    is_last = (before >= starts) & (table.heading_level[last] > 0)
    return np.asarray(last[is_last & (table.heading_level[before] == 0)])


@cache
def _actions(name: ScopeName, *switches: bool | None) -> Codes | None:
    """(kinds,) what becomes of the blocks of each kind; None if all stay as they are.

    Args:
        name: of the scope.
        switches: of its parts, in the order of `_SWITCHES`.
    """
    actions = np.full(len(Kind), _STAY, dtype=np.uint8)
    actions[[*_KEEPS[name]]] = _KEEP
    actions[[*_DROPS[name]]] = _DROP
    for kind, switch in zip(_SWITCHES.values(), switches, strict=True):
        if switch is not None:
            actions[kind] = _KEEP if switch else _DROP
    actions.flags.writeable = False
    return None if (actions == _STAY).all() else actions


def _has_text(table: BlockTable, kept: Bools) -> Bools:
    """(n,) is anything kept of the page."""
    n_kept = np.bincount(table.page[kept], minlength=table.n_pages)
    return np.asarray(n_kept[table.page] > 0)


def _is_heading(verdict: Verdict, kinds: Codes) -> Bools:
    return np.asarray((kinds == Kind.HEADLINE) | (verdict.table.heading_level > 0))
