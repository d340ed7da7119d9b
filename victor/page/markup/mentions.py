"""Whether any of some words stands in the markup of a page."""

from __future__ import annotations

from collections.abc import Sequence

from victor.base import core


def mentions(markup: bytes, words: Sequence[bytes]) -> bool:
    """Does a page hold one of a few words, whatever the case of its ASCII letters.

    Args:
        markup: the page as UTF-8 bytes.
        words: at most 64 of at least 4 bytes each, in lower case.
    """
    return bool(core.compiled.markup_mentions(markup, tuple(words)))
