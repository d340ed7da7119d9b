"""Markup as columns: lazy attributes, elements that fit the lean events, and words in bytes."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import named
from strategies import page as pages_of_markup

from victor.page.markup.full_record import mentions, players, record_full, recorded
from victor.page.parsing.events import record
from victor.page.parsing.tags import NAMES
from victor.page.places.outline import Outline
from victor.page.places.xpaths import Nesting
from victor.page.table.blocks import some_pages
from victor.page.table.segment import read_pages, segment


def cut(pages, *, alt_text):
    return segment(record(pages, alt_text=alt_text), "block")


@pytest.mark.parametrize(
    ("markup", "names"),
    [
        ("<p>a<b>", []),
        ("<IFRAME src=a></IFRAME>", ["iframe"] * 2),
        ("<video><source></video>", ["video", "source", "video"]),
    ],
)
def test_frames_and_media_are_recorded_by_themselves(markup, names):
    assert [*players(markup.encode()).texts] == names


@given(st.lists(pages_of_markup(), min_size=1, max_size=4), st.data())
def test_attributes_are_found_where_they_were_when_pages_were_read(pages, data):
    wanted = [np.frombuffer(recorded(page, only_places=True)[1][0], np.int64) for page in pages]
    table = read_pages(pages)
    chosen = data.draw(st.lists(st.sampled_from(range(len(pages))), min_size=1, max_size=4))
    of_chosen = some_pages(table, chosen)
    for number, page in enumerate(chosen):
        assert of_chosen.places(number).tolist() == wanted[page].tolist()


@given(pages_of_markup(), st.booleans())
def test_elements_are_those_of_the_table(page, alt_text):
    table = cut([page], alt_text=alt_text)
    outline = Outline.of_page(table, 0, page)
    rows = outline.name[outline.of_table[1:]].tolist()
    names = [named(outline.names[row]) for row in rows]
    assert names == [named(NAMES[tag]) for tag in table.elements.tag[1:].tolist()]


@pytest.mark.parametrize(
    "page", [b"<iframe src=\xff>", b"\xed\xa0\x80", b"\xc0\x80", b"<p>\xe2\x82"]
)
def test_what_is_no_utf8_becomes_a_replacement_character(page):
    valid = page.decode("utf-8", "replace").encode()
    assert [*record_full(page).each()] == [*record_full(valid).each()]
    assert [*players(page).each()] == [*players(valid).each()]


WORDS = (b"abcd", b"bcda-e", b"dabc", b"aaab")


@given(st.text("abcdABCD-e\u0130", max_size=40))
def test_words_are_found_in_any_case(text):
    wanted = any(word in text.encode().lower() for word in WORDS)
    assert mentions(text.encode(), WORDS) is wanted


@given(st.sampled_from(WORDS), st.integers(0, 40), st.integers(0, 40))
def test_words_are_found_anywhere(word, before, after):
    assert mentions(b"a" * before + word.upper() + b"b" * after, WORDS)


TAGS = "< </ > / p P h1 Span a table ul <p> </p> <h1> </h1> <div> </div> <a> </a>"


@given(st.lists(st.sampled_from([*TAGS.split(" "), " ", "\x0b", "é"]), max_size=16).map("".join))
def test_elements_are_in_order_only_where_each_tag_has_its_counterpart(text):
    nesting = Nesting.of(text.encode())
    assert nesting.shaky_headings <= {"h1"}
    n_starts, n_ends = (len(re.findall(tag, text, re.IGNORECASE)) for tag in ("<div>", "</div>"))
    assert not nesting.in_order or n_starts == n_ends
    assert Nesting.of(text.encode() + b"<div>").in_order is False
    assert Nesting.of(text.encode() + b"></p></p>").stray_paragraph_ends
