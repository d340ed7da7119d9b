"""Posts of threads in many markups: each once, whole, with author and date; and what is no post."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds.thread_markups import FRAME, POSTS, SYSTEMS, thread

from victor.api import Cleaner

PROSE = "The bees left their hive on a Tuesday and came back without a word of explanation. "
ARTICLE = f"<article>{f'<p>{PROSE * 3}</p>' * 4}</article>"


@pytest.fixture(scope="module")
def result(long_texts):
    """The result of a page, given a labeler that keeps long texts."""
    return Cleaner(long_texts).clean


def plain_page(body, title="Bees"):
    return f"<html lang=en><title>{title}</title><h1>{title}</h1>{body}".encode()


@pytest.mark.parametrize("system", SYSTEMS)
def test_posts_of_many_systems(result, system):
    page = result(thread(system))
    found = page.posts
    assert [post.author for post in found] == [author for author, *_ in POSTS]
    assert [post.date for post in found] == [iso for _, _, iso, _ in POSTS]
    assert [post.text for post in found] == [text for *_, text in POSTS]
    assert {post.kind for post in found} == {"post"}
    for post in found:
        blocks = page.blocks[slice(*post.blocks)]
        assert post.text in "\n".join(block.text for block in blocks)


def test_addresses_of_posts(result):
    assert result(thread("xenforo-2")).posts[0].link == "/threads/x.1/post-100"
    url = "https://bees.test/t/1?page=2#top"
    here = result(thread("xenforo-2"), url).posts[0].link
    assert here == "https://bees.test/threads/x.1/post-100"
    assert result(thread("mybb"), url).posts[0].link == "https://bees.test/t/1?page=2#post_100"
    based = thread("mybb").replace(b"<title>", b"<base href=/b/><title>", 1)
    assert result(based, url).posts[0].link == "https://bees.test/t/1?page=2#post_100"
    assert result(thread("mybb")).posts[0].link == "#post_100"
    assert [post.link for post in result(thread("drupal")).posts] == [None] * 4


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
