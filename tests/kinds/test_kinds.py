"""Kinds on the tables of all labelers, whatever they record.

Single pages of each kind are in tests/cases/kinds.
"""

import numpy as np
import pytest

from victor.api import Cleaner
from victor.base.labels import Kind, Label
from victor.kinds.finish import with_kinds
from victor.labelers.labeler import LABELERS, build_labeler
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


@pytest.mark.parametrize("name", sorted(LABELERS))
def test_every_labeler_has_kinds(name, page):
    result = Cleaner(build_labeler(name)).clean(page)
    found = {block.text: block.kind for block in result.blocks}
    assert found["Ferry to Skarne sails again after nine weeks"] == "headline"
    assert found["Well done."] == "comment"


def test_a_line_is_of_the_kind_of_the_block_that_it_begins_with(page):
    result = Cleaner(build_labeler("density", "density-paper")).clean(page)
    found = {block.text.split()[0]: block.kind for block in result.blocks}
    kinds = [found[word] for word in ("Ferry", "New", "Ylva")]
    assert kinds == ["headline", "other", "other"]


ALTERNATIVES = ("filters.non_link_images=true", "filters.alt_for_images=true")


@pytest.mark.parametrize(
    ("labeler", "overrides"), [("none", ()), ("dom", ()), ("dom", ALTERNATIVES)]
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


H, T, O = Label.HEADER, Label.TEXT, Label.OTHER  # noqa: E741


@pytest.mark.parametrize(
    ("page", "labels", "kinds"),
    [
        # A piece without words weighs as much as one of a word; of equals the header counts.
        ("<p>-", [T], [Kind.TEXT]),
        ("<p>bees <b>-</b>", [H, T], [Kind.HEADING] * 2),
        ("<p>- <b>bees</b>", [H, T], [Kind.HEADING] * 2),
        ("<p>bees <b>fly</b>", [H, T], [Kind.HEADING] * 2),
        ("<p>bees <b>fly home</b>", [H, T], [Kind.TEXT] * 2),
        # What only a labeler reads goes with the first paragraph behind it, if there is one.
        ("<p><img alt='a bee'><p>bees fly<p>wasps", [T, T, O], [Kind.TEXT, Kind.TEXT, Kind.OTHER]),
        ("<p><img alt='a bee'>", [T], [Kind.OTHER]),
    ],
)
def test_the_label_of_most_words_counts_for_all_pieces_of_a_paragraph(page, labels, kinds):
    table = segment(record([page.encode()], alt_text=True), "tag")
    marginals = np.zeros((len(labels), len(Label)))
    verdict = Verdict(table, np.array(labels, dtype=np.uint8), marginals, "by hand")
    assert with_kinds(verdict, [page.encode()]).kinds.tolist() == kinds
