"""Numbers in the rules of threads: a page on each side of each; and exceptions."""

import pytest

from victor.api import Cleaner

NAMES = "Ann Bo Cy Dee Eve Flo Gus Hal Ida Jo Kim Lee".split()
TEXT = "The bees left their hive and came back without a word"
FORUM = "<title>Bees - forum</title>"
ARTICLE = "<p>" + "A text of ten words that says much about bees. " * 4


def words(n):
    return " ".join(f"w{'abcdefghijklmnopqrstuvwxyz'[k % 26]}" for k in range(n))


def row(number, *, cls="row", author="*", date="2020-05-0{n}", text=TEXT):
    """A record; ``*`` stands for one of some names, ``{n}`` for its number."""
    name = f"{NAMES[number % 12]}{'' if number < 12 else number}"
    who = author.replace("*", f"<b class=username>{name}</b>")
    when = f"<i class=when>{date}</i>" if date and "<" not in date else date
    shown = f"<div {cls if '=' in cls else f'class={cls}'}>{who} {when}<p>{text}</p></div>"
    return shown.replace("{n}", str(number % 9 + 1))


def rows(n, **parts):
    return "".join(row(number, **parts) for number in range(n))


@pytest.fixture(scope="module")
def posts(long_texts):
    """Posts of a page, with a labeler that keeps long texts."""
    cleaner = Cleaner(long_texts)
    return lambda body: cleaner.clean(f"<html lang=en>{body}".encode()).posts


def author(posts):
    return posts[0].author if posts else "nobody"


def date(posts):
    return posts[0].date if posts else "never"


CASES = {
    # --- Names
    "words of name": (
        author, 5, "Ann Bo Cy Dee Eve", 6, "nobody",
        lambda n: rows(2, cls="post", author=f"<b class=username>{' '.join(NAMES[:n])}</b>")),
    "words of element with name": (
        author, 8, "Ann", 9, "nobody",
        lambda n: rows(2, cls="post",
                       author=f"<b class=nick>Ann <u>{words(n - 1)}</u></b>")),
    "words of link to user": (
        author, 8, "Ann", 9, "nobody",
        lambda n: rows(2, cls="post", author=f"<a href=/user/1>Ann <u>{words(n - 1)}</u></a>")),
    "words of box about user": (
        author, 60, "Ann", 61, "nobody",
        lambda n: rows(2, cls="post", author=f"<div class=author><b>Ann</b> <u>{words(n - 1)}</u>"
                       "</div>")),
    "characters of address of user": (
        author, 300, "Ann Bo Cy Dee", 301, "nobody",
        lambda n: rows(2, cls="post",
                       author=f"<a href='{'/'.ljust(n - 6, 'x')}/user/'>Ann Bo Cy Dee</a>")),
    # --- Dates
    "words of time": (
        date, 12, f"1 {words(11)}", 13, "never",
        lambda n: rows(2, cls="post", date=f"<time>1 {words(n - 1)}</time>")),
    "words of lately": (
        date, 5, "yesterday wa wb wc wd", 6, "never",
        lambda n: rows(2, cls="post", date=f"yesterday {words(n - 1)}")),
    "words of part of date": (
        date, 7, "8:15 wa wb wc wd we wf", 8, "never",
        lambda n: rows(2, cls="post", date=f"8:15 {words(n - 1)}")),
    "characters of date": (
        date, 60, "2020-05-01", 61, "never",
        lambda n: rows(2, cls="post", date="2020-05-01".rjust(n, "x").replace("x2", " 2"))),
    "elements around date": (
        date, 2, "2019-03-03", 3, "today",
        lambda n: rows(2, cls="post", date=f"<p title=2019-03-03>{'<u>' * (n - 1)}<b class=when>"
                       f"today</b>{'</u>' * (n - 1)}</p>")),
    # --- Records
    "fewest": (len, 2, 2, 1, 0, lambda n: rows(n, cls="post")),
    "share that records of no name hold": (
        len, 66, 2, 67, 0,
        lambda n: f"<p>{words(n)}</p>" + rows(2, text=words(11))),
    "share of signed records": (
        len, 7, 10, 6, 0,
        lambda n: "".join(row(k, date="2020-05-0{n}" if k < n else "") for k in range(10))),
    "share of records that lead away": (
        len, 3, 6, 4, 0,
        lambda n: "".join(row(k, cls="post", author=f"<h3><a href=/{k}>Bees {NAMES[k]}</a></h3>*"
                              if k < n else "*") for k in range(6))),
    "words of link that leads away": (
        len, 1, 4, 2, 0,
        lambda n: "".join(row(k, cls="post", author=f"<h3><a href=/{k}>{' '.join(NAMES[k:k + n])}"
                              "</a></h3>*") for k in range(4))),
    "words of one text that is no post": (
        len, 200, 3, 201, 0,
        lambda n: row(0, cls="post", text=words(n)) + row(1, cls="post") + row(2, cls="post")),
    "how much longer one text is": (
        len, 240, 3, 241, 0,
        lambda n: row(0, cls="post", text=words(n))
        + "".join(row(k, cls="post", text=words(30)) for k in (1, 2))),
    "characters of title that is read": (
        len, 300, 4, 301, 0,
        lambda n: f"<title>{'x' * (n - 6)} forum</title>" + rows(4, date="")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_numbers(posts, name):
    value, at, expected, beyond, other, page = CASES[name]
    assert (value(posts(page(at))), value(posts(page(beyond)))) == (expected, other)


def each(n, **parts):
    """Records whose parts may name each of them with ``@``."""
    return "".join(
        row(k, **{name: value.replace("@", NAMES[k]) for name, value in parts.items()})
        for k in range(n)
    )


def authors(posts):
    return [post.author for post in posts]


def dates(posts):
    return [post.date for post in posts]


def links(posts):
    return [post.link for post in posts]


def texts(posts):
    return [post.text for post in posts]


FOUR = "Ann Bo Cy Dee"
AWAY = "<a href=/@>Bees @</a>"

EXCEPTIONS = {
    # --- Names
    "who says": (
        authors, [FOUR] * 2,
        lambda: rows(2, cls="post", author=f"<p><u>{FOUR}</u> <i>says:</i></p>")),
    "who stands above what says": (
        len, 0, lambda: rows(2, cls="post", author=f"<p>{FOUR}</p><p>says:</p>")),
    "name in a quote": (
        len, 0, lambda: rows(2, cls="post", author="<blockquote>*</blockquote>")),
    "name that is a role": (
        len, 0, lambda: rows(2, cls="post", author="<b class=username>Member</b>")),
    "name that is an address": (
        len, 0, lambda: rows(2, cls="post", author="<b class=username>http://x.example</b>")),
    "name that links to its author": (
        authors, [FOUR] * 2,
        lambda: rows(2, cls="post", author=f"<a rel=author href=/x>{FOUR}</a>")),
    # --- Dates
    "day of joining": (
        len, 0, lambda: rows(2, cls="post", date="<u>Joined</u> <u>March 2004</u>")),
    "month alone": (
        dates, ["March 2004"] * 2, lambda: rows(2, cls="post", date="<u>March 2004</u>")),
    "date in the title of the record": (
        dates, ["2019-03-03"] * 2,
        lambda: rows(2, cls="class=post title=2019-03-03", date="today")),
    "month first where a record has no date": (
        dates, ["2019-12-11", "2019-12-11", None],
        lambda: FORUM + rows(2, cls="post", date="12/11/2019") + row(2, cls="post", date="")
        + "<p>25/03/2019"),
    "date with a label": (
        dates, ["sometime in May 2"] * 2,
        lambda: rows(2, cls="post", date="<time>Posted on: sometime in May 2</time>")),
    "month first by language": (
        dates, ["2019-12-11"] * 2, lambda: rows(2, cls="post", date="12/11/2019")),
    # --- Records
    "records with linked headings": (
        len, 0, lambda: each(4, cls="post", text=f"{TEXT}</p><h3>{AWAY}</h3><p>")),
    "half of a page in a footer": (
        len, 3,
        lambda: row(0, cls="post", text=f"</p><footer>{words(34)}</footer><p>")
        + row(1, cls="post") + row(2, cls="post")),
    "less than half of a page in a footer": (
        len, 2,
        lambda: row(0, cls="post", text=f"</p><footer>{words(33)}</footer><p>")
        + row(1, cls="post") + row(2, cls="post")),
    "half of a page in a signature": (
        len, 3,
        lambda: row(0, cls="post", text=f"</p><div class=signature>{words(34)}</div><p>")
        + row(1, cls="post") + row(2, cls="post")),
    "less than half of a page in a signature": (
        len, 2,
        lambda: row(0, cls="post", text=f"</p><div class=signature>{words(33)}</div><p>")
        + row(1, cls="post") + row(2, cls="post")),
    "comments that nobody signs": (
        len, 2, lambda: ARTICLE + rows(2, cls="comment", date="")),
    "one box of the name without text": (
        len, 2, lambda: "<div class=post></div>" + rows(2, cls="post")),
    "boxes of the same name that nobody signs": (
        len, 6,
        lambda: rows(6, cls="a") + "<div class=a>Bees fly</div>" * 20 + rows(4, cls="b")),
    # --- Texts and addresses
    "paragraph of several elements": (
        texts, [f"{TEXT} and more"] * 2,
        lambda: rows(2, cls="post", text=f"{TEXT} <b>and</b> more")),
    "text of most records in one element": (
        texts, [TEXT] * 2,
        lambda: rows(2, cls="post", text=f"</p><div class=text>{TEXT}</div><u>Kettles</u><p>")),
    "text of one word": (
        texts, [TEXT, f"{TEXT} so", "Yes."],
        lambda: row(0, cls="post") + row(1, cls="post", text=f"{TEXT} so")
        + row(2, cls="post", text="</p><u>Yes.</u><p>")),
    "address of a record": (
        links, ["#p1", "#p2"], lambda: rows(2, cls="class=post id=p{n}")),
    "name of a record without a number": (
        links, [None] * 2, lambda: rows(2, cls="class=post id=p")),
    "address without a date": (
        links, [None] * 2,
        lambda: FORUM + rows(2, cls="post", date="", text=f"{TEXT} <a href=/x>Bees fly</a>")),
    "address of a user": (
        links, [None] * 2,
        lambda: rows(2, cls="post", date="<a href=/user/{n} class=when>2020-05-0{n}</a>")),
}  # fmt: skip


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions(posts, name):
    value, expected, page = EXCEPTIONS[name]
    assert value(posts(page())) == expected
