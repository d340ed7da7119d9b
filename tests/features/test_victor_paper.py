"""The configuration of the 2008 paper against its list of features and its own examples.

M. Spousta, M. Marek, P. Pecina: Victor: the Web-Page Cleaning Tool. WAC4, 2008, section 3.
"""

import pytest

from tests.rows import tables
from victor import features
from victor.config.layers import load
from victor.model.discretize import Codebook, expand_discretizers
from victor.model.template import Template
from victor.page.parsing.events import record
from victor.page.table.segment import segment

COLUMNS = tables(__file__)
"""What paper and program have."""


class Read:
    """A shipped configuration, with what follows from it."""

    def __init__(self, name):
        self.config = load(name)
        self.features = features.from_config(self.config.features)
        columns = {column.name: column for column in self.features.columns}
        self.discretizers = expand_discretizers(self.config.discretize, columns)
        self.template = Template.from_config(
            self.config.template,
            columns=tuple(self.discretizers),
            page_edge=self.config.page_edge,
        )

    def table(self, page):
        events = record([page.encode()], alt_text=self.config.segment.alt_text)
        return segment(events, self.config.split, pre_lines=self.config.segment.pre_lines)

    def codes(self, *pages):
        """Codes of every column over the blocks of a page."""
        values = self.features(self.table(*pages))
        codebook = Codebook.fit(values, self.discretizers)
        return dict(zip(codebook.names, codebook.codes(values).T.tolist(), strict=True))

    def values(self, page):
        return {name: column.tolist() for name, column in self.features(self.table(page)).items()}


@pytest.fixture(scope="module")
def paper():
    return Read("victor-paper")


@pytest.fixture(scope="module")
def program():
    return Read("victor2007")


def test_its_columns_are_the_list_of_the_paper_and_no_others(paper):
    assert sorted(paper.discretizers) == sorted(COLUMNS["listed"] + COLUMNS["counted"])


def test_the_earlier_program_lacks_five_and_has_five_others(program):
    assert set(program.discretizers) == {*COLUMNS["listed"], *COLUMNS["program_only"]} - {
        *COLUMNS["paper_only"]
    }
    assert "container.u" not in program.template.names


def test_every_column_is_read_at_some_offset(paper):
    assert set(paper.template.names) == set(paper.discretizers)
    offsets = {entry.columns[0][1] for entry in paper.template.entries}
    assert offsets == set(range(-3, 4))


def test_one_line_break_and_two_have_different_codes(paper, program):
    page = "<p>one<br>two<br><br>three<b>four</b>"
    assert paper.values(page)["split.br"] == [0, 1, 2, 0]
    assert paper.codes(page)["split.br"] == [0, 1, 2, 0]
    assert program.codes(page)["split.br"] == [0, 2, 2, 0], "it counts every <br> twice"


def test_both_measures_of_the_language_are_of_czech(paper):
    page = "<p>Včely žijí v úlech a sbírají pyl z květů.<p>Bees live in hives and gather pollen."
    for name in ("langid1", "langid2"):
        czech, english = paper.values(page)[name]
        assert 0 <= english < czech <= 1


def test_the_template_of_the_program_has_269_lines(program):
    template = program.template
    assert len(template.entries) == 269
    assert set(program.discretizers) - set(template.names) == {"container.u"}
    assert template.page_edge == "distance"
    joined = [entry.columns for entry in template.entries if len(entry.columns) > 1]
    names = ("split.class-inline", "split.class-block")
    assert joined == [tuple((name, offset) for name in names) for offset in range(-2, 4)]


def test_every_value_of_the_program_has_a_code_of_its_own(program):
    """No category is cut off: the codes reach as far as the column's values."""
    expressions = next(e["regexps"] for e in program.config.features if "regexps" in e)
    for name, values in expressions.items():
        assert program.discretizers[f"regexp.{name}"] == {"category": len(values) + 1}
    assert program.discretizers["looks-like-bullet"] == {"category": 13}
    flags = {name for name, found in program.discretizers.items() if found == "bool"}
    kinds = {column.name: column.kind for column in program.features.columns}
    assert flags == {name for name in program.discretizers if kinds[name] == "bool"}
