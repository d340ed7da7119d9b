"""Threads as documents show them: a rule before each post, and who wrote it when."""

import re

import pytest
from kinds.thread_markups import POSTS, SYSTEMS, thread

from victor.api import Cleaner
from victor.config.schema import Scope
from victor.labelers.labeler import build_labeler

URL = "https://bees.test/t/1"
TEXT = "The bees left their hive on a Tuesday and came back without a word of explanation, {}."
ARTICLE = f"<article>{f'<p>{TEXT}</p>' * 8}</article>"


@pytest.fixture(scope="module")
def result(long_texts):
    """Function: the result of a page of which long texts are kept."""
    return Cleaner(long_texts).clean


@pytest.fixture(scope="module")
def whole():
    """Function: likewise of a page of which all is kept."""
    return Cleaner(build_labeler("none")).clean


def words(text):
    return re.findall(r"\w+", text)


def page(comments, title="Bees"):
    return f"<html lang=en><title>{title}</title><h1>Bees</h1>{ARTICLE}<div>{comments}</div>"


@pytest.mark.parametrize("scope", ["main", "article", "full"])
def test_posts_are_told_apart_in_every_scope_that_has_them(long_texts, scope):
    cleaned = Cleaner(long_texts, scope=Scope(name=scope)).clean(thread("mybb"), URL)
    assert re.search(r"\n---\n\n\[?\*\*tom_the_tinker\*\*", cleaned.markdown)
    assert re.search(r"<hr>\n<p>(<a .*>)?<strong>tom_the_tinker</strong>", cleaned.article)


@pytest.mark.parametrize("system", sorted({*SYSTEMS} - {"without-names"}))
def test_each_post_stands_below_its_author_and_day(result, system):
    markdown = result(thread(system)).markdown
    posts = markdown.split("\n---\n")
    for author, written, day, text in POSTS:
        if author != "Zoë":  # whose text is short, and dropped
            (post,) = [post for post in posts if text in post]
            above = post[: post.index(text)]
            assert author in above
            assert day in above or written in above


@pytest.mark.parametrize("form", ["markdown", "article", "json"])
def test_every_form_of_a_document_has_the_switch(result, form):
    more = {"fields": ("markdown",)} if form == "json" else {}
    cleaned = result(thread("mybb"))
    options = ({"posts": True}, {"posts": False}, {})
    shows = ["tom_the_tinker" in cleaned.render(form, **more, **posts) for posts in options]
    assert shows == [True, False, True]


def test_without_the_switch_the_words_are_those_of_the_text(result):
    cleaned = result(thread("mybb"))
    assert words(cleaned.render("markdown", posts=False, headline=False)) == words(cleaned.text)


def test_what_the_text_says_of_a_post_is_not_said_again(whole):
    cleaned = whole(thread("mybb"), URL)
    assert words(cleaned.render("markdown", links=False)) == words(cleaned.text)
    assert cleaned.markdown.count("\n---\n") == len(POSTS)
