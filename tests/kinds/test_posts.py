"""Posts of threads in many markups: each once, whole, with author and date, in every form."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds.thread_markups import FRAME, POSTS, SYSTEMS, thread

from victor.api import Cleaner, load_cleaner
from victor.config.schema import Scope

URL = "https://bees.test/t/1?page=2#top"


@pytest.fixture(scope="module")
def result(long_texts):
    """The result of a page, given a labeler that keeps long texts."""
    return Cleaner(long_texts).clean


def words(text):
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("system", SYSTEMS)
def test_posts_of_many_systems(result, system):
    page = result(thread(system))
    found = page.posts
    assert [(post.author, post.date, post.text) for post in found] == [
        (author, iso, text) for author, _, iso, text in POSTS
    ]
    assert {post.kind for post in found} == {"post"}
    for post in found:
        blocks = page.blocks[slice(*post.blocks)]
        assert post.text in "\n".join(block.text for block in blocks)


@pytest.mark.parametrize("system", sorted({*SYSTEMS} - {"without-names"}))
def test_each_post_stands_below_its_author_and_day(result, system):
    posts = result(thread(system)).markdown.split("\n---\n")
    for author, written, day, text in POSTS:
        if author != "Zoë":  # whose text is short, and dropped
            (post,) = [post for post in posts if text in post]
            above = post[: post.index(text)]
            assert author in above
            assert day in above or written in above


@pytest.mark.parametrize(
    ("system", "url", "link"),
    [
        ("xenforo-2", None, "/threads/x.1/post-100"),
        ("xenforo-2", URL, "https://bees.test/threads/x.1/post-100"),
        ("mybb", None, "#post_100"),
        ("mybb", URL, "https://bees.test/t/1?page=2#post_100"),
        ("drupal", None, None),
    ],
)
def test_addresses_of_posts(result, system, url, link):
    markup = thread(system)
    assert result(markup, url).posts[0].link == link
    if system == "mybb" and url:  # which no base address moves
        based = markup.replace(b"<title>", b"<base href=/b/><title>", 1)
        assert result(based, url).posts[0].link == link


@pytest.mark.parametrize("scope", ["main", "article", "full"])
def test_posts_are_told_apart_in_every_scope_that_has_them(long_texts, scope):
    cleaned = Cleaner(long_texts, scope=Scope(name=scope)).clean(thread("mybb"), URL)
    assert re.search(r"\n---\n\n\[?\*\*tom_the_tinker\*\*", cleaned.markdown)
    assert re.search(r"<hr>\n<p>(<a .*>)?<strong>tom_the_tinker</strong>", cleaned.article)


@pytest.mark.parametrize("form", ["markdown", "article", "json"])
def test_every_form_of_a_document_has_the_switch(result, form):
    more = {"fields": ("markdown",)} if form == "json" else {}
    cleaned = result(thread("mybb"))
    options = ({"posts": True}, {"posts": False}, {})
    shows = ["tom_the_tinker" in cleaned.render(form, **more, **posts) for posts in options]
    assert shows == [True, False, True]
    plain = cleaned.render("markdown", posts=False, headline=False)
    assert words(plain) == words(cleaned.text)


def test_what_the_text_says_of_a_post_is_not_said_again():
    cleaned = load_cleaner(labeler="none").clean(thread("mybb"), URL)
    assert words(cleaned.render("markdown", links=False)) == words(cleaned.text)
    assert cleaned.markdown.count("\n---\n") == len(POSTS)


def test_a_page_that_failed_has_no_posts(long_texts):
    (failed,) = Cleaner(long_texts).clean_many([None])
    assert (failed.posts, failed.schema_org) == ((), [])


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="$<>&*{}"), max_size=80
)


@given(
    st.sampled_from(SYSTEMS),
    st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=5),
    st.integers(0, 3000),
)
def test_any_thread_even_cut_off_gives_posts_in_order_or_none(result, system, posts, cut):
    page = result(thread(system, posts)[: -cut or None])
    found = page.posts
    assert len(found) != 1
    for post in found:
        first, after = post.blocks
        assert 0 <= first < after <= len(page.blocks)
        assert post.text.strip()
        assert post.author is None or post.author.strip()


def test_ten_thousand_nested_comments_are_ten_thousand(result):
    page = (
        "<div class=comment><a href=/user/1>Ann</a> <time>2020-01-01</time><p>It leaks badly.</p>"
    )
    nested = page * 400 + "</div>" * 400  # none is as deep as elements may be
    assert len(result(FRAME.format(nested * 25).encode()).posts) == 10_000
