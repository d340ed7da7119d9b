"""Questions on our pages: ranked lines, and what supports an answer."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "annotations" / "pages"


@pytest.fixture
def script(monkeypatch):
    """The benchmark as a module."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return import_module("kitten_questions")


def test_every_question_is_about_a_page_of_ours_and_asked_once(script):
    asked = script.questions()
    assert len({(question.page, question.text) for question in asked}) == len(asked) >= 100
    assert {question.page for question in asked} <= {path.stem for path in PAGES.glob("*.html")}


def test_the_line_that_shares_most_rare_words_comes_first(script):
    lines = [
        script.Line("a", "the tram and the bus"),
        script.Line("a", "the bus"),
        script.Line("b", "the horse"),
    ]
    best = script.Retriever.of(lines).best("Where does the bus stop?", 3)
    assert [line.text for line in best] == ["the bus", "the tram and the bus", "the horse"]


def test_an_answer_is_held_as_whole_words_and_supported_with_what_it_belongs_to(script):
    question = script.Question("a", "What is the area of Black Sike?", ("black sike", "area"), "41")
    lines = {
        script.Line("a", "Catchment: Black Sike / Area (ha): 41."): (True, True),
        script.Line("a", "Black Sike\t41\tblocked"): (True, False),
        script.Line("a", "Black Sike: area 410"): (False, False),
        script.Line("b", "Black Sike: area 41"): (False, False),
    }
    for line, expected in lines.items():
        assert (question.is_held_by(line), question.is_supported_by(line)) == expected
