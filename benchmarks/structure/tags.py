"""Groups of elements."""

from __future__ import annotations

from typing import Final

BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav "
    "ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
LISTS: Final = frozenset(["ul", "ol", "menu", "dir"])
