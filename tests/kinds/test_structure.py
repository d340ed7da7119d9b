"""Kept text by the innermost element that says what it is."""

import numpy as np
import pytest

from victor.api import Cleaner
from victor.base.labels import KIND_NAMES, Kind, Label
from victor.kinds.kinds import Kinds
from victor.labelers import build_labeler
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.tags import IDS
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts


def kinds_of_kept(markup):
    """Text to kind, if all is kept."""
    table = parse_pages([markup], attributes=ATTRIBUTES)
    codes = Kinds(table, np.full(len(table), Label.TEXT, dtype=np.uint8)).codes
    return dict(zip(block_texts(table), (KIND_NAMES[code] for code in codes), strict=True))


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<p>bees</p>", "text"),
        ("<ul><li>bees</ul>", "item"),
        ("<ul><li><p>bees</p></ul>", "item"),
        ("<dl><dd>bees</dl>", "item"),
        ("<blockquote><p>bees</p></blockquote>", "quote"),
        ("<blockquote><ul><li>bees</ul></blockquote>", "item"),
        ("<ul><li><blockquote>bees</blockquote></ul>", "quote"),
        ("<div class=bbcode_quote>bees</div>", "quote"),
        ("<blockquote class=postcontent>bees</blockquote>", "text"),
        ("<pre>bees</pre>", "code"),
        ("<ul><li><pre><code>bees</code></pre></ul>", "code"),
        ("<p><code>bees</code></p>", "code"),
        ("<p>the <code>bees</code></p>", "text"),
        ("<p><code>bees</code> fly</p>", "text"),
        ("<ul><li><code>bees</code></ul>", "item"),
    ],
)
def test_text_is_of_the_innermost_element(markup, kind):
    assert [*kinds_of_kept(markup).values()] == [kind]


ROWS = "<tr><th>Hive<th>Bees</tr><tr><td>North<td>400</tr><tr><td>South<td><ul><li>300</ul></tr>"


def test_cells_are_those_of_tables_of_data():
    table = parse_pages([f"<table>{ROWS}</table>" * 2], attributes=ATTRIBUTES)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    is_data = np.zeros(len(table.elements), dtype=bool)
    is_data[np.flatnonzero(table.elements.tag == IDS["table"])[0]] = True
    of_data, laid_out = np.split(Kinds(table, labels, is_data).codes, 2)
    assert of_data.tolist() == [Kind.CELL] * 5 + [Kind.ITEM]
    assert laid_out.tolist() == [Kind.TEXT] * 5 + [Kind.ITEM]
    assert Kind.CELL not in Kinds(table, labels).codes


ALTERNATIVES = ("filters.non_link_images=true", "filters.alt_for_images=true")


@pytest.mark.parametrize(
    ("labeler", "overrides"),
    [("none", ()), ("dom", ()), ("dom", ALTERNATIVES)],
)
def test_cells_are_those_of_the_tables_that_are_written(labeler, overrides):
    """Whatever the labeler records; images with a text are two tags for some."""
    prose = "<p>" + "The hives stand in the north and in the south of the old orchard. " * 9
    rows = "".join(f"<tr><td>Hive {n}<td>{n}00<td>{n}5.5" for n in range(1, 9))
    of_data = f"<table border=1><tr><th>Hive<th>Bees<th>Honey</tr>{rows}</table>"
    laid_out = f"<table><tr><td>{prose}<td>{prose}<tr><td>Up<td>{prose}</table>"
    images = "<img src=a.png alt='a bee'>"
    page = f"{images}{prose}<br>{laid_out}{images}{prose}{of_data}{prose}{laid_out}{prose}"
    result = Cleaner(build_labeler(labeler, overrides=overrides)).clean(page)
    cells = [block.text for block in result.blocks if block.kind == "cell"]
    verdict, _ = result.in_batch
    inside = verdict.tables.is_data[verdict.table.elements.innermost(frozenset({"table"}))]
    written = [
        block.text
        for block, element in zip(result.blocks, verdict.table.element, strict=True)
        if inside[element] and block.kept
    ]
    assert len(written) == 27
    assert " ".join(cells) == " ".join(written)
