"""Every number in the rules of threads: a page on each side of it."""

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
    "words of unmarked name": (
        author, 3, "Ann Bo Cy", 4, None,
        lambda n: FORUM + "".join(row(k, cls="post", author=f"<b>{' '.join(NAMES[k:k + n])}</b>")
                          for k in range(3))),
    "share of records with unmarked name": (
        author, 3, "Ann", 4, None,
        lambda n: FORUM + "".join(row(k, cls="post", author=f"<b>{NAMES[k]}</b>" * (k < 7))
                                  for k in range(7 + n))),
    "share of records with marked name": (
        author, 2, "Ann", 3, "Xa",
        lambda n: FORUM + "".join(
            row(k, cls="post", author=("*" * (k < 2)) + f"<u>X{'abcdef'[k]}</u>")
            for k in range(2 + n))),
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
    "worth of a name or a date alone": (
        len, 11, 12, 9, 6, lambda n: FORUM + rows(6, cls="a") + rows(n, cls="b", date="")),
    "worth of what is called a post": (
        len, 7, 8, 5, 4, lambda n: rows(4, cls="post") + rows(n)),
    "worth of what schema.org calls a post": (
        len, 9, 10, 7, 4,
        lambda n: rows(4, cls="itemtype=http://schema.org/Comment itemscope") + rows(n)),
    "worth of dropped words": (
        len, 19, 20, 16, 10,
        lambda n: rows(10, cls="a", text=words(8)) + row(0, cls="b", text=words(30))
        + rows(n - 1, cls="b", text=words(7))),
    "worth of records that are begun": (
        len, 10, 11, 6, 9,
        lambda n: "<div>" + "".join(f"<p class=head><b class=username>{NAMES[k]}</b> 2020-05-01</p>"
                                    f"<p>{TEXT}</p>" for k in range(9)) + "</div>" + rows(n)),
    "share that records of no name hold": (
        len, 66, 2, 67, 0,
        lambda n: f"<p>{words(n)}</p>" + rows(2, text=words(11))),
    "share of signed records": (
        len, 7, 10, 6, 0,
        lambda n: "".join(row(k, date="2020-05-0{n}" if k < n else "") for k in range(10))),
    "share of signed records that are called posts": (
        len, 5, 10, 4, 0,
        lambda n: "".join(row(k, cls="post", date="2020-05-0{n}" if k < n else "")
                          for k in range(10))),
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
