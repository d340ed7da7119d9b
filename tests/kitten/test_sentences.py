"""The renderer: one sentence a line, nothing lost, every rule with its switch."""

import json
import re
import sys
from collections import Counter

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

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


# --- sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "text", "sentences"),
    [
        ("en", "Dr. Smith came. He left!", ["Dr. Smith came.", "He left!"]),
        ("cs", "Přijel J. K. Tyl. Bylo 3. 5. 2020.", ["Přijel J. K. Tyl.", "Bylo 3. 5. 2020."]),
        ("en", "It costs 3.50 a piece. No?", ["It costs 3.50 a piece.", "No?"]),
    ],
)
def test_one_sentence_a_line(lines, lang, text, sentences):
    assert lines(f"<p>{text}", lang=lang) == sentences
    assert lines(f"<p>{text}", "sentences.split=false", lang=lang) == [text]


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("Title", "Title."),
        ("Who?", "Who?"),
        ("He said “no”", "He said “no”."),
        ("He said “no.”", "He said “no.”"),
        ("(see above)", "(see above)."),
        ("and so on…", "and so on…"),
        ("as follows:", "as follows:"),
        ("first,", "first."),
        ("***", "***"),
    ],
)
@pytest.mark.parametrize("name", ["h1", "p", "td", "li", "div", "dd"])
def test_blocks_end_with_a_full_stop(lines, name, text, ended):
    markup = f"<table><tr><td>{text}" if name == "td" else f"<{name}>{text}</{name}>"
    off = ("lists.drop_bullets=false", "tables.clauses=false")
    assert lines(markup, *off) == [ended]
    assert lines(markup, *off, "sentences.full_stops=false") == [text]


def test_characters_that_show_nothing_do_not_hide_the_end(lines):
    assert lines("<p>Sof\u00adt chair.\u200d</p><p>\u200d</p><p>\ufeffNew") == [
        "Sof\u00adt chair.",
        "New.",
    ]


def test_custom_elements_and_options_separate(lines):
    markup = "<p>a<x-y>b</x-y>c<b>d</b><option>e</option>f"
    assert lines(markup, "sentences.drop_options=false") == ["a.", "b.", "cd.", "e.", "f."]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("one line<br>goes on", ["one line goes on."]),
        ("We went to<br>Prague", ["We went to Prague."]),
        ("Bread and<br>Butter", ["Bread and Butter."]),
        ("bread,<br>Butter", ["bread, Butter."]),
        ("Jan Novák<br>Main Street 5<br>Prague", ["Jan Novák", "Main Street 5", "Prague."]),
        ("It ended.<br>It began", ["It ended.", "It began."]),
        ("Notes:<br>Bring a hat", ["Notes:", "Bring a hat."]),
        ("We need:<br>- milk<br>- bread", ["We need:", "- milk", "- bread."]),
        ("We need:<br>– milk<br>– bread", ["We need:", "– milk", "– bread."]),
        ("We need<br>a) milk<br>b) bread", ["We need", "a) milk", "b) bread."]),
        ("-----<br>milk", ["-----", "milk."]),
        ("milk – bread<br>– and salt", ["milk – bread", "– and salt."]),
        ("one<br><br>two", ["one.", "two."]),
        ("one<br>&nbsp;<br>two", ["one.", "two."]),
        ("one <b>line<br>goes</b> on", ["one line goes on."]),
    ],
)
def test_breaks_inside_sentences_are_joined_and_real_ones_kept(lines, markup, wanted):
    assert lines(f"<p>{markup}") == wanted


def test_breaks_stay_if_switched_off(lines):
    off = "sentences.join_breaks=false"
    assert lines("<p>one line<br>goes on", off) == ["one line", "goes on."]


def test_lines_of_preformatted_text_are_lines(lines):
    assert lines("<pre>One  line\n\n  two</pre>after\nit") == ["One line", "two.", "after it."]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("the <abbr title='World  Wide Web'>WWW</abbr> is", "the WWW (World Wide Web) is."),
        ("an <acronym title=Laser>LASER</acronym>", "an LASER."),
        ("a <abbr>b</abbr> <abbr title=''>c</abbr> <abbr title=x></abbr>d", "a b c d."),
        ("<abbr title=Doctor><b>Dr.</b></abbr> A", "Dr. (Doctor) A."),
    ],
)
def test_abbreviations_are_followed_by_their_titles(lines, markup, wanted):
    assert " ".join(lines(f"<p>{markup}")) == wanted


def test_abbreviations_stay_short_if_switched_off(lines):
    markup = "<p>The <abbr title='World Wide Web'>WWW</abbr>"
    assert lines(markup, "sentences.expand_abbreviations=false") == ["The WWW."]


def test_options_and_menus_are_dropped_and_archived(kitten):
    markup = "<p>a<select><option>one<option>two</select><div id=topMenu><div>b</div>c</div>d"
    assert kitten(markup) == (["a.", "b.", "c.", "d."], [("option", "one"), ("option", "two")])
    shown, dropped = kitten(markup, "sentences.drop_menus=true", "sentences.drop_options=false")
    assert shown == ["a.", "one.", "two.", "d."]
    assert dropped == [("menu", "b"), ("menu", "c")]


def test_paragraphs_are_apart_and_items_together():
    assert (
        whole_page(b"<h1>A</h1><p>Be. Go.<ul><li>d<li>e</ul>f")
        == "A.\n\nBe.\nGo.\n\nd.\ne.\n\nf.\n"
    )


def test_flattened_lists_are_paragraphs():
    lists = b"<p>We saw this:<ul><li>bees</ul><p>We heard this:<ul><li>ants</ul>"
    assert whole_page(lists) == "We saw this: bees.\n\nWe heard this: ants.\n"


# --- nothing is lost -----------------------------------------------------------------------------


def words_of(full, kept=None):
    """Words of the visible text; everything but inline elements separates them."""
    pieces = []
    for number, item in enumerate(full.items):
        if item.dropped or (kept is not None and not kept[number]):
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
def test_no_word_is_lost_whatever_is_switched_off():
    switches = st.sampled_from(["language=null", "sentences.drop_menus=true", *OFF])

    @settings(derandomize=True, deadline=None)
    @given(strategies.page(), switches)
    def hold(page, switch):
        check(page, load_settings("kitten", (switch,)))

    hold()


def test_no_word_of_our_own_pages_is_lost(annotated):
    for page in annotated:
        check(page.html, Settings())


@pytest.mark.slow
def test_without_rules_nothing_is_dropped():
    without = load_settings("kitten", tuple(OFF))

    @settings(derandomize=True, deadline=None)
    @given(strategies.page())
    def hold(page):
        removals = Removals()
        text = whole_page(page, without, removals)
        assert removals.entries == []
        assert Counter(WORD.findall(text)) == words_of(record_full(page))

    hold()


def test_removals_as_rows():
    removals = Removals()
    whole_page(b"<ul><li><a>Home page</a><li><a>Shop</a></ul>", None, removals)
    assert removals.counts == {"link-item": 2}
    assert json.loads(json.dumps([*removals.rows()])) == [
        {"rule": "link-item", "text": "Home page", "words": 2},
        {"rule": "link-item", "text": "Shop", "words": 1},
    ]


# --- what a labeler keeps ------------------------------------------------------------------------


def judged(page, drop, split="block", alt_text=False):
    table = segment(record([b"<p>other page", page], alt_text=alt_text), split)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    labels[[1 + number for number in drop]] = Label.OTHER
    return Verdict(table, labels, np.full((len(table), 3), 1 / 3), "threshold")


@pytest.mark.parametrize("split", ["tag", "block"])
def test_only_what_is_kept_is_written(split):
    page = b"<h1>One</h1><p>Two</p><p>Three</p><ul><li>Four</ul>"
    removals = Removals()
    text = render(Page(judged(page, [1, 3], split), 1, markup=page), removals=removals)
    assert text == "One.\n\nThree.\n"
    assert removals.entries == []  # the labeler dropped it, not a rule


def test_dropped_text_inside_a_paragraph_separates():
    page = b"<p>One<b>two</b>three"
    assert render(Page(judged(page, [1], "tag"), 1, markup=page)) == "One three.\n"


def test_a_dropped_clause_introduces_nothing():
    page = b"<p>We saw:</p><ul><li>bees<li>ants</ul>"
    assert render(Page(judged(page, [0]), 1, markup=page)) == "bees.\nants.\n"
    assert render(Page(judged(page, [1]), 1, markup=page)) == "We saw: ants.\n"


def test_alternative_texts_are_text_where_the_table_has_them():
    page = b"<p>a <img alt='a bee'> b"
    verdict = judged(page, [], "tag", alt_text=True)
    assert render(Page(verdict, 1, markup=page)) == "a a bee b.\n"


def test_the_renderer_is_registered_and_wants_markup():
    page = b"<p>One"
    verdict = judged(page, [])
    assert renderer("sentences") is render
    with pytest.raises(ConfigError, match="give markup"):
        render(Page(verdict, 1))


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


def test_an_empty_page_is_an_empty_text():
    assert whole_page(b"") == whole_page(b"<script>x</script><br>") == ""


@pytest.mark.parametrize(
    "page",
    [
        b"<div id=menu>" * 50_000 + b"x",
        b"<ul><li>" * 30_000 + b"x",
        b"<abbr title=a>" * 50_000 + b"x",
        b"<p>x:<ul><li>y</ul>" * 5_000,
        b"<br>x" * 30_000,
    ],
)
def test_hostile_pages_take_linear_time(page):
    assert "x" in whole_page(page)
