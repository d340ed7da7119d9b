"""The configuration of the 2008 paper against its list of features and its own examples.

M. Spousta, M. Marek, P. Pecina: Victor: the Web-Page Cleaning Tool. WAC4, 2008, section 3.
"""

import numpy as np
import pytest

from victor import features
from victor.config.layers import load
from victor.model.discretize import Codebook, expand_discretizers
from victor.model.template import Template, expand
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

LISTED = """
container.p container.a container.u container.img container.class-header container.class-bold
container.class-italic container.class-list container.class-form
split.p split.br split.hr split.class-inline split.class-block
char.alpha-rel char.num-rel char.punct-rel char.white-rel char.other-rel
token.alpha-rel token.num-rel token.mix-rel token.other-rel
token.alpha-abs token.num-abs token.mix-abs token.other-abs
sentence.count sentence.avg-length sentence-begin sentence-end
first-duplicate duplicate-count regexp.url regexp.date regexp.time
div-group.word-ratio td-group.word-ratio langid1 langid2
position document.word-count document.sentence-count document.block-count
document.max-div-group document.max-td-group
""".split()
"""Section 3.2, in its order."""
COUNTED = [f"char.{kind}-abs" for kind in ("alpha", "num", "punct", "white", "other")]
"""Its list of char.* has shares only, its sentence says "absolute and relative counts"."""
PROGRAM_ONLY = ["avg-word-length", "avg-word-run", "looks-like-bullet", "sentence-not-started",
                "sentence-not-finished"]  # fmt: skip
PAPER_ONLY = ["sentence.avg-length", "sentence-begin", "sentence-end", "langid1", "langid2"]


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
    assert sorted(paper.discretizers) == sorted([*LISTED, *COUNTED])


def test_the_earlier_program_lacks_five_and_has_five_others(program):
    assert set(program.discretizers) == {*LISTED, *PROGRAM_ONLY} - set(PAPER_ONLY)
    assert "container.u" not in program.template.names


def test_every_column_is_read_at_some_offset(paper):
    assert set(paper.template.names) == set(paper.discretizers)
    offsets = {entry.columns[0][1] for entry in paper.template.entries}
    assert offsets == set(range(-3, 4))


def test_every_column_has_finitely_many_values(paper):
    sizes = Codebook.fit(paper.features(paper.table("<p>a")), paper.discretizers).sizes
    assert len(sizes) == len(paper.discretizers)
    assert max(sizes.values()) <= 21


def test_the_threshold_is_on_p_other(paper):
    assert (paper.config.decide.method, paper.config.decide.threshold) == ("threshold", 0.5)


def test_every_tag_ends_a_block(paper):
    assert block_texts(paper.table("<p>Hello <b>world</b>!</p>")) == ["Hello", "world", "!"]


def test_one_line_break_and_two_have_different_codes(paper, program):
    page = "<p>one<br>two<br><br>three<b>four</b>"
    assert paper.values(page)["split.br"] == [0, 1, 2, 0]
    assert paper.codes(page)["split.br"] == [0, 1, 2, 0]
    assert program.codes(page)["split.br"] == [0, 2, 2, 0], "it counts every <br> twice"


def test_tokens_stand_between_white_space(paper, program):
    page = "<p>e.g. 3.14 (a1) ok..."
    kinds = ("alpha", "num", "mix", "other")
    assert [paper.values(page)[f"token.{kind}-abs"][0] for kind in kinds] == [2, 1, 1, 0]
    assert [program.values(page)[f"token.{kind}-abs"][0] for kind in kinds] == [3, 2, 1, 2]


def test_every_mark_counts_as_a_sentence(paper, program):
    page = '<p>It rained. "We stayed." Dr. No?! Well...'
    assert paper.values(page)["sentence.count"] == [8]
    assert paper.values(page)["document.sentence-count"] == [8]
    assert program.values(page)["sentence.count"] == [4]
    assert program.values(page)["document.sentence-count"] == [4]


def test_the_mean_length_is_in_words_and_an_unfinished_sentence_counts(paper):
    page = '<p>"We stayed there."</p><p>It rained. We stayed</p><p>On bees</p>'
    assert paper.values(page)["sentence.avg-length"] == [3, 2, 2]


def test_twins_ignore_white_space_and_all_but_letters(paper, program):
    page = "<p>Read more...<p>READ MORE<p>read  more!<p>Read more 12<p>About us"
    assert paper.values(page)["duplicate-count"] == [4, 4, 4, 4, 1]
    assert paper.values(page)["first-duplicate"] == [True, False, False, False, False]
    assert program.values(page)["duplicate-count"] == [1, 1, 1, 1, 1]
    assert program.values(page)["first-duplicate"] == [True] * 5


def test_groups_are_those_of_the_example(paper):
    """Groups (a, d, g), (b, c) and (e, f)."""
    page = "<div>a<div>b<br>c</div>d<div>e<br>f</div>g</div>"
    group = np.array(paper.values(page)["div-group.word-ratio"])
    assert group == pytest.approx(np.array([3, 2, 2, 3, 2, 2, 3]) / 7)
    assert paper.values(page)["document.max-div-group"] == pytest.approx([3 / 7] * 7)


def test_words_of_links_are_not_in_a_group(paper):
    page = "<div>a b <a>c d e f</a></div><div>g h i j</div>"
    assert paper.values(page)["div-group.word-ratio"] == pytest.approx([0.2, 0.2, 0.4])


def test_a_link_in_a_paragraph_has_both_containers(paper):
    values = paper.values("<p><a>here</a> and <u>there</u>")
    names = expand("container.{p,a,u}")
    assert [[values[name][block] for name in names] for block in range(3)] == [
        [True, True, False], [True, False, False], [True, False, True],
    ]  # fmt: skip


def test_the_number_of_the_first_expression_that_matches(paper):
    page = "<p>www.a.cz and http://b.cz<p>5. 11. 2007, 12:30 pm<p>5. 11. 07<p>9:15 h<p>none"
    values = paper.values(page)
    assert values["regexp.url"] == [1, 0, 0, 0, 0]
    assert values["regexp.date"] == [0, 2, 4, 6, 0], "between two numbers may be any character"
    assert values["regexp.time"] == [0, 1, 0, 2, 0]


def test_both_measures_of_the_language_are_of_czech(paper):
    page = "<p>Včely žijí v úlech a sbírají pyl z květů.<p>Bees live in hives and gather pollen."
    for name in ("langid1", "langid2"):
        czech, english = paper.values(page)[name]
        assert 0 <= english < czech <= 1


def test_the_position_counts_blocks(paper):
    assert paper.values("<p>a<p>b, and much more text<p>c<p>d")["position"] == [0, 0.25, 0.5, 0.75]
