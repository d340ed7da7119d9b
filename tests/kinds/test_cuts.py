"""Kinds of blocks that are cut at every tag or at the ends of lines, not as the rules need it."""

import numpy as np
import pytest

from victor.base.labels import Kind, Label
from victor.kinds.kinds import with_kinds
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


def kinds_of(table, page, labels):
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
    assert kinds_of(table, page, labels) == [kind] * len(labels)


def test_what_only_a_labeler_reads_has_no_kind():
    page = b"<p><img alt='a bee'>"
    table = segment(record([page], alt_text=True), "tag")
    assert kinds_of(table, page, [Label.TEXT]) == [Kind.OTHER]


def test_what_only_a_labeler_reads_goes_with_the_first_paragraph_behind_it():
    page = b"<p><img alt='a bee'><p>bees fly<p>wasps"
    table = segment(record([page], alt_text=True), "tag")
    expected = [Kind.TEXT, Kind.TEXT, Kind.OTHER]
    assert kinds_of(table, page, [Label.TEXT, Label.TEXT, Label.OTHER]) == expected
