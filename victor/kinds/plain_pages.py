"""The judgments on pages that need nothing rare: one call of the core makes them all.

Most pages have no copies, data tables, facts, declarations, notes, links of headings or comments.
Where the core says that a page may have some, `victor.kinds.scope` goes step by step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Labels, unchanging
from victor.kinds import declared, whole_units
from victor.kinds.copies import PRE_TAGS
from victor.kinds.kinds import TAGS
from victor.kinds.names import bits_of
from victor.kinds.units import LARGEST
from victor.page.markup import elements
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE
from victor.page.names.shipped_words import words
from victor.page.parsing.tags import roles_of
from victor.page.verdict.paragraphs import no_tables
from victor.page.verdict.verdict import Verdict
from victor.tables.leaf_tables import roles

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
    is_told = {*elements.HIDING} <= {*attributes}
    hiding = [attributes.index(name) for name in elements.HIDING] if is_told else []
    arrays = (
        whole_units.ROLES,
        elements.ROLES,
        roles_of(WHOLE_PAGE),
        roles_of(),
        roles_of(frozenset({"sup"}), frozenset({"a"}), whole_units.TABLES),
        TAGS,
        PRE_TAGS,
        np.array([*map(bits_of, _GROUPS)], dtype=np.uint64),
        np.array(hiding, dtype=np.int64),
        roles(),
        declared.MONEY,
    )
    return core.compiled.judgment_rules(tuple(map(unchanging, arrays)))
