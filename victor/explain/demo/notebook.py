"""A demo page inside a notebook."""

from __future__ import annotations

import html
from typing import Final

LARGEST: Final = 2_000
"""Blocks of the largest page that is shown in a notebook, which keeps all that it shows."""
_HEIGHT: Final = 640
"""Pixels."""


def framed(page: str) -> str:
    """A demo page in a frame: neither can reach the other, nor their styles."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="Victor demo" '
        f'style="width:100%;height:{_HEIGHT}px;border:1px solid #d6d8d4;border-radius:8px">'
        "</iframe>"
    )


def too_large(n_blocks: int) -> str:
    """What is said of a larger page."""
    return (
        f"<p>The page has {n_blocks:,} blocks; notebooks show up to {LARGEST:,}. All of it: "
        "<code>pathlib.Path(&quot;page.html&quot;).write_text(result.demo(), "
        "encoding=&quot;utf-8&quot;)</code></p>"
    )
