"""What is done with the labels of a labeler before anything is written of them."""

from __future__ import annotations

from collections.abc import Sequence

from victor.config import Scope
from victor.kinds.judged import with_kinds
from victor.kinds.scope import scoped
from victor.page.verdict.verdict import Verdict
from victor.tables.whole_units import with_whole_units


def finished(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> Verdict:
    """The verdict of a labeler with whole tables and code, with kinds, and in scope.

    Kinds cost nothing until they are asked for.

    Args:
        verdict: of the labeler.
        pages: its pages as UTF-8 bytes.
        scope: which parts of pages are kept.
    """
    return scoped(with_kinds(with_whole_units(verdict, pages), pages), scope)
