"""The user's own selectors: every labeler obeys, and pages of a batch are told apart.

What single selectors keep and drop stands in tests/cases/selectors.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import victor
from victor.api import CleanerSpec, load_cleaner
from victor.config.schema import Scope
from victor.labelers.crf import model_labeler
from victor.model.decide import Decision
from victor.page.places.selectors import Selectors

LONG = "The old mill stands by the river where the road to the village begins. " * 4
PAGE = f"""<html><body><div id="menu"><a href="/">Home</a></div>
<article><h1>The mill</h1><p>{LONG}<span class="ad">Buy now</span> It is old.</p>
<aside class="note"><p>A small note</p></aside>
<p>{LONG}<img src="/mill.png" alt="mill"></p>
</article><div class="share">Share this page</div></body></html>"""


def test_nothing_selected_changes_nothing():
    none = Scope(keep=("#none",), drop=("#none",))
    usual, selected = (victor.clean(PAGE, scope=scope) for scope in (Scope(), none))
    assert selected.markdown == usual.markdown
    assert selected.labels.tolist() == usual.labels.tolist()


@pytest.mark.parametrize("labeler", ["dom", "kimatu", "density"])
def test_every_labeler_obeys(labeler):
    scope = Scope(keep=".share", drop=("span.ad", "p:nth-of-type(2)"))
    result = CleanerSpec(labeler=labeler, scope=scope).cleaner().clean(PAGE)
    assert "Share this page" in result.text
    assert "Buy now" not in result.text
    assert result.text.count("The old mill") <= 4


def test_a_page_without_content_has_what_the_user_keeps():
    fields = "<p><label>Name <input></label>" * 10  # with fewer blocks it is a snippet
    page = f"<form><h1>Sign in</h1>{fields}<p class=hint>Ask Ann</p></form>"
    nothing = Decision(method="expected-f", no_content=0.0)
    usual = load_cleaner(decision=nothing).clean(page)
    assert (usual.text, usual.reason) == ("", "no-content")
    kept = load_cleaner(decision=nothing, scope=Scope(keep=".hint")).clean(page)
    assert (kept.text, kept.reason) == ("Ask Ann\n", "ok")
    assert kept.blocks[-1].reason == "scope"


def test_pages_of_a_batch_are_told_apart():
    first = "The miller opened the gates in the morning, and the wheel turned all day. " * 4
    pages = [f"<article><p>{first}<p class=c{n}>{LONG}Page {n}.</article>" for n in range(3)]
    results = [*victor.clean_many(pages, scope=Scope(drop=".c1"))]
    assert [f"Page {n}." in result.text for n, result in enumerate(results)] == [True, False, True]


PIECES = [*"<>/='\" pa:@\x00\ud7ff\uffff", "<div class=x>", "</div>", "<svg:a b:c=1>"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_page_can_be_asked(text):
    markup = text.encode()
    table = model_labeler("default").table([markup])
    selected = Selectors(["div.x", "*", "p"]).on(table, 0, markup)
    assert len(selected.text) == len(selected.tags) == len(table.tags.id)
    assert selected.text[table.segments.tag].all(), "every text stands in some element"
