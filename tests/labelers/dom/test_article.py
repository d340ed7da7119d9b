"""The article of a page, labels, and what a threshold does."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base.labels import Label
from victor.model.decide import Decision
from victor.render import renderer

LONG = "x" * 501


@pytest.mark.parametrize(("length", "is_article"), [(500, False), (501, True)])
def test_the_article_is_longer_than_500_characters(kept, length, is_article):
    page = f"<div>a</div><section><p>{'x' * (length - 1)}<p>y</section><div>b</div>"
    assert (kept(page)[0] != "a") is is_article
    assert (len(kept(page)) == 2) is is_article


def test_of_several_it_is_the_first_in_the_document(kept):
    parts = ("s" * 400, f"{LONG}<p>a", LONG * 2)
    assert kept("".join(f"<section>{part}</section>" for part in parts)) == [LONG, "a"]


@pytest.mark.parametrize(
    ("form", "lengths"),
    [
        ("<div>{}</div>", [230] * 5),
        ("<div>{}</div>", [680, 230, 680]),
        ("<div><p>{}</p></div>", [230] * 5),
        ("<p>{}</p>", [230] * 5),
        ("{}<br><br>", [230] * 5),
    ],
)
def test_three_kinds_of_paragraphs_make_an_article(kept, form, lengths):
    texts = [letter * length for letter, length in zip("abcde", lengths, strict=False)]
    article = "".join(map(form.format, texts))
    page = f"<div>menu</div><div><div><section>x</section></div>{article}</div><div>footer</div>"
    assert kept(page) == ["x", *texts]


def test_a_div_around_others_is_no_paragraph(kept):
    page = f"<div>a</div><div><div>{'x' * 300}</div><div>{'y' * 300}</div></div><div>b</div>"
    assert kept(page) == ["x" * 300, "y" * 300]


def test_text_of_nested_divs_counts_once(kept):
    # The paragraph of the middle element is not one of the outer one.
    page = f"<div><div><div>{'x' * 300}</div></div><div>{'y' * 300}</div>a</div>b"
    assert kept(page, "article.characters=300") == ["x" * 300, "y" * 300, "a"]
    assert kept(page, "article.characters=301") == ["x" * 300, "y" * 300, "a", "b"]


def test_text_in_paragraphs_and_lists_is_that_of_the_element_around(kept):
    items = "<li>" + "<li>".join(["y" * 100] * 6)
    page = f"<section><div>a</div><h2>h</h2><ul>{items}</ul></section><div>b</div>"
    assert kept(page) == ["a", "h", *["y" * 100] * 6]


def test_what_went_is_not_its_text(kept):
    page = f"<section><button>{LONG}</button>a</section><section>{LONG}</section>"
    assert kept(page) == [LONG]


def test_all_elements_of_long_text_may_make_the_article(kept):
    part = f"<article>{LONG}</article>"
    page = f"<p>a<section>b{part}<p>c{part}</section><p>d"
    assert kept(page) == [LONG]
    assert kept(page, "article.subtree=common") == ["b", LONG, "c", LONG]


def test_pages_of_a_batch_have_their_own_article(dom):
    labeler = dom("article.subtree=common")
    pages = [
        f"<p>a<section><h1>h</h1>{LONG}</section>", "<p>b", "", f"<section>{LONG}</section>c"
    ]  # fmt: skip
    verdict = labeler.label(labeler.table([page.encode() for page in pages]))
    assert verdict.labels.tolist() == [
        Label.OTHER, Label.HEADER, Label.TEXT, Label.TEXT, Label.TEXT, Label.OTHER
    ]  # fmt: skip


def test_a_threshold_orders_kept_and_other_blocks_by_density(dom):
    labeler = dom("link_lists.remove=false")
    page = f"<p>two words<p><a href=/>a</a><main>{'word ' * 101}<p>two words</main>".encode()
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


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.binary(max_size=300) | st.text(alphabet="<>/=\"' aditfo\n", max_size=200))
@pytest.mark.parametrize(
    "switches",
    [
        ["output.removed_links=true"],
        ["filters.text_links=true", "link_lists.cell=false"],
        [f"filters.{name}=true" for name in ("image_links", "alt_for_image_links",
                                             "non_link_images", "alt_for_images")],
    ],
)  # fmt: skip
def test_any_bytes(dom, switches, page):
    labeler = dom("output.form=html", *switches)
    page = page if isinstance(page, bytes) else page.encode()
    page = page.decode("utf-8", "replace").encode()
    verdict = labeler.label(labeler.table([page]))
    assert np.isfinite(verdict.marginals).all()
    verdict.more(0)
    labeler.output(verdict, 0, page)
    for form in ("html", "text", "markdown", "records", "sentences"):
        renderer(form)(verdict, 0, markup=page)


@pytest.mark.parametrize("nested", ["<div>", "<table><tr><td>", "<ul><li><img src=a>"])
def test_deep_nesting(dom, nested):
    labeler = dom("article.characters=3", "article.subtree=common", "images.relevance=0")
    page = (nested * 3000 + "they met some Words " * 10).encode()
    verdict = labeler.label(labeler.table([page]))
    assert verdict.kept.all()
    assert len(verdict.more(0)["images"]) == 1000 * nested.count("img")
