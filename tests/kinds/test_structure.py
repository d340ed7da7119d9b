"""Kept text by the innermost element that says what it is."""

import numpy as np
import pytest

from victor.kinds.rules import kinds
from victor.labels import KIND_NAMES, Label
from victor.page.name_groups import ATTRIBUTES
from victor.page.segment import parse_pages
from victor.page.texts import block_texts


def kinds_of_kept(markup):
    """Text to kind, if all is kept."""
    table = parse_pages([markup], attributes=ATTRIBUTES)
    codes = kinds(table, np.full(len(table), Label.TEXT, dtype=np.uint8))
    return dict(zip(block_texts(table), (KIND_NAMES[code] for code in codes), strict=True))


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<p>bees</p>", "paragraph"),
        ("<ul><li>bees</ul>", "item"),
        ("<ul><li><p>bees</p></ul>", "item"),
        ("<dl><dd>bees</dl>", "item"),
        ("<blockquote><p>bees</p></blockquote>", "quote"),
        ("<blockquote><ul><li>bees</ul></blockquote>", "item"),
        ("<ul><li><blockquote>bees</blockquote></ul>", "quote"),
        ("<div class=bbcode_quote>bees</div>", "quote"),
        ("<blockquote class=postcontent>bees</blockquote>", "paragraph"),
        ("<pre>bees</pre>", "code"),
        ("<ul><li><pre><code>bees</code></pre></ul>", "code"),
        ("<p><code>bees</code></p>", "code"),
        ("<p>the <code>bees</code></p>", "paragraph"),
        ("<p><code>bees</code> fly</p>", "paragraph"),
        ("<ul><li><code>bees</code></ul>", "item"),
    ],
)
def test_text_is_of_the_innermost_element(markup, kind):
    assert [*kinds_of_kept(markup).values()] == [kind]


def test_cells_are_those_of_tables_of_data():
    rows = (
        "<tr><th>Hive<th>Bees</tr><tr><td>North<td>400</tr><tr><td>South<td><ul><li>300</ul></tr>"
    )
    of_data = kinds_of_kept(f"<table>{rows}</table>")
    assert of_data == {
        "Hive": "cell", "Bees": "cell", "North": "cell", "400": "cell", "South": "cell",
        "300": "item",
    }  # fmt: skip
    laid_out = kinds_of_kept(f"<table role=presentation>{rows}</table>")
    assert laid_out["North"] == "paragraph"


def test_tables_that_hold_tables_or_long_texts_only_lay_out():
    inner = "<table><tr><td>Hive<td>400</tr><tr><td>South<td>300</tr></table>"
    found = kinds_of_kept(f"<table><tr><td>Menu<td>{inner}</tr><tr><td>Left<td>Right</tr></table>")
    assert (found["Menu"], found["Hive"]) == ("paragraph", "cell")
    long = "bees " * 60
    found = kinds_of_kept(f"<table><tr><td>a<td>{long}</tr><tr><td>b<td>{long}c</tr></table>")
    assert set(found.values()) == {"paragraph"}
