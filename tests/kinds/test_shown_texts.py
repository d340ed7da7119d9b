"""Quotations have marks, and hidden addresses of mail are read, in every form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from victor.base.labels import Label
from victor.kinds.link_signs import without_link_signs
from victor.kinds.shown_texts import with_shown_texts
from victor.page.markup.hidden_addresses import decoded
from victor.page.table.segment import parse_pages
from victor.page.verdict.rewritten_parts import rewritten
from victor.page.verdict.verdict import Verdict, marginals
from victor.render import markdown, text

CODE = "422320023a6c2d3025"
HIDDEN = f"<span class=__cf_email__ data-cfemail={CODE}>[email&#160;protected]</span>"
LINK = "<a href=/cdn-cgi/l/email-protection{}>{}</a>"


def verdict_of(*pages, by_model=True):
    """All blocks of some pages are kept."""
    table = parse_pages(pages)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    probabilities = marginals(np.ones(len(table)), np.zeros(len(table), dtype=bool))
    return Verdict(table, labels, probabilities, "expected-f", by_model=by_model)


def shown(page, form=text):
    """A page in a form."""
    verdict = with_shown_texts(verdict_of(page), [page.encode()])
    return form.render(verdict, 0, markup=page.encode(), url="http://x.cz/").removesuffix("\n")


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("a <q>b</q>, c", "a “b”, c"),
        ("<q>a <b>b</b></q><q>c</q>", "“a b”“c”"),
        ("<q>a <q>b</q></q> c", "“a ‘b’” c"),
        ("<q><q>a</q></q>", "“‘a’”"),
        ("<q>“a”</q> <q> </q>b", "“a” b"),
        ("<p><q>a<p>b</q><p>c", "“a\n\nb”\n\nc"),
    ],
)
def test_quotations_have_marks(markup, words):
    assert shown(markup) == words


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<span>Bee</span><span>Hive no. 2</span>", "Bee Hive no. 2"),
        ("<span>Hive no. 2</span><span>Bee</span>", "Hive no. 2 Bee"),
        ("<span>Bee</span><span>Hive</span>", "BeeHive"),
        ("<span>Bee hives</span><span>and more</span>", "Bee hivesand more"),
        ("<span>A BEE</span><span>Hive</span>", "A BEEHive"),
        ("<b>Bee hive</b><span>Two</span>", "Bee hiveTwo"),
        ("<q><span>A bee</span><span>Two</span></q>", "“A bee Two”"),
        ("<p><span>A bee</span><p><span>Two</span>", "A bee\n\nTwo"),
    ],
)
def test_spans_that_stand_apart_are_parted(markup, words):
    assert shown(markup) == words
    assert shown(markup, markdown) == words.replace("Bee hiveTwo", "**Bee hive**Two")


@pytest.mark.parametrize(
    ("markup", "words", "marked"),
    [
        (f"a {HIDDEN} b", "a ab@x.org b", "a ab@x.org b"),
        (LINK.format(f"#{CODE}", HIDDEN), "ab@x.org", "[ab@x.org](mailto:ab@x.org)"),
        (LINK.format(f"#{CODE}", "us"), "us", "[us](mailto:ab@x.org)"),
        (LINK.format(f" data-cfemail={CODE}", "[email protected]"), "ab@x.org",
         "[ab@x.org](mailto:ab@x.org)"),
        (HIDDEN.replace(CODE, "42zz"), "[email protected]", "[email protected]"),
        ("[email protected]", "[email protected]", "[email protected]"),
    ],
)  # fmt: skip
def test_hidden_addresses_are_read(markup, words, marked):
    assert shown(f"<p>{markup}") == words
    assert shown(f"<p>{markup}", markdown) == marked


def test_pages_of_a_batch_and_removed_parts_do_not_mix():
    pages = f"<h2>a <a href=#b>¶</a></h2><p>{HIDDEN}", "<p>c", f"<p>d <q>e</q> {HIDDEN}"
    verdict = without_link_signs(verdict_of(*pages))
    verdict = with_shown_texts(verdict, [page.encode() for page in pages])
    texts = [text.render(verdict, page) for page in range(3)]
    assert texts == ["a\n\nab@x.org\n", "c\n", "d “e” ab@x.org\n"]


def test_published_systems_show_what_they_keep():
    verdict = verdict_of("<q>a</q>", by_model=False)
    assert with_shown_texts(verdict, [b"<q>a</q>"]) is verdict
    assert replace(verdict, by_model=True).texts == {}


@given(st.text("0123456789abcdefXY", max_size=30))
def test_any_code_is_an_address_or_none(code):
    assert decoded(code) == "" or "@" in decoded(code)


@given(st.lists(st.text("ab ", max_size=4), min_size=1, max_size=6), st.data())
def test_other_segments_stay_where_they_are(texts, data):
    table = parse_pages(["".join(f"<b>x{text}y</b>" for text in texts)])
    segments = table.segments
    written = {
        int(tag): data.draw(st.text("cd", min_size=1, max_size=5))
        for tag in segments.tag
        if data.draw(st.booleans())
    }
    result = rewritten(table, written)
    spans = zip(segments.start, segments.end, strict=True)
    old = ["".join(map(chr, table.chars[start:end])) for start, end in spans]
    spans = zip(result.segments.start, result.segments.end, strict=True)
    new = ["".join(map(chr, result.chars[start:end])) for start, end in spans]
    assert new == [written.get(int(tag), text) for tag, text in zip(segments.tag, old, strict=True)]
    assert len(result.chars) - len(table.chars) == sum(map(len, new)) - sum(map(len, old))
