"""The renderer: one sentence a line, nothing lost, every rule with its switch."""

import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import strategies
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.given_labels import GivenLabels
from victor.base.labels import Label
from victor.errors import ConfigError
from victor.kitten.passages import Removals
from victor.kitten.sentences import render, whole_page
from victor.kitten.settings import Settings, load_settings
from victor.labelers.labeler import build_labeler
from victor.page.markup.full_record import Kind, record_full
from victor.page.parsing.events import record
from victor.page.parsing.tags import SPLITTING
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page, renderer

OFF = [f"{rule}=false" for rule, value in Settings().to_data().items() if value in (True, False)]
WORD = re.compile(r"[^\W_]+")


# --- The texts that the paper prints, and its rules on whole pages --------------------------------

REPORT = yaml.safe_load(Path(__file__).with_name("report.yaml").read_text("utf-8"))
PAGES = Path(__file__).parents[2] / "docs" / "examples" / "papers"


@pytest.mark.parametrize("name", ["table", "lists", "abbreviations"])
def test_printed_texts(name):
    """Figures 6, 7, 8 and 10, and the abbreviations of section 3.3."""
    page = (PAGES / f"kitten-{name}.html").read_bytes()
    assert whole_page(page) == (PAGES / f"kitten-{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "first", "wanted"),
    REPORT["pages"],
)
def test_pages_of_the_report(name, first, wanted):
    text = whole_page((PAGES / f"kitten-{name}.html").read_bytes())
    lines = [line for line in text.splitlines() if line]
    assert lines[first : first + len(wanted)] == wanted


# --- nothing is lost -----------------------------------------------------------------------------


def words_of(full):
    """Words of the visible text; everything but inline elements separates them."""
    pieces = []
    for item in full.items:
        if item.dropped:
            continue
        if item.kind is Kind.TEXT:
            pieces.append(item.text)
        elif item.text in SPLITTING or item.text in ("br", "option") or "-" in item.text:
            pieces.append(" ")
    return Counter(WORD.findall("".join(pieces)))


def check(page, rules):
    removals = Removals()
    text = whole_page(page, rules, removals)
    held = "\n".join([text, *(entry.text for entry in removals.entries)])
    assert not words_of(record_full(page)) - Counter(WORD.findall(held))


@pytest.mark.slow
@given(strategies.page(), st.sampled_from(["language=null", "sentences.drop_menus=true", *OFF]))
def test_no_word_is_lost_whatever_is_switched_off(page, switch):
    check(page, load_settings("kitten", (switch,)))


def test_no_word_of_our_own_pages_is_lost(annotated):
    for page in annotated:
        check(page.html, Settings())


@pytest.mark.slow
@given(page=strategies.page())
def test_without_rules_nothing_is_dropped(page):
    removals = Removals()
    text = whole_page(page, load_settings("kitten", tuple(OFF)), removals)
    assert removals.entries == []
    assert Counter(WORD.findall(text)) == words_of(record_full(page))


# --- what a labeler keeps ------------------------------------------------------------------------


def test_what_the_labeler_dropped_is_not_told_as_dropped_by_a_rule():
    page = b"<h1>One</h1><p>Two</p><p>Three</p><ul><li>Four</ul>"
    labeler, removals = GivenLabels("k d k d"), Removals()
    text = render(Page(labeler.label(labeler.table([page])), markup=page), removals=removals)
    assert (text, removals.entries) == ("One.\n\nThree.\n", [])


def test_alternative_texts_are_text_where_the_table_has_them():
    page = b"<p>a <img alt='a bee'> b"
    table = segment(record([page], alt_text=True), "tag")
    labels, marginals = np.full(len(table), Label.TEXT), np.full((len(table), 3), 1 / 3)
    assert render(Page(Verdict(table, labels, marginals, "none"), markup=page)) == "a a bee b.\n"


def test_the_renderer_is_registered_and_wants_markup():
    labeler = build_labeler("none")
    assert renderer("sentences") is render
    with pytest.raises(ConfigError, match="give markup"):
        render(Page(labeler.label(labeler.table([b"<p>One"]))))


def test_the_whole_page_is_what_the_labeler_that_keeps_everything_keeps():
    page = b"<h2>A</h2><p>b<ul><li>c</ul>"
    labeler = build_labeler("none")
    assert whole_page(page) == render(Page(labeler.label(labeler.table([page])), markup=page))


def test_a_missing_sentencex_is_an_error_of_the_call(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    message = r"needs the package sentencex: pip install 'victor-crf\[crawl\]'"
    with pytest.raises(ConfigError, match=message):
        renderer("sentences")
    with pytest.raises(ConfigError, match=message):
        whole_page(b"<p>One. Two.")
    assert renderer("text")


# --- What a page that is made to cost much may take ----------------------------------------------


def rows(number):
    return "".join(f"<tr><td>name {i}<td>{i}" for i in range(number))


def test_what_all_rows_are_about_is_not_repeated_without_end():
    caption = "word " * 2_000
    table = f"<table border=1><caption>{caption}</caption><tr><th>name<th>year{rows(1_000)}</table>"
    # Repeated in every row it would be ten million characters.
    assert len(whole_page(table.encode())) < 2_500_000


def test_a_long_clause_is_not_repeated_with_every_item():
    page = "<p>" + "word " * 20_000 + "we need to:</p><ul>" + "<li>go there" * 1_000 + "</ul>"
    assert len(whole_page(page.encode())) < 2 * len(page)
