"""Sightings: hashes of texts and paths that are the same in every batch, and files of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.sites.sightings import (
    HEAD,
    ROW,
    Pages,
    heads,
    mapped,
    page_keys,
    sight,
    sighting,
    site_of,
)


def table_of(*pages, attributes=("class",)):
    return segment(record([page.encode() for page in pages], attributes=attributes), "block")


def sights(*pages, urls=None, attributes=("class",)):
    """Sightings of pages of one batch, read again."""
    table = table_of(*pages, attributes=attributes)
    marginals = np.random.default_rng(1).dirichlet((1, 1, 1), len(table))
    sources = Pages.of_urls(urls or [None] * len(pages))
    data = [np.frombuffer(each, np.uint8) for each in sight(table, marginals, sources)]
    return [sighting(each, 0) for each in data], marginals


def texts(page):
    ((seen,), _) = sights(page)
    return seen.rows["text"].tolist()


def paths(page, **more):
    ((seen,), _) = sights(page, **more)
    return seen.rows["path"].tolist()


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://a.example/b", "a.example"),
        ("HTTPS://WWW.A.Example:81", "a.example"),
        ("http://wwwa.example", "wwwa.example"),
        ("/srv/a.html", ""),
        ("http://[bad", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_site_of_an_address(url, site):
    assert site_of(url) == site


def test_pages_of_one_host_are_of_one_site():
    urls = ["http://a.example/1", "https://www.A.example/2", "http://b.example/1", None, "c.html"]
    site, address = Pages.of_urls(urls).site.tolist(), Pages.of_urls(urls).address.tolist()
    assert site[0] == site[1] != site[2] != site[3] == site[4]
    assert len({*address}) == 5
    assert address[3] == 0


@pytest.mark.parametrize(
    ("one", "other", "are_equal"),
    [
        ("Posted on 3 May", "posted on (3) MAY.", True),
        ("Page 1 of 20", "page 3 of 7", False),
        ("The mill stood empty", "The mill stood empty.", True),
        ("The mill stood empty", "The mill stood emptie", False),
        ("Straße", "straße", True),
        ("字体", "体字", False),
        ("a", "b", False),
        ("read more", "readmore", False),
    ],
)
def test_words_make_a_text(one, other, are_equal):
    first, second = texts(f"<p>{one}</p><p>{other}</p>")
    assert (first == second) is are_equal
    assert texts(f"<p>{other}</p>") == [second]


@pytest.mark.parametrize(
    ("one", "other", "are_equal"),
    [
        ("<p class='a b'>x</p>", "<p class='a c'>x</p>", True),
        ("<p class='a'>x</p>", "<p class='b'>x</p>", False),
        ("<p class='a'>x</p>", "<p>x</p>", False),
        ("<p>x</p>", "<div>x</div>", False),
        ("<div class=a><p>x</p></div>", "<div class=b><p>x</p></div>", False),
        ("<ul class=a><div><p>x</p></div></ul>", "<ol><div><p>x</p></div></ol>", True),
        ("<div><p><b class=a>x</b></p></div>", "<div><p><i>x</i></p></div>", True),
        ("<div class=a><p>x</p></div>", "<div><p class=a>x</p></div>", False),
        ("<div><p>x</p></div>", "<p>x</p>", False),
        ("<p class=''>x</p>", "<p class='  '>x</p>", True),
        ("<p class=' a b'>x</p>", "<p class='a'>x</p>", True),
        ("<p class=' a'>x</p>", "<p class=' b'>x</p>", False),
        *((f"<p class='a{space}b'>x</p>", "<p class=a>x</p>", True) for space in "\t\n\f\xa0"),
        ("<p class='&#xd800;\U0001f41d'>x</p>", "<p class='&#xd800;'>x</p>", False),
    ],
)
def test_two_elements_with_their_first_classes_make_a_path(one, other, are_equal):
    assert (paths(one) == paths(other)) is are_equal


def test_without_classes_tags_make_a_path():
    one, other = ("<p class='a'>x</p>", "<p class='b'>x</p>")
    assert paths(one, attributes=()) == paths(other, attributes=())
    assert paths(one, attributes=()) != paths("<div>x</div>", attributes=())


PAGES = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "div class=a", "li class='b c'", "li class='b\tc'", "h2"]),
            st.sampled_from(["", "Home", "Home 2", "A story of a mill.", "řeka", "字"]),
        ),
        max_size=5,
    ),
    min_size=1,
    max_size=4,
)


def markup(blocks):
    return "".join(f"<{tag}>{text}</{tag.split()[0]}>" for tag, text in blocks)


@given(PAGES)
def test_a_sighting_does_not_depend_on_the_batch(pages):
    pages = [markup(blocks) for blocks in pages]
    urls = [f"http://a.example/{number}" for number in range(len(pages))]
    together, marginals = sights(*pages, urls=urls)
    assert [len(seen.rows) for seen in together] == np.diff(table_of(*pages).page_starts).tolist()
    assert np.array_equal(np.concatenate([seen.marginals for seen in together]), marginals)
    for page, url, seen in zip(pages, urls, together, strict=True):
        ((alone,), _) = sights(page, urls=[url])
        assert alone.head == seen.head
        assert np.array_equal(alone.rows, seen.rows)


def test_a_key_tells_pages_apart():
    def keys(*pages, urls):
        return page_keys(table_of(*pages), Pages.of_urls(urls)).tolist()

    first, other_text, other_tags, other_place = keys(
        "<p>abc</p><p>d</p>", "<p>abd</p><p>c</p>", "<p>abc<br></p><p>d</p>", "<p>ab</p><p>cd</p>",
        urls=[None] * 4,
    )  # fmt: skip
    assert len({first, other_text, other_tags, other_place}) == 4
    assert [first] == keys("<p>abc</p><p>d</p>", urls=[None])
    assert [first] != keys("<p>abc</p><p>d</p>", urls=["http://a.example"])


def test_pages_with_equal_texts_have_one_digest():
    seen, _ = sights("<p>Home 1<p>A story", "<h1>(home) 1</h1><p>a story<hr>", "<p>Home<p>Stories")
    first, same, other = (each.head["digest"] for each in seen)
    assert first == same != other


def test_a_file_of_sightings_is_read_again(tmp_path):
    pages = ["<p>One<p>two", "", "<p>three"]
    table = table_of(*pages)
    data = sight(table, np.full((len(table), 3), 1 / 3), Pages.of_urls([None] * 3))
    (tmp_path / "a").write_bytes(b"".join(data))
    places, of_file = heads(tmp_path / "a")
    assert places.tolist() == [0, len(data[0]), len(data[0]) + len(data[1])]
    assert of_file["blocks"].tolist() == [2, 0, 1]
    assert len(data[0]) == HEAD.itemsize + 2 * (ROW.itemsize + 3 * 8)
    (tmp_path / "b").write_bytes(b"")
    assert len(heads(tmp_path / "b")[0]) == 0
    assert len(mapped(tmp_path / "b", ROW)) == 0
