"""No text of a page is HTML, a link or a picture to a reader of its Markdown, and none is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_places import FRAGMENTS, PLACES, WAYS, page, wrong

from victor.render import inline_markdown as inlines
from victor.render import markdown as blocks

NAMES = st.lists(st.sampled_from(sorted(PLACES)), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(names=NAMES, random=st.randoms(), scope=st.sampled_from(sorted(WAYS)))
def test_texts_stay_texts(names, random, scope):
    assert [*wrong(page(names, random.choice), scope)] == []


@pytest.mark.slow
@settings(max_examples=4000, deadline=None)
@given(names=NAMES, random=st.randoms(), scope=st.sampled_from(sorted(WAYS)))
def test_many_texts_stay_texts(names, random, scope):
    assert [*wrong(page(names, random.choice), scope)] == []


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_every_fragment_alone_in_every_place(place):
    pages = (page([place], lambda of: of[0], lambda _, each=each: each) for each in FRAGMENTS)
    assert [found for each in pages for found in wrong(each, "full")] == []


@pytest.mark.parametrize(
    ("place", "room", "name", "fragment", "kind"),
    [
        ("typed TeX", inlines, "tex_between_dollars", "x<script>", "html"),
        ("typed TeX", inlines, "tex_between_dollars", "f[x](t)", "link_open"),
        ("note of a word", blocks, "_with_plain_words", "", "letters"),
        ("link of references", inlines, "_address", "w", "link_open"),
    ],
)
def test_the_search_finds_what_is_not_mended(monkeypatch, place, room, name, fragment, kind):
    monkeypatch.setattr(room, name, lambda text: text)
    markup = page([place], lambda of: of[0], lambda _: fragment)
    assert {found.partition(": ")[2] for found, _ in wrong(markup, "article")} >= {kind}
