"""Pages without a tag: blank lines are all that parts their paragraphs."""

from __future__ import annotations

import re
from typing import Final

_BLANK_LINES: Final = re.compile(rb"(?:\r\n?+|\n)[ \t]*+(?:\r\n?+|\n)\s*+")


def with_paragraphs(markup: bytes) -> bytes:
    r"""The markup; of a page without any tag its paragraphs as elements.

    White space is collapsed when blocks are cut, blank lines included: plain text would be one
    paragraph.

    Args:
        markup: in UTF-8.

    >>> with_paragraphs(b"On bees\n\nThey live in colonies.")
    b'<p>On bees\n\n<p>They live in colonies.'
    """
    if b"<" in markup or not _BLANK_LINES.search(markup):
        return markup
    return b"<p>" + _BLANK_LINES.sub(rb"\g<0><p>", markup)
