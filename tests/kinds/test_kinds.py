"""Every kind on small pages, and on the tables of all labelers."""

import numpy as np
import pytest

from victor.api import Cleaner
from victor.base.labels import Kind, Label
from victor.kinds.finish import with_kinds
from victor.kinds.kinds import Kinds
from victor.labelers.labeler import LABELERS, build_labeler
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS
from victor.page.table.segment import parse_pages, segment
from victor.page.verdict.verdict import Verdict

PROSE = (
    "The bees left their hive on Tuesday and came back on Friday without a word of explanation. "
)


def kinds_by_label(table, labels):
    """Kinds of the blocks of a table."""
    return Kinds(table, labels).codes


REPLIES = "".join(f"<div class=comment><p>{PROSE}</p></div>" for _ in range(9))


@pytest.mark.parametrize("name", sorted(LABELERS))
def test_every_labeler_has_kinds(name, page):
    result = Cleaner(build_labeler(name)).clean(page)
    found = {block.text: block.kind for block in result.blocks}
    assert found["Ferry to Skarne sails again after nine weeks"] == "headline"
    assert found["Well done."] == "comment"


def test_a_line_is_of_the_kind_of_the_block_that_it_begins_with(page):
    result = Cleaner(build_labeler("density", "density-paper")).clean(page)
    found = {block.text.split()[0]: block.kind for block in result.blocks}
    assert (found["Ferry"], found["New"], found["Ylva"]) == (
        "headline",
        "other",
        "other",
    )


# --- Text by the element that it stands in --------------------------------------------------------


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


# --- Blocks that are cut at every tag -------------------------------------------------------------


def kinds_of_pieces(table, page, labels):
    labels = np.array(labels, dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(labels), len(Label))), "by hand")
    return with_kinds(verdict, [page]).kinds.tolist()


@pytest.mark.parametrize(
    ("page", "labels", "kind"),
    [
        # A piece without words weighs as much as one of a word; of equals the header counts.
        (b"<p>-", [Label.TEXT], Kind.TEXT),
        (b"<p>bees <b>-</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>- <b>bees</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>bees <b>fly</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>bees <b>fly home</b>", [Label.HEADER, Label.TEXT], Kind.TEXT),
    ],
)
def test_the_label_of_most_words_counts_for_all_pieces_of_a_paragraph(page, labels, kind):
    table = segment(record([page], attributes=ATTRIBUTES), "tag")
    assert kinds_of_pieces(table, page, labels) == [kind] * len(labels)


def test_what_only_a_labeler_reads_goes_with_the_first_paragraph_behind_it():
    page = b"<p><img alt='a bee'><p>bees fly<p>wasps"
    table = segment(record([page], alt_text=True), "tag")
    expected = [Kind.TEXT, Kind.TEXT, Kind.OTHER]
    assert kinds_of_pieces(table, page, [Label.TEXT, Label.TEXT, Label.OTHER]) == expected


@pytest.mark.parametrize("pages", [[], [b""], [b"", b"<p>"]])
def test_pages_without_blocks(pages):
    table = parse_pages(pages, attributes=ATTRIBUTES)
    assert kinds_by_label(table, np.zeros(0, dtype=np.uint8)).tolist() == []


def test_what_only_a_labeler_reads_has_no_kind():
    page = b"<p><img alt='a bee'>"
    table = segment(record([page], alt_text=True), "tag")
    assert kinds_of_pieces(table, page, [Label.TEXT]) == [Kind.OTHER]
