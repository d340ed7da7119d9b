"""How much of a page's text shares a block's nearest div or table cell (Victor 2008: *-group)."""

from __future__ import annotations

from typing import Final

from victor.features.base import Column, Feature, Kernel, tag_ids

_NAMES: Final = ("div", "td")
COLUMNS: Final = (
    *(
        Column(
            f"{name}-group.word-ratio",
            "number",
            f"words outside links in blocks of the same nearest {name}, over the page's words",
        )
        for name in _NAMES
    ),
    *(
        Column(f"document.max-{name}-group", "number", f"highest {name}-group.word-ratio")
        for name in _NAMES
    ),
)


def build() -> Feature:
    """The group shares; they have no parameters. A word is a token of letters.

    Blocks outside any such element are one group of their page. Text of nested elements is not
    text of the outer group: the blocks below form the groups (a, d, g), (b, c) and (e, f).

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div>a<div>b<br>c</div>d<div>e<br>f</div>g</div>"
    >>> ratios = build()(parse_pages([page], "tag"))["div-group.word-ratio"]
    >>> (ratios * 7).round().tolist()
    [3.0, 2.0, 2.0, 3.0, 2.0, 2.0, 3.0]
    """
    return Kernel(COLUMNS, "groups", (tag_ids(_NAMES), tag_ids(["a"])))
