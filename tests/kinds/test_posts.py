"""Posts of threads in many markups: each once, whole, with author and date; and what is no post."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kinds.thread_markups import FRAME, POSTS, SYSTEMS, thread

from victor.api import Cleaner

PROSE = "The bees left their hive on a Tuesday and came back without a word of explanation. "
ARTICLE = f"<article>{f'<p>{PROSE * 3}</p>' * 4}</article>"
COMMENT = (
    "<li class=comment id=c-{0}><b class=fn>{1}</b> <a class=comment-author>{1}</a> "
    "<time datetime=2020-05-0{0}>{0} May</time><p>{2}</p>{3}</li>"
)


@pytest.fixture(scope="module")
def result(long_texts):
    """The result of a page, given a labeler that keeps long texts."""
    return Cleaner(long_texts).clean


def plain_page(body, title="Bees"):
    return f"<html lang=en><title>{title}</title><h1>{title}</h1>{body}".encode()


@pytest.mark.parametrize("system", SYSTEMS)
def test_posts_of_many_systems(result, system):
    found = result(thread(system)).posts
    assert [post.author for post in found] == [author for author, *_ in POSTS]
    assert [post.date for post in found] == [iso for _, _, iso, _ in POSTS]
    assert [post.text for post in found] == [text for *_, text in POSTS]
    assert {post.kind for post in found} == {"post"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_blocks_of_posts_hold_their_text(result, system):
    page = result(thread(system))
    for post in page.posts:
        blocks = page.blocks[slice(*post.blocks)]
        assert post.text in "\n".join(block.text for block in blocks)


def test_a_number_in_parentheses_beside_a_name_is_no_author(result):
    numbered = COMMENT.replace("<a class", "<a class=user href=/~{1}>( 10{0} )</a> <a class")
    page = plain_page(ARTICLE + "".join(numbered.format(n, name, PROSE, "") for n, name in
                                        enumerate(("Ann", "Bo", "Cy"), start=1)))  # fmt: skip
    assert [post.author for post in result(page).posts] == ["Ann", "Bo", "Cy"]


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


def test_comments_of_an_article_are_comments_and_the_article_is_none(result):
    rows = [
        COMMENT.format(n, name, f"{name} thinks: {PROSE}", "")
        for n, name in ((1, "Ann"), (2, "Bo"))
    ]
    page = plain_page(f"{ARTICLE}<ol class=comments>{''.join(rows)}</ol>")
    found = result(page).posts
    assert [(post.kind, post.author, post.date) for post in found] == [
        ("comment", "Ann", "2020-05-01"),
        ("comment", "Bo", "2020-05-02"),
    ]


def test_a_comment_does_not_hold_the_replies_inside_it(result):
    reply = COMMENT.format(2, "Bo", f"Bo says {PROSE}", "")
    outer = COMMENT.format(1, "Ann", f"Ann says {PROSE}", f"<ul>{reply}</ul>")
    found = result(plain_page(f"{ARTICLE}<ol class=comments>{outer}</ol>")).posts
    assert [post.text for post in found] == [
        f"Ann says {PROSE}".strip(),
        f"Bo says {PROSE}".strip(),
    ]


def test_relative_dates_stay_as_written(result):
    posts = [("Ann", "2 days ago", "", PROSE), ("Bo", "yesterday, 10:30", "", f"No. {PROSE}")]
    found = result(thread("mybb", posts)).posts
    assert [post.date for post in found] == ["2 days ago", "yesterday, 10:30"]


def test_a_page_tells_whether_months_or_days_come_first(result):
    def dates(*written):
        posts = [(f"Ann{n}", date, "", f"{n} {PROSE}") for n, date in enumerate(written)]
        return [post.date for post in result(thread("mybb", posts)).posts]

    assert dates("03/04/2019", "03/25/2019") == ["2019-03-04", "2019-03-25"]
    assert dates("03/04/2019", "25/03/2019") == ["2019-04-03", "2019-03-25"]


def test_quotes_in_a_post_are_its_text_and_their_author_is_not_its_author(result):
    cite = "<cite><a href='/members/z.9/'>Zoë</a> wrote:</cite>"
    quoted = "Is it the seal, or the lid, or do I have to throw all of it away?"
    quote = f"<blockquote>{cite} {quoted}</blockquote>"
    posts = [
        ("Ann", "March 3, 2019", "2019-03-03", PROSE),
        ("Bo", "March 4, 2019", "2019-03-04", quote + PROSE),
    ]
    found = result(thread("xenforo-2", posts)).posts
    assert [post.author for post in found] == ["Ann", "Bo"]
    assert found[1].text.startswith(
        "Zoë wrote: Is it the seal, or the lid, or do I have to throw all of it away?"
    )


ROWS = range(1, 9)


@pytest.mark.parametrize(
    "body",
    [
        ARTICLE,
        "".join(  # news
            f"<div class=post><h2><a href=/news/{n}>The bees of day {n}</a></h2><span class=author>"
            f"Ann</span> <time>2020-05-0{n}</time><p>{PROSE}{n}</p></div>"
            for n in ROWS
        ),
        "".join(f"<h3>Version 1.{n} (2020-05-0{n})</h3><p>{PROSE}{n}</p>" for n in ROWS),  # changes
        "<table>"  # threads of a forum
        + "".join(
            f"<tr class=topic><td><a href=/topic/{n}>How many bees are {n} hives</a><td>{n} replies"
            f"<td><a href=/user/{n}>Ann{n}</a> 2020-05-0{n}"
            for n in ROWS
        )
        + "</table>",
        ARTICLE  # further reading
        + "".join(
            f"<div class=card><a href=/news/{n}>Bees strike again</a><p>by Ann, May {n}, 2020</div>"
            for n in ROWS
        ),
        ARTICLE + "<p class=comment>By <a href=/user/1>Ann</a>, May 3, 2020. One remark only.</p>",
        "",
    ],
    ids=["article", "news", "changes", "topics", "cards", "one-comment", "nothing"],
)
def test_what_is_no_thread_has_no_posts(result, body):
    assert result(plain_page(body)).posts == ()


def test_a_page_that_failed_has_no_posts(long_texts):
    (failed,) = Cleaner(long_texts).clean_many([None])
    assert (failed.posts, failed.schema_org) == ((), [])


def test_pages_of_a_batch_keep_their_posts(long_texts):
    pages = [thread("mybb"), plain_page(ARTICLE), thread("phpbb-3"), b"", thread("discourse")]
    together = [result.posts for result in Cleaner(long_texts).clean_many(pages)]
    assert together == [Cleaner(long_texts).clean(page).posts for page in pages]
    assert [len(posts) for posts in together] == [4, 0, 4, 0, 4]


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="$<>&*{}"), max_size=80
)


@settings(
    max_examples=60, deadline=timedelta(seconds=5), suppress_health_check=[HealthCheck.too_slow]
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


def test_comments_as_short_as_names_are_comments(result):
    """Nothing of them is kept, nor is any of them what a reader says by its form."""
    short = COMMENT.replace("<p>{2}</p>", "<div>Yes, they do</div>")
    comments = "".join(short.format(n, name, "", "") for n, name in enumerate(("Ann", "Bo"), 1))
    assert {post.kind for post in result(plain_page(ARTICLE + comments)).posts} == {"comment"}
