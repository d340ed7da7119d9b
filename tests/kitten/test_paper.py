"""The texts that the paper prints, character by character, and its rules on whole pages."""

from pathlib import Path

import pytest

from victor.api import Cleaner
from victor.kitten.sentences import whole_page
from victor.labelers.labeler import build_labeler

PAGES = Path(__file__).parents[2] / "docs" / "examples" / "papers"


@pytest.mark.parametrize("name", ["table", "lists", "abbreviations"])
def test_printed_texts(name):
    """Figures 6, 7, 8 and 10, and the abbreviations of section 3.3."""
    page = (PAGES / f"kitten-{name}.html").read_bytes()
    printed = (PAGES / f"kitten-{name}.txt").read_text(encoding="utf-8")
    assert whole_page(page) == printed
    assert Cleaner(build_labeler("none")).clean(page).render("sentences") == printed


def lines(name):
    text = whole_page((PAGES / f"kitten-{name}.html").read_bytes())
    return [line for line in text.splitlines() if line]


def test_six_lines_cut_by_breaks_are_three_sentences():
    """As in figure 9, whose own text is in a picture."""
    assert lines("segments")[1:4] == [
        "The river froze in the first week of January.",
        "Children walked over it to the island and back.",
        "By the end of the month the ice was so thick that even carts could cross without danger.",
    ]


def test_headers_of_two_levels_and_spans():
    assert len(lines("headers")) == 3
    title, note, north = lines("headers")[0].split(" ;; ")
    assert (title, note) == ("Visitors of the museum", "Free days are left out")
    assert north == (
        "2007, Spring ; North, Ground: 1210 / 2007, Autumn ; North, Ground: 990"
        " / 2008, Spring ; North, Ground: 1304 / 2008, Autumn ; North, Ground: 1021."
    )
    assert lines("headers")[1].count("North, Upper: ") == 4
    assert lines("headers")[2].count("South, Ground: closed") == 2


def test_marks_of_items():
    flat, clause, *sentences = lines("items")
    assert flat == (
        "Guests ask these things most: Is breakfast included? Dogs are welcome! "
        "the way to the lake. parking; bicycles, towels."
    )
    assert clause == "The guide describes two walks:"
    ends = [sentence.rpartition(" ")[2] for sentence in sentences]
    assert ends == ["castle.", "first).", "evening."]


def test_links_and_bullets():
    assert lines("links") == [
        "The museum opens its new wing.",
        "Tickets.",
        "Adults.",
        "Price: 12 euro.",
        "How to get here.",
        "take the tram.",
        "leave it at the theatre.",
        "What to see.",
        "the clock hall.",
        "the maps.",
        "the cellar.",
        "third of the old presses.",
    ]
