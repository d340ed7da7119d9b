"""Whatever a page declares, its metadata are plain data and are made in linear time."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metadata_pages import meta, read, script

from victor.metadata.page_metadata import Metadata

KEYS = st.sampled_from(
    ["@type", "@id", "@graph", "@list", "@value", "author", "name", "headline", "datePublished",
     "dateModified", "publisher", "keywords", "image", "url", "mainEntity", "mainEntityOfPage",
     "inLanguage", "license", "articleSection", "description"]
)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["Article", "WebPage", "Person", "#a", "2024-02-30", "2024-03-09", "By A B"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6)
)


def is_plain(metadata):
    """Are all values of the right type."""
    assert isinstance(metadata, Metadata)
    for name, value in metadata.as_dict().items():
        values = [value]
        if name in ("authors", "tags", "feeds"):
            values = [*value]
        elif name in ("translations", "sources"):
            values = [*value, *value.values()]
        assert all(isinstance(each, str) and each for each in values)
    assert set(metadata.sources) == set(metadata.as_dict()) - {"sources"}
    return True


@given(VALUES, VALUES)
def test_any_json_is_read(first, second):
    typed = {"@type": "Article", "author": first, "headline": second, "datePublished": first}
    assert is_plain(read(script(first) + script(second) + script(typed)))


@given(st.text(alphabet='{}[]",:\\/*<!->&;@aA1 \n\x00', max_size=60), VALUES)
def test_any_script_is_read(noise, value):
    assert is_plain(read(script(noise + json.dumps(value)) + script(json.dumps(value) + noise)))


@given(st.text(max_size=60), st.text(alphabet="By 0123456789/-.:,|", max_size=60))
def test_any_value_is_read(first, second):
    names = ("author", "date", "og:title", "og:image", "keywords", "og:locale", "og:site_name")
    head = "".join(meta(name, value) for name in names for value in (first, second))
    body = f"<h1>{first}</h1><p class='byline author-name date'>{second}<p itemprop=author>{first}"
    assert is_plain(read(head, body, url=first))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"@type":"Article","author":' * 50_000 + "1" + "}" * 50_000,
        '{"@type": "Article", "headline": ' + "9" * 100_000 + "}",
        '{"@type": "Article", "headline": "' + "a" * 1_000_000 + '"}',
        '"\\' * 100_000,
        "/*" * 100_000,
        ", " * 100_000 + "]",
        "<!--" * 100_000,
        '{"@graph": ' * 900 + "{}" + "}" * 900,
        "[" + '{"@type": "Article"},' * 50_000 + "]",
        '[{"@type": "WebPage", "@id": "a", "mainEntity": {"@id": "a"}, "author": {"@id": "a"}}]',
        "",
    ],
    ids=["open", "nested", "authors", "number", "string", "quotes", "comments", "commas", "html",
         "graphs", "many", "circle", "nothing"],
)  # fmt: skip
def test_hostile_scripts_are_survived(text):
    assert is_plain(read(script(text)))


@pytest.mark.parametrize(
    "body",
    [
        "<div class='author'>" * 3_000 + "By A. Keeper",
        "<h1>On bees</h1>" * 3_000,
        "<p class=byline>By A. Keeper</p>" * 3_000,
        "<time datetime=2024-03-09>x</time>" * 3_000,
        "<p itemprop=author>A. Keeper</p>" * 3_000,
        "<p class=date>" + "9 March 2024 " * 20_000,
        "<p class=byline>By " + "A. Keeper, " * 50_000,
        "<title>" + " | Bees" * 50_000 + "</title>",
    ],
)
def test_hostile_bodies_are_survived(body):
    assert is_plain(read("<title>On bees</title>", body))


def test_an_empty_page_has_no_metadata():
    assert read().as_dict() == {}
