"""Posts of threads in many markups: each once, whole, with author and date."""

import pytest
from kinds.thread_markups import POSTS, SYSTEMS, thread

from victor.api import Cleaner


@pytest.fixture(scope="session")
def posts(long_texts):
    """The posts of a page, given what a labeler keeps that keeps long texts."""
    return lambda markup: Cleaner(long_texts).clean(markup).posts


@pytest.mark.parametrize("system", SYSTEMS)
def test_posts_of_many_systems(posts, system):
    found = posts(thread(system))
    assert [post.author for post in found] == [author for author, *_ in POSTS]
    assert [post.date for post in found] == [iso for _, _, iso, _ in POSTS]
    assert [post.text for post in found] == [text for *_, text in POSTS]
    assert {post.kind for post in found} == {"post"}
