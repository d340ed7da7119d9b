"""The article of a page, labels, and what a threshold does."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.labels import Label
from victor.model.decide import Decision

LONG = "x" * 501


@pytest.mark.parametrize(("length", "is_article"), [(500, False), (501, True)])
def test_the_article_is_longer_than_500_characters(kept, length, is_article):
    page = f"<div>a</div><div><p>{'x' * (length - 1)}<p>y</div><div>b</div>"
    assert (kept(page)[0] != "a") is is_article
    assert (len(kept(page)) == 2) is is_article


def test_of_several_it_is_the_first_in_the_document(kept):
    page = f"<div>{'s' * 400}</div><div>{LONG}<p>a</div><div>{LONG * 2}</div>"
    assert kept(page) == [LONG, "a"]


def test_text_in_paragraphs_and_lists_is_that_of_the_element_around(kept):
    items = "<li>" + "<li>".join(["y" * 100] * 6)
    page = f"<section><div>a</div><h2>h</h2><ul>{items}</ul></section><div>b</div>"
    assert kept(page) == ["a", "h", *["y" * 100] * 6]


def test_what_went_is_not_its_text(kept):
    page = f"<div><button>{LONG}</button>a</div><div>{LONG}</div>"
    assert kept(page) == [LONG]


def test_all_elements_of_long_text_may_make_the_article(kept):
    part = f"<div>{LONG}</div>"
    page = f"<p>a<section>b{part}<p>c{part}</section><p>d"
    assert kept(page) == [LONG]
    assert kept(page, "article.subtree=common") == ["b", LONG, "c", LONG]


def test_pages_of_a_batch_have_their_own_article(dom):
    labeler = dom("article.subtree=common")
    pages = [f"<div>a</div><div><h1>h</h1>{LONG}</div>", "<p>b", "", f"<div>{LONG}</div>c"]
    verdict = labeler.label(labeler.table([page.encode() for page in pages]))
    assert verdict.labels.tolist() == [
        Label.OTHER, Label.HEADER, Label.TEXT, Label.TEXT, Label.TEXT, Label.OTHER
    ]  # fmt: skip


def test_a_threshold_orders_kept_and_other_blocks_by_density(dom):
    labeler = dom("link_lists.remove=false")
    page = f"<p>two words<p><a href=/>a</a><div>{'word ' * 101}<p>two words</div>".encode()
    table = labeler.table([page])
    dropped = labeler.label(table).marginals[:, Label.OTHER]
    assert (dropped < 0.5).tolist() == [False, False, True, True]
    assert dropped[2] < dropped[3] < 0.5 < dropped[0] < dropped[1]
    few = labeler.label(table, Decision("threshold", 0.1))
    assert few.kept.tolist() == [False, False, True, False]


@pytest.mark.slow
@settings(derandomize=True, deadline=None)
@given(st.data())
def test_any_page_is_labelled_alike_alone_and_in_a_batch(dom, data):
    labeler = dom("filters.text_links=true", "article.characters=20", "article.subtree=common")
    pages = data.draw(strategies.batch())
    verdict = labeler.label(labeler.table(pages))
    alone = [labeler.label(labeler.table([page])) for page in pages]
    assert verdict.labels.tolist() == [n for v in alone for n in v.labels.tolist()]
    for number, page in enumerate(alone):
        assert verdict.more(number) == page.more(0)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.binary(max_size=300) | st.text(alphabet="<>/=\"' aditfo\n", max_size=200))
def test_any_bytes(dom, page):
    labeler = dom("output.form=html", "output.removed_links=true")
    page = page if isinstance(page, bytes) else page.encode()
    page = page.decode("utf-8", "replace").encode()
    verdict = labeler.label(labeler.table([page]))
    assert np.isfinite(verdict.marginals).all()
    verdict.more(0)
    labeler.output(verdict, 0, page)


@pytest.mark.slow
@pytest.mark.parametrize("nested", ["<div>", "<table><tr><td>", "<ul><li><img src=a>"])
def test_deep_nesting(dom, nested):
    labeler = dom("article.characters=3", "article.subtree=common", "images.relevance=0")
    page = (nested * 3000 + "they met some Words " * 10).encode()
    verdict = labeler.label(labeler.table([page]))
    assert verdict.kept.all()
    assert len(verdict.more(0)["images"]) == 1000 * nested.count("img")
