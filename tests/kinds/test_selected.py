"""The user's own selectors: what they keep and drop, in every labeler and form."""

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


def cleaned(**selectors):
    return victor.clean(PAGE, "https://mill.example/", scope=Scope(**selectors))


def test_nothing_selected_changes_nothing():
    usual = victor.clean(PAGE, "https://mill.example/")
    none = cleaned(keep=("#none",), drop=("#none",))
    assert (none.markdown, none.labels.tolist()) == (usual.markdown, usual.labels.tolist())


def test_what_is_kept():
    assert "Share this page" not in cleaned().text
    result = cleaned(keep=".share, #menu")
    assert result.text.startswith("Home")
    assert result.text.endswith("Share this page\n")
    reasons = {block.text: block.reason for block in result.blocks}
    assert reasons["Home"] == reasons["Share this page"] == "scope"


@pytest.mark.parametrize("labeler", ["dom", "kimatu", "density"])
def test_every_labeler_obeys(labeler):
    scope = Scope(keep=".share", drop=("span.ad", "p:nth-of-type(2)"))
    text = CleanerSpec(labeler=labeler, scope=scope).cleaner().clean(PAGE).text
    assert "Share this page" in text
    assert "Buy now" not in text
    assert text.count("The old mill") <= 4


def test_a_page_without_content_has_what_the_user_keeps():
    fields = "<p><label>Name <input></label>" * 10  # with fewer blocks it is a snippet
    page = f"<form><h1>Sign in</h1>{fields}<p class=hint>Ask Ann</p></form>"
    nothing = Decision(method="expected-f", no_content=0.0)
    usual = load_cleaner(decision=nothing).clean(page)
    assert (usual.text, usual.reason) == ("", "no-content")
    kept = load_cleaner(decision=nothing, scope=Scope(keep=".hint")).clean(page)
    assert (kept.text, kept.reason) == ("Ask Ann\n", "ok")


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
    segments = table.segments.tag
    assert selected.text[segments].all(), "every text stands in some element"
