"""The output form that a labeler's authors describe, if there is one; else plain text."""

from __future__ import annotations

from victor.page.verdict.verdict import Verdict
from victor.render import renderer


def render(verdict: Verdict, page: int, *, markup: bytes | None = None, **metadata: object) -> str:
    """A page in the form that the labeler's configuration asks for.

    Args:
        verdict: what to keep.
        page: number of the page in the batch.
        markup: the UTF-8 bytes that the page was read from.
        metadata: not used.

    Raises:
        ConfigError: the labeler writes HTML and there is no markup.
    """
    if verdict.native is None:
        return renderer("text")(verdict, page)
    return verdict.native(verdict, page, markup)
