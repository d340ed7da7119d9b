"""Defects of Markdown are found where they are and nowhere else; questions are fair."""

import pytest

from tests.rows import tables, written_out

ROWS = tables(__file__)
PARTS = ROWS["parts"]
BEES, WASPS = PARTS["bees"], PARTS["wasps"]


def defects(*parts):
    from markdown_defects import count, output_of, source_of
    from structure.systems import Page

    page = ROWS["page"]
    source = source_of(Page("mill", "https://mill.example/", page.encode(), page, ROWS["gold"]))
    found = count([source], [output_of(source, "\n\n".join(parts), ())])
    return {name for name, ((could, has),) in found.items() if could and has}


def test_sound_markdown_has_none():
    assert defects(*PARTS.values()) == set()
    assert defects(*PARTS.values(), "Read \\*all\\* of it.") == set()  # these escapes are needed
    assert "less than half of the text" in defects(PARTS["headline"], BEES)


@pytest.mark.parametrize(("part", "instead", "defect"), ROWS["defects"])
def test_a_defect_is_found(part, instead, defect):
    assert defect in defects(*(PARTS | {part: written_out(instead)}).values())


def test_a_question_is_made_of_the_title_and_the_words_that_fewest_pages_have():
    from retrieval import Page, questions

    answer = "Beekeepers clean the straw hives with smoke of dried cow dung."
    bees = f"Bees live in straw hives. {answer}"
    pages = [
        Page(b"", f"Home {bees}", "Bees of the mill", bees),
        Page(b"", "Clean smoke", "Smoke", "The smoke of the mill is clean with straw and hives."),
    ]
    (asked,) = [question for question in questions(pages, 5) if question.page == 0]
    assert asked.answer == f" {answer.lower().rstrip('.')} "
    assert asked.words == ("bees", "of", "the", "mill", "beekeepers", "cow", "dried", "dung")


def test_only_a_sentence_of_one_page_that_stands_on_it_is_an_answer():
    from retrieval import Page, questions

    twice = Page(b"", BEES, "Bees", BEES)
    assert questions([twice, twice], 5) == []
    assert questions([Page(b"", WASPS, "Bees", BEES)], 5) == []
    assert len(questions([twice], 5)) == 1


def test_the_ranking_prefers_rare_words_and_short_pieces():
    from retrieval import Ranking

    pieces = [["bee", "bee", "mill"], ["bee", "wasp"], ["bee", "wasp", *["mill"] * 9], ["river"]]
    ranking = Ranking(pieces)
    assert ranking.best(["wasp"], 3) == [1, 2]
    assert ranking.best(["bee", "wasp"], 1) == [1]
    assert ranking.best(["moth"], 3) == []
