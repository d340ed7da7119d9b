"""Exact figures of known Markdown against what they expect."""

from foreign import KINDS as FIGURE_KINDS
from foreign import figures
from structure.rendered import document_of

from tests.rows import tables

KINDS = tables(__file__)["kinds"]


def compared(expected, output):
    extensions = ("footnote", "dollarmath")
    return figures(document_of(expected, extensions), document_of(output, extensions))


def test_kinds_are_counted():
    same = compared(KINDS, KINDS)
    assert same.right == same.wanted == same.given
    counted = {kind for kind in FIGURE_KINDS if same.wanted[kind]}
    assert {*FIGURE_KINDS} - counted == {"inline code", "italic"}
    assert (same.f, same.missed) == (1.0, [])
    other = compared(KINDS, "## One\n\nA b")
    assert {kind for kind in FIGURE_KINDS if other.right[kind]} == {"heading"}
    assert (other.precision, other.given.total()) == (1.0, 1)
