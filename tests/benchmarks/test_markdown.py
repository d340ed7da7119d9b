"""Defects of Markdown are found where they are and nowhere else; questions are fair."""

import pytest

BEES = "The bees of the old mill fly over the river to the orchards in April."
WASPS = "Wasps build their nests of paper under the roof, one layer each week."
PAGE = f"""<html><head><title>Bees and wasps of the mill | Mill News</title></head><body>
<nav><a href=/>Home</a> <a href=/prices>Prices of flour and bread</a></nav>
<h1>Bees and wasps</h1><p>{BEES}</p><h2>Nests</h2><p>{WASPS}</p>
<ul><li>Hives<ul><li>Straw</ul></ul><pre><code class="language-python">for bee in hive:
    bee.fly()</code></pre>
<table><tr><th>Year<th>Hives<tr><td>2023<td>14<tr><td>2024<td>17</table></body></html>"""
REST = "Hives\nStraw\nfor bee in hive:\n    bee.fly()\nYear Hives\n2023 14\n2024 17"
GOLD = f"{BEES}\nNests\n{WASPS}\n{REST}"
LIST, CODE = "- Hives\n  - Straw", "```python\nfor bee in hive:\n    bee.fly()\n```"
TABLE = "| Year | Hives |\n|---|---|\n| 2023 | 14 |\n| 2024 | 17 |"
PARTS = ("# Bees and wasps", BEES, "## Nests", WASPS, LIST, CODE, TABLE)


def defects(*parts):
    from markdown_defects import count, output_of, source_of
    from structure.systems import Page

    source = source_of(Page("mill", "https://mill.example/", PAGE.encode(), PAGE, GOLD))
    found = count([source], [output_of(source, "\n\n".join(parts), ())])
    return {name for name, ((could, has),) in found.items() if could and has}


def test_sound_markdown_has_none():
    assert defects(*PARTS) == set()
    assert defects(*PARTS, "Read \\*all\\* of it.") == set()  # these escapes are needed


@pytest.mark.parametrize(
    ("old", "new", "defect"),
    [
        (PARTS[0], "# Bees", "headline missing"),
        (PARTS[2], "Nests", "heading lost its level"),
        (LIST, "- Hives\n- Straw", "list item is no item, or at another depth"),
        (TABLE, "Year Hives 2023 14 2024 17", "table torn or flattened"),
        (CODE, "for bee in hive: bee.fly()", "code without its fence or line breaks"),
        (CODE, CODE.replace("python", ""), "language of code lost"),
        (BEES, BEES.replace("old mill", "oldmill"), "words glued"),
        (BEES, f"{BEES}\n\n{BEES}", "paragraph twice"),
        (BEES, BEES.replace("April.", "April\\."), "escape that changes nothing"),
        (BEES, f"{BEES} [](/prices)", "link without text"),
        (BEES, f"{BEES}\n\n{'Prices of flour and bread. ' * 4}", "a fifth or more is boilerplate"),
    ],
)
def test_a_defect_is_found(old, new, defect):
    assert defect in defects(*(new if part == old else part for part in PARTS))


def test_half_of_the_text_is_little():
    assert "less than half of the text" in defects(PARTS[0], BEES)


def test_a_question_is_made_of_the_title_and_the_words_that_fewest_pages_have():
    from retrieval import Page, questions

    answer = "Beekeepers clean the straw hives with smoke of dried cow dung."
    bees = f"Bees live in straw hives. {answer}"
    pages = [
        Page(b"", f"Home {bees}", "Bees of the mill", bees),
        Page(
            b"", "Clean smoke", "Smoke", "The smoke of the mill is clean with straw and the hives."
        ),
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
