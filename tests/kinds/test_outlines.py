"""Threads as documents show them: a rule before each post, and who wrote it when."""

import re

import pytest
from kinds.thread_markups import POSTS, SYSTEMS, thread

from victor.api import Cleaner
from victor.config.schema import Scope
from victor.kinds.threads import posts as outlines
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


def signed(markdown):
    """The authors in lines above posts, in order."""
    return re.findall(r"^\*\*(\w+)\*\* · \[?2024-05-06", markdown, re.MULTILINE)


def comment(author, inner="", start="<li class=comment>", end="</li>"):
    date = "<time datetime=2024-05-06>6 May 2024</time>"
    name = f"<b class=fn>{author}</b>"
    return f"{start}{name} {date}<p>{TEXT.format(author)}</p>{inner}{end}"


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


@pytest.mark.parametrize("form", ["tei", "markdown", "article", "json"])
def test_every_form_of_a_document_has_the_switch(result, form):
    more = {"fields": ("markdown",)} if form == "json" else {}
    cleaned = result(thread("mybb"))
    options = ({"posts": True}, {"posts": False}, {})
    shows = ["tom_the_tinker" in cleaned.render(form, **more, **posts) for posts in options]
    assert shows == [True, False, form != "tei"]


def test_without_the_switch_the_words_are_those_of_the_text(result):
    cleaned = result(thread("mybb"))
    assert words(cleaned.render("markdown", posts=False, headline=False)) == words(cleaned.text)


def test_what_the_text_says_of_a_post_is_not_said_again(whole):
    cleaned = whole(thread("mybb"), URL)
    assert words(cleaned.render("markdown", links=False)) == words(cleaned.text)
    assert cleaned.markdown.count("\n---\n") == len(POSTS)


def test_replies_stand_below_what_they_answer_without_lists(long_texts):
    replies = f"<ul class=children>{comment('Cyril')}</ul>"
    comments = f"<ol class=commentlist>{comment('Bob', replies)}{comment('Diana')}</ol>"
    cleaned = Cleaner(long_texts, scope=Scope(name="full")).clean(page(comments).encode(), URL)
    assert signed(cleaned.markdown) == ["Bob", "Cyril", "Diana"]
    assert not re.search(r"^[->1]", cleaned.markdown.replace("---", ""), re.MULTILINE)


def test_block_quotes_around_whole_posts_quote_nobody(result):
    quoted = "<blockquote><p>{}</blockquote>".format(TEXT.format("quoted"))
    posts = "".join(
        f"<div id=post_{n} class=postcontainer><b class=username>Ann{n}</b> "
        f"<time datetime=2024-05-0{n}>{n} May</time>"
        f"<blockquote class=postcontent>{quoted}<p>{TEXT.format(n)}</p></blockquote></div>"
        for n in (1, 2, 3)
    )  # fmt: skip
    markdown = result(f"<title>Bees forum</title><h1>Bees</h1>{posts}".encode()).markdown
    assert markdown.count("\n> The bees") == 3
    assert markdown.count("\nThe bees") == 3


def test_lists_in_a_text_stay_lists_though_the_page_is_a_table(result):
    items = f"<ul><li>{TEXT.format('one')}</li><li>{TEXT.format('two')}</li></ul>"
    posts = "".join(
        f"<tr id=post_{n}><td><b class=username>Ann{n}</b> "
        f"<time datetime=2024-05-0{n}>{n} May</time>"
        f"<div class=body><p>{TEXT.format(n)}</p>{items}</div></td></tr>"
        for n in (1, 2, 3)
    )
    markup = f"<title>Bees forum</title><table><tr><td><table>{posts}</table></table>"
    assert result(markup.encode()).markdown.count("\n- The bees") == 6


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ((None, "Jan 2013"), ""),  # when somebody joined
        (("2013-01-05T10:00", "5 January"), "2013-01-05"),
        (("2 days ago", "2 days ago"), "2 days ago"),
        (("3/4/2024", "3/4/2024 (No. 17"), "3/4/2024"),
        ((None, None), ""),
    ],
)
def test_days_are_shown_as_such_or_as_written(given, shown):
    assert outlines._shown(*given) == shown


@pytest.mark.parametrize(
    ("name", "date", "are_posts"),
    [
        ("Ann{}", "", True),
        ("Shop", "<time datetime=2024-05-06>6 May</time>", True),
        ("Shop", "", False),
        ("", "<time datetime=2024-05-06>6 May</time>", False),
    ],
)
def test_boxes_that_nobody_signed_are_no_posts(whole, name, date, are_posts):
    boxes = "".join(
        f"<div id=post_{n} class=post><b class=username>{name.format(n)}</b> {date}"
        f"<p>{TEXT.format(n)}</p></div>"
        for n in (1, 2, 3)
    )
    markdown = whole(f"<title>Bees forum</title>{boxes}".encode()).markdown
    assert ("---" in markdown) == are_posts


def test_pages_that_say_nothing_of_posts_are_not_searched(result, monkeypatch):
    def fail(*_):
        raise AssertionError("this takes long")

    monkeypatch.setattr(outlines, "thread_of", fail)
    for markup in (ARTICLE, page("<ol class=commentlist><li class=comment>Nothing</ol>")):
        assert "The bees" in result(markup.encode()).markdown
