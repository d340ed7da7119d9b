"""Every number in the rules of documents and of what is written: a page on each side of it."""

import re

import pytest

from victor.api import Cleaner
from victor.labelers.labeler import build_labeler
from victor.render.forms import Page
from victor.render.markdown import ranges, render


@pytest.fixture(scope="session")
def markdown(judge):
    """Markdown of a page with all blocks kept but some."""

    def markdown(page, **options):
        verdict = judge(page, **options)
        return render(Page(verdict, markup=page.encode(), url="http://x.cz/"))

    return markdown


def words(n):
    return " ".join(["word"] * n)


def note(text="b", holder="li", mark="1", before="<p>", after="", **attributes):
    """A page with a mark and a note that it leads to."""
    names = "".join(f" {name}='{value}'" for name, value in attributes.items())
    link = f"<a href=#n{names}>{mark}</a>"
    link = link if attributes else f"<sup>{link}</sup>"
    return f"{before}a{link}{after}</p><{holder} id=n>{text}</{holder}>"


def deep(name, n, inner):
    return f"<{name}>" * n + inner + f"</{name}>" * n


IMAGE = "<img src=b.png>"
SHOWN = "![](http://x.cz/b.png)"
NOTED = "[^"

MARKDOWN = {
    "characters of note": (NOTED, 4000, 4001, lambda n: note("x" * n)),
    "characters of label": (NOTED, 4, 5, lambda n: note(mark="1" * n)),
    "signs of label": (NOTED, 3, 4, lambda n: note(mark="*" * n)),
    "characters of name of mark": (
        NOTED, 200, 201, lambda n: note(**{"class": "fn".rjust(n, " ")})),
    "width of image": (SHOWN, 33, 32, lambda n: f"<p>a <img src=b.png width={n}> c"),
    "height of image": (SHOWN, 33, 32, lambda n: f"<p>a <img src=b.png height={n}px> c"),
    "digits of width of image": (
        SHOWN, 7, 6, lambda n: f"<p>a <img src=b.png width={'1'.zfill(n)}>"),
    "elements around image": (
        SHOWN, 7, 8, lambda n: f"<p>a</p><section><p>c</p>{deep('div', n, IMAGE)}</section>"
        f"<p>Dropped {words(20)}</p>"),
    "words of credit below image": (
        SHOWN, 12, 13,
        lambda n: f"<p>a</p><div>{IMAGE}<p>Dropped {words(n - 1)}</p></div><p>c</p>"),
    "words of credit above image": (
        SHOWN, 12, 13,
        lambda n: f"<p>a</p><div><p>Dropped {words(n - 1)}</p>{IMAGE}</div><p>c</p>"),
    "elements around code": (
        "```py", 4, 5,
        lambda n: f"<div class=language-py>{deep('div', n - 1, '<pre>a</pre>')}</div>"),
    "elements in code": (
        "```py", 2, 3,
        lambda n: f"<pre>{deep('b', n - 1, '<code class=language-py>a</code>')}</pre>"),
    "containers": ("- a", 24, 25, lambda n: deep("blockquote", n - 1, "<ul><li>a</ul>")),
    "digits of number": ("123. a", 9, 10, lambda n: f"<ol start={'123'.zfill(n)}><li>a</ol>"),
    "characters of formula": ("$$x*", 2000, 2001, lambda n: f"<p>a $$x{'*' * (n - 1)}$$ b"),
    "characters of formula in brackets": ("$$x", 2000, 2001, lambda n: f"<p>a \\[{'x' * n}\\] b"),
    "places of ragged table for each cell": (
        "| a |  |", 199, 200,
        lambda n: f"<table><tr>{'<td>x' * n}{'<tr><td>a' * n}</table>"),
}  # fmt: skip


@pytest.mark.parametrize("name", MARKDOWN)
def test_markdown_has_a_part_up_to_a_number(judge, markdown, name):
    part, at, beyond, page = MARKDOWN[name]
    for n, is_part in ((at, True), (beyond, False)):
        blocks = re.findall(r"<(?:p|div|li|td|pre|blockquote|section)\b[^>]*>([^<]*)", page(n))
        texts = [text for text in blocks if text.strip()]
        drop = [row for row, text in enumerate(texts) if text.startswith("Dropped")]
        assert (part in markdown(page(n), drop=drop)) == is_part, n


@pytest.mark.parametrize(
    ("image", "address"),
    [
        (f"<img srcset='{'b.png 1x, '.ljust(19_993)}c.png 2x, d.png 3x'>", "b.png"),
        (f"<img srcset='{'b.png 1x, '.ljust(19_992)}c.png 2x'>", "c.png"),
    ],
)
def test_a_set_of_images_is_read_up_to_a_number(markdown, image, address):
    assert markdown(f"<p>a {image} z") == f"a ![](http://x.cz/{address}) z\n"


@pytest.mark.parametrize(
    ("page", "drop", "is_shown"),
    [
        (f"<p>a</p>{IMAGE}<p>c</p>", [], True),
        (f"<p>a</p>{IMAGE}<p>c</p>", [0], False),
        (f"<p>a</p>{IMAGE}<p>c</p>", [1], False),
        (f"<p>a</p><figure>{IMAGE}<p>b</figure><p>{words(20)}</p>", [2], True),
        (f"<p>{words(20)}</p><figure>{IMAGE}<p>b</figure><p>{words(20)}</p>", [0, 2], True),
        (f"<p>{words(20)}</p><figure>{IMAGE}<p>b</figure><p>{words(20)}</p>", [0, 1, 2], False),
        (f"<p>{words(20)}</p><div>{IMAGE}<p>b</div>", [0], True),
        (f"<p>a<b>{IMAGE}</b>b</p><p>c", [0], False),
        (f"<p>a<b>{IMAGE}</b>b</p><p>c", [1], True),
        (f"{IMAGE}<p>a</p>", [], True),
        (f"<p>a</p>{IMAGE}", [], True),
    ],
)
def test_images_of_kept_content(markdown, page, drop, is_shown):
    assert (SHOWN in markdown(page, drop=drop)) == is_shown


LONG = "A text of some ten words on bees that live in colonies."


@pytest.mark.parametrize(
    ("page", "at", "beyond"),
    [
        (lambda n: f"<title>{'x' * n}</title><p>{LONG}", 500, 501),
        (
            lambda n: (
                f"<title>bee</title><h2>bee: {'x ' * (n // 2 - 3)}{'yz'[1 - n % 2 :]}</h2><p>{LONG}"
            ),
            2001,
            2000,
        ),
        (lambda n: f"<title>bee</title><h2>{'bee'[:n]}</h2><p>{LONG}", 2, 3),
        (lambda n: f"<title>{'b--'[n]}</title><p>{LONG}", 0, 1),
    ],
    ids=["characters", "characters-of-heading", "all", "no-letters"],
)
def test_the_title_of_a_page_stands_above_its_text(page, at, beyond):
    cleaner = Cleaner(build_labeler("none"))
    assert cleaner.clean(page(at)).markdown.startswith("# ")
    assert not cleaner.clean(page(beyond)).markdown.startswith("# ")


def test_blocks_of_one_paragraph_have_their_own_ranges(judge):
    page = "<p>a <u>b</u> <u>c</u></p><p>d <u>e</u></p>"
    expected = [(0, 1), (2, 3), (4, 5), (7, 8), (9, 10)]
    for pages in ((page,), ("<p>x<p>y", page)):
        verdict = judge(*pages, split="tag")
        assert ranges(Page(verdict, len(pages) - 1, markup=page.encode())) == expected
