"""Threads as documents show them: posts apart, each below its author and day; replies as quotes."""

import re
from dataclasses import replace

import pytest
from kinds.thread_markups import POSTS, SYSTEMS, thread
from lxml import etree

from victor.api import Cleaner
from victor.config import Scope
from victor.kinds.threads import outline as outlines
from victor.labelers import build_labeler

URL = "https://bees.test/t/1"
TEXT = "The bees left their hive on a Tuesday and came back without a word of explanation, {}."
ARTICLE = f"<article>{f'<p>{TEXT}</p>' * 8}</article>"


@pytest.fixture(scope="module")
def result(long_texts):
    """Function: the result of a page of which long texts are kept, as in a scope for readers."""
    clean = Cleaner(long_texts).clean
    return lambda *page: replace(clean(*page), _for_readers=True)


@pytest.fixture(scope="module")
def whole():
    """Function: likewise of a page of which all is kept."""
    clean = Cleaner(build_labeler("none")).clean
    return lambda *page: replace(clean(*page), _for_readers=True)


@pytest.mark.parametrize("scope", ["main", "article", "full"])
def test_markdown_tells_posts_apart_in_scopes_for_readers(long_texts, scope):
    cleaned = Cleaner(long_texts, scope=Scope(name=scope)).clean(thread("mybb"), URL)
    author = "**tom_the_tinker** ·"
    markdown = cleaned.markdown.replace("\\_", "_")
    assert (author in markdown) == (scope != "main")
    assert "tom_the_tinker</strong> ·" in cleaned.article


def quotes(markdown):
    """How deep each author is quoted."""
    lines = re.findall(r"^([> ]*)\*\*(\w+)\*\*", markdown, re.MULTILINE)
    return {author: marks.count(">") for marks, author in lines}


def words(text):
    return re.findall(r"\w+", text)


def comment(author, inner="", before="", start="<li class=comment>", end="</li>"):
    date = "<time datetime=2024-05-06>6 May 2024</time>"
    name = f"<b class=fn>{author}</b>"
    return f"{start}{before}{name} {date}<p>{TEXT.format(author)}</p>{inner}{end}"


def page(comments, title="Bees"):
    return f"<html lang=en><title>{title}</title><h1>Bees</h1>{ARTICLE}<div>{comments}</div>"


def full(long_texts, markup):
    return Cleaner(long_texts, scope=Scope(name="full")).clean(markup.encode(), URL).markdown


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_post_stands_below_its_author_and_day(result, system):
    cleaned = result(thread(system))
    markdown = cleaned.markdown.replace("\\_", "_")
    for author, _, day, text in POSTS:
        if author != "Zoë":  # whose text is short, and dropped
            above = markdown[: markdown.index(text)].rpartition("\n---\n")[2]
            assert re.search(rf"\*\*{author}\*\* · \[?{day}", above) or system == "without-names"
    assert markdown.count("\n---\n") >= 2


def test_without_the_switch_the_words_are_those_of_the_text(result):
    cleaned = result(thread("mybb"))
    assert words(cleaned.render("markdown", posts=False, headline=False)) == words(cleaned.text)


@pytest.mark.parametrize("form", ["tei", "article", "json"])
def test_other_forms_read_the_same_outline(result, form):
    more = {"fields": ("markdown",)} if form == "json" else {}
    cleaned = result(thread("mybb"))
    assert "tom_the_tinker" in cleaned.render(form, posts=True, **more)
    assert "tom_the_tinker" not in cleaned.render(form, posts=False, **more)
    by_default = "tom_the_tinker" in cleaned.render(form, **more)
    assert by_default == (form in {"article", "json"})
    if form == "tei":
        etree.fromstring(cleaned.render(form, posts=True).encode())


def nested(*inner):
    return f"<ul class=children>{''.join(inner)}</ul>" if inner else ""


def test_replies_are_quotes_in_what_they_answer(long_texts):
    replies = nested(comment("Cyril", nested(comment("Diana"))), comment("Edgar"))
    comments = f"<ol class=commentlist>{comment('Bob', replies)}{comment('Fay')}</ol>"
    markdown = full(long_texts, page(comments))
    assert quotes(markdown) == {"Bob": 1, "Cyril": 2, "Diana": 3, "Edgar": 2, "Fay": 1}
    assert "> > > **Diana** · 2024-05-06\n> > >\n> > > The bees left" in markdown
    assert "- The bees" not in markdown  # the list is layout


def test_replies_beside_what_they_answer(long_texts):
    def of(author):
        return comment(author, start="<article class=comment>", end="</article>")

    indented = "<div class=indented>{}</div>"
    comments = of("Bob") + indented.format(of("Cyril") + indented.format(of("Diana"))) + of("Edgar")
    markdown = full(long_texts, page(comments))
    assert quotes(markdown) == {"Bob": 1, "Cyril": 2, "Diana": 3, "Edgar": 1}


@pytest.mark.parametrize(
    "start",
    [
        "<div class=comment style='margin-left: {}px'>",
        "<div class='comment depth-{}'>",
        "<div class=comment><i indent={}></i>",
        "<div class=comment><img src=s.gif width={} height=1>",
    ],
)
def test_replies_that_are_indented(long_texts, start):
    levels = {"Bob": 0, "Cyril": 1, "Diana": 2, "Edgar": 1, "Fay": 0}
    comments = [comment(name, start=start.format(n), end="</div>") for name, n in levels.items()]
    markdown = full(long_texts, page("".join(comments)))
    assert quotes(markdown) == {name: level + 1 for name, level in levels.items()}


def test_indents_that_few_comments_have_tell_nothing(long_texts):
    starts = ["<div class=comment style='margin-left:9px'>", *["<div class=comment>"] * 3]
    comments = "".join(comment(f"Ann{n}", start=s, end="</div>") for n, s in enumerate(starts))
    assert {*quotes(full(long_texts, page(comments))).values()} == {1}


def test_posts_of_a_forum_are_no_comments_whatever_it_calls_them(result):
    post = "<article class='cPost ipsComment'>"
    posts = "".join(
        comment(name, start=post, end="</article>") for name in ("Bob", "Cyril", "Diana")
    )
    markdown = result(page(posts, "Bees - Garden forum").encode()).markdown
    assert quotes(markdown) == {"Bob": 0, "Cyril": 0, "Diana": 0}
    assert markdown.count("\n---\n") == 3


def of_type(name):
    return f"<div class={name} itemscope itemtype=https://schema.org/{name.title()}>"


def test_answers_are_told_apart_and_comments_on_them_are_quotes(result):
    def note(author):
        return comment(author, start=of_type("comment"), end="</div>")

    def answer(author, inner=""):
        return comment(author, inner, start=of_type("answer"), end="</div>")

    question = comment("Ann", start=of_type("question"), end="</div>")
    main = f"{question}{answer('Bob', note('Cyril') + note('Diana'))}{answer('Edgar')}"
    head = '<script type=application/ld+json>{"@type": "QAPage"}</script>'
    markdown = result(f"{head}<title>Bees?</title><h1>Bees?</h1>{main}".encode()).markdown
    assert quotes(markdown) == {"Ann": 0, "Bob": 0, "Cyril": 1, "Diana": 1, "Edgar": 0}


def lines_of(author, date, points, text):
    return (
        f"<div class='comment thing'><p class=tagline><a href=/user/{author}>{author}</a> "
        f"<span>{points} points</span> <time datetime=2024-05-{date}>{date} days ago</time></p>"
        f"<div class=md><p>{text}</p></div></div>"
    )


def test_the_line_of_the_page_gives_way_to_the_one_above_the_post(whole):
    posts = [("ann", "06", 25, TEXT), ("bo", "07", 3, "Short."), ("cy", "08", 1, TEXT)]
    markup = f"<title>Bees forum</title><h1>Bees</h1>{''.join(lines_of(*post) for post in posts)}"
    cleaned = whole(markup.encode(), URL)
    parts = cleaned.render("markdown", headline=False).split("\n\n---\n\n")
    assert [part.count(name) for part, name in zip(parts, ("ann", "bo", "cy"), strict=True)] == [
        1
    ] * 3
    assert parts[1] == "**bo** · 2024-05-07 · 3 points\n\nShort."
    for block in cleaned.blocks:  # it is found again in that line
        assert block.markdown_range is not None
    begin, end = next(b for b in cleaned.blocks if b.text.startswith("bo")).markdown_range
    assert cleaned.markdown[begin:end] == "**bo** · 2024-05-07 · 3 points"


def test_what_says_author_and_day_again_goes_with_the_line(whole):
    def note(author, day):
        return (
            f"<div class=comment id=comment-{day}><p>{TEXT.format(day)}</p>"
            f"<div><a href=/users/{day}>{author}</a></div><div>– <a href=/users/{day}>{author}</a>"
            f"</div><div><time datetime=2024-05-{day}>2024-05-{day} 10:00</time></div>"
            f"<div>Commented <span>May {day}, 2024 at 10:00</span></div>"
            f"<div>Edited May 30, 2024</div></div>"
        )

    markup = f"<title>Bees forum</title>{note('Ann', 12)}{note('Bob', 13)}{note('Cyril', 14)}"
    markdown = whole(markup.encode()).markdown
    assert [markdown.count(name) for name in ("Ann", "Bob", "Cyril")] == [1] * 3
    assert ("Commented" in markdown, markdown.count("Edited May 30, 2024")) == (False, 3)


def test_authors_in_a_text_stay_there(whole):
    posts = [f"<div class=post-{n} id=post-{n}><p><b class=username>Ann</b> said on "
             f"<time datetime=2024-05-0{n}>day</time> {TEXT}</div>" for n in (1, 2, 3)]  # fmt: skip
    markdown = whole(f"<title>Bees forum</title>{''.join(posts)}".encode()).markdown
    assert len(re.findall("Ann", markdown)) == 3


def test_a_date_within_a_text_stays_there(whole):
    posts = "".join(
        f"<div id=post_{n} class=post><p><b class=username>Ann{n}</b></p><p>{TEXT.format(n)}</p>"
        f"<p>Date of birth: 3/4/2001</p><p>{TEXT.format('too')}</p></div>"
        for n in (1, 2, 3)
    )
    markdown = whole(f"<title>Bees forum</title>{posts}".encode()).markdown
    assert markdown.count("Date of birth: 3/4/2001") == 3
    assert markdown.count("3/4/2001") == 3


def test_a_month_is_when_somebody_joined():
    assert outlines._shown(None, "Jan 2013") == ""
    assert outlines._shown("2013-01-05T10:00", "5 January") == "2013-01-05"
    assert outlines._shown("2 days ago", "2 days ago") == "2 days ago"
    assert outlines._shown("yesterday", "yesterday") == "yesterday"
    assert outlines._shown("3/4/2024", "3/4/2024 (No. 17") == "3/4/2024"
    assert outlines._shown(None, None) == ""


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


def test_portraits_go_and_pictures_stay(result):
    posts = "".join(
        f"<div id=post_{n} class=post><a href=/user/{n}><img src=/face{n}.png></a>"
        f"<b class=username>Ann{n}</b> <time datetime=2024-05-0{n}>{n} May</time>"
        f"<div class=body><p>{TEXT.format(n)}</p>"
        f"<p><img src=/bee{n}.png alt=bee></p><p>{TEXT.format('too')}</p></div></div>"
        for n in (1, 2, 3)
    )  # fmt: skip
    markdown = result(f"<title>Bees forum</title><h1>Bees</h1>{posts}".encode(), URL).markdown
    assert "face" not in markdown
    assert markdown.count("![bee]") == 3


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


def test_the_line_stands_below_the_heading_of_a_post_and_above_its_lists(whole):
    def post(n, inner):
        name = f"<b class=username>Ann{n}</b> <time datetime=2024-05-0{n}>{n} May</time>"
        return f"<div id=post_{n} class=post>{inner}<p>{TEXT.format(n)}</p><p>{name}</p></div>"

    starts = ("<h2>Bees</h2>", "<ul><li>one<li>two</ul>", "<h3>Re: Bees</h3>", "")
    posts = "".join(post(n + 1, start) for n, start in enumerate(starts))
    cleaned = whole(f"<title>Bees forum</title>{posts}".encode())
    markdown = cleaned.render("markdown", links=False)
    assert "## Bees\n\n**Ann1** · 2024-05-01\n\nThe bees" in markdown
    assert "---\n\n**Ann2** · 2024-05-02\n\n- one" in markdown
    assert "---\n\n### Re: Bees\n\n**Ann3** · 2024-05-03\n\nThe bees" in markdown
    assert markdown.count("**Ann4** · 2024-05-04") == 1


def test_works_with_their_authors_in_headings_are_no_posts(whole):
    rows = "".join(
        f"<article class=Box><h3><a href=/user/{n} class=author>ann{n}</a> / <a href=/w/{n}>hive{n}"
        f"</a></h3><p>{TEXT.format(n)}</p><time datetime=2024-05-0{n}>{n} May 2024</time></article>"
        for n in (1, 2, 3)
    )  # fmt: skip
    cleaned = whole(f"<title>Topics - Bees forum</title>{rows}".encode())
    assert cleaned.outline is None
    assert cleaned.markdown.count("###") == 3


def test_boxes_that_nobody_signed_are_no_posts(whole):
    def markdown(name, date):
        boxes = "".join(
            f"<div id=post_{n} class=post><b class=username>{name.format(n)}</b> {date}"
            f"<p>{TEXT.format(n)}</p></div>"
            for n in (1, 2, 3)
        )
        return whole(f"<title>Bees forum</title>{boxes}".encode()).markdown

    assert "---" in markdown("Ann{}", "")
    assert "---" in markdown("Shop", "<time datetime=2024-05-06>6 May</time>")
    assert "---" not in markdown("Shop", "")
    assert "---" not in markdown("", "<time datetime=2024-05-06>6 May</time>")


def test_pages_that_say_nothing_of_posts_are_not_searched(result, monkeypatch):
    def fail(*_):
        raise AssertionError("this takes long")

    monkeypatch.setattr(outlines, "thread_of", fail)
    for markup in (ARTICLE, page("<ol class=commentlist><li class=comment>Nothing</ol>")):
        assert "The bees" in result(markup.encode()).markdown


def test_many_levels_are_a_document(whole):
    deep = comment("Ann")
    for n in range(60):
        deep = comment(f"Ann{n}", nested(deep))
    markdown = whole(
        f"<title>Bees forum</title><ol class=commentlist>{deep}</ol>".encode()
    ).markdown
    assert max(quotes(markdown).values()) <= 24
