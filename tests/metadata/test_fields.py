"""Addresses, languages, tags and what else a page declares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metadata_pages import meta, read, script

from victor.metadata.dates import days_in
from victor.metadata.page_metadata import page_metadata
from victor.metadata.page_view import Batch
from victor.metadata.texts import clean
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

URL = "https://hive.example/a/b"


def test_addresses_are_absolute():
    head = (
        '<base href="/c/"><link rel=canonical href="bees"><meta property=og:image content=bee.jpg>'
        '<link rel=alternate type="application/rss+xml" href="/feed">'
        '<link rel=alternate type="application/atom+xml" href="/feed">'
        '<link rel=alternate hreflang=cs href="cs"><link rel=alternate hreflang=cs href="other">'
        '<link rel="license" href="//creativecommons.org/licenses/by/4.0/">'
    )
    said = read(head, url=URL)
    assert said.canonical == "https://hive.example/c/bees"
    assert said.image == "https://hive.example/c/bee.jpg"
    assert said.feeds == ("https://hive.example/feed",)
    assert said.translations == {"cs": "https://hive.example/c/cs"}
    assert said.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert {said.sources[name] for name in ("canonical", "feeds", "translations", "licence")} == {
        "link"
    }


def test_the_neighbours_of_a_page_are_linked():
    head = '<link href="bees?page=3&amp;all=1" rel="next"><link rel="prev" href="bees">'
    said = read(head, url=URL)
    assert said.next_page == "https://hive.example/a/bees?page=3&all=1"
    assert said.previous_page == "https://hive.example/a/bees"
    assert said.sources["next_page"] == said.sources["previous_page"] == "link"
    assert read('<link rel="previous" href="/c">').previous_page == "/c"


def test_a_licence_may_be_linked_in_the_foot():
    mark = '<a href="/terms?a=1&amp;b" class=x rel="license">CC BY</a>'
    assert read("", mark, url=URL).licence == "https://hive.example/terms?a=1&b"
    rest = 50_000 - len(f"{mark}</body></html>")
    for n, licence in ((rest, "/terms?a=1&b"), (rest + 1, None)):
        assert read("", mark + "x" * n).licence == licence


@pytest.mark.parametrize(
    "markup",
    [
        '<a rel="license">', '<b rel="license" href="/c">', 'rel="license" href="/c"',
        f'<a data="{"x" * 2000}" rel="license" href="/c">', '<a rel="nofollow license" href="/c">',
    ],
)  # fmt: skip
def test_a_licence_needs_a_link_with_an_address(markup):
    assert read("", markup, url=URL).licence is None


def test_the_title_of_the_window_stands_as_it_is():
    said = read("<title> Bees &amp;\n ants | The  Hive</title>", "<h1>Bees & ants</h1>")
    assert (said.title, said.window_title) == ("Bees & ants", "Bees & ants | The Hive")
    assert said.sources["window_title"] == "title"


def test_what_is_no_address_is_left_out():
    head = (
        '<link rel=canonical href="javascript:alert(1)"><meta property=og:url content="http://[">'
        '<meta property=og:image content="data:image/png;base64,AAAA">'
    )
    assert read(head, url=URL).as_dict() == {}


def test_addresses_stay_relative_where_that_of_the_page_is_unknown():
    assert read('<link rel=canonical href="/bees">').canonical == "/bees"


def test_language():
    assert read(language="cs-CZ").language == "cs-CZ"
    said = read(meta("og:locale", "de_AT"))
    assert (said.language, said.sources["language"]) == ("de-AT", "open-graph")
    assert read(language="not a language").language is None


def test_tags_are_those_of_one_source_each_once():
    head = meta("article:tag", "Bees") + meta("article:tag", "Honey") + meta("keywords", "x")
    said = read(head)
    assert (said.tags, said.sources["tags"]) == (("Bees", "Honey"), "open-graph")
    assert read(meta("keywords", "bees, Bees; honey,,")).tags == ("bees", "honey")


def test_type():
    assert read(meta("og:type", "Article")).type == "article"
    assert read("", "<div itemscope itemtype='https://schema.org/Recipe'>x").type == "recipe"
    assert read(meta("og:type", "<script>")).type is None


def test_publisher_is_a_name():
    assert read(meta("article:publisher", "https://facebook.com/hive")).publisher is None
    assert read(meta("dc.publisher", "Hive Press")).publisher == "Hive Press"


def test_description_and_section():
    said = read(meta("description", "On &amp;amp; about bees") + meta("article:section", "Nature"))
    assert (said.description, said.section) == ("On & about bees", "Nature")


def test_empty_words_of_programs_are_no_value():
    node = {"@type": "Article", "headline": None, "author": "null", "articleSection": "undefined"}
    assert read(script(node) + meta("description", "None")).as_dict() == {
        "type": "article", "sources": {"type": "json-ld"},
    }  # fmt: skip


def test_tables_without_attributes_work():
    head = "<title>On bees</title>" + meta("description", "x")
    body = "<h1>On bees</h1><p itemprop=author class=author>A. Keeper"
    assert read(head, body, attributes=()).title == "On bees"


def test_metadata_do_not_depend_on_the_batch():
    pages = [
        b"<title>Bees</title><h1>Bees</h1><p class='Byline x'>By A. Keeper</p><p id=date>1.5.2024",
        b"<h1>Wax</h1><p class=author>B. Waggle<time datetime=2020-01-02></time><p class=meta>May",
        b"",
        b"<div class=nav><p class='post-meta author-name' itemprop=author>C. Comb",
    ]
    table = parse_pages(pages, attributes=ATTRIBUTES)
    for number, page in enumerate(pages):
        alone = page_metadata(parse_pages([page], attributes=ATTRIBUTES), 0)
        assert page_metadata(table, number) == alone


@given(
    st.lists(st.text("19024./-٢٠\u200b &amp;#53; a年月", max_size=14)
             | st.sampled_from(["9 March 2024", "1.2.20\u200b24", "&amp;#50;024-03-09"]),
             max_size=5)
)  # fmt: skip
def test_blocks_with_a_date_may_have_one(texts):
    table = parse_pages(["".join(f"<p>{text}</p>" for text in texts).encode()])
    dated = Batch.of(table).dated
    for block, text in enumerate(block_texts(table)):
        assert block in dated or not days_in(clean(text), month_first=True)
