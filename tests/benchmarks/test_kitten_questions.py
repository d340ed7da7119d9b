"""Questions on our pages: ranked lines, and what supports an answer."""

from pathlib import Path

import kitten_questions

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "annotations" / "pages"


def test_every_question_is_about_a_page_of_ours_and_asked_once():
    asked = kitten_questions.questions()
    assert len({(question.page, question.text) for question in asked}) == len(asked) >= 100
    assert {question.page for question in asked} <= {path.stem for path in PAGES.glob("*.html")}


def test_the_line_that_shares_most_rare_words_comes_first():
    lines = [
        kitten_questions.Line("a", "the tram and the bus"),
        kitten_questions.Line("a", "the bus"),
        kitten_questions.Line("b", "the horse"),
    ]
    best = kitten_questions.Retriever.of(lines).best("Where does the bus stop?", 3)
    assert [line.text for line in best] == ["the bus", "the tram and the bus", "the horse"]


def test_an_answer_is_held_as_whole_words_and_supported_with_what_it_belongs_to():
    question = kitten_questions.Question(
        "a", "What is the area of Black Sike?", ("black sike", "area"), "41"
    )
    lines = {
        kitten_questions.Line("a", "Catchment: Black Sike / Area (ha): 41."): (True, True),
        kitten_questions.Line("a", "Black Sike\t41\tblocked"): (True, False),
        kitten_questions.Line("a", "Black Sike: area 410"): (False, False),
        kitten_questions.Line("b", "Black Sike: area 41"): (False, False),
    }
    for line, expected in lines.items():
        assert (question.is_held_by(line), question.is_supported_by(line)) == expected
