"""Pages made of embedded content: what is chosen, what is not, and that nothing breaks it."""

import json
from html import escape

import pytest

from victor.page.markup.embedded import recovered
from victor.page.parsing.heads import Head
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

PARAGRAPHS = [
    f"The {number} oyster boat left the harbour before it was light, and nobody on the quay "
    "could say when it would come back, since the tide had turned against every one of them."
    for number in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
]
ARTICLE = "\n\n".join(PARAGRAPHS)
JAPANESE = [
    f"{sign}日本の牡蠣の養殖は江戸時代に広島で始まったと言われている。" * 3
    for sign in "一二三四五六七八"
]


def page(body):
    return f"<html lang=en><head><title>Oysters</title></head><body>{body}</body></html>"


def data(value, kind="application/json"):
    text = json.dumps(value).replace("</", "<\\/")
    return page(f'<div id=root></div><script type="{kind}">{text}</script>')


def declared(text):
    return data({"@type": "Article", "articleBody": text}, "application/ld+json")


def found(markup):
    """Where the text of a page was found, and the texts of its blocks but the title."""
    made = recovered(markup.encode(), lambda: Head("Oysters", language="en"))
    title, *texts = block_texts(parse_pages([made.markup]))
    assert title == "Oysters"
    return made.source, texts


POSTS = [
    {"username": f"user{number}", "created_at": "2024-01-01", "cooked": f"<p>{text}</p>"}
    for number, text in enumerate([*PARAGRAPHS, "So it was."])
]
FORUM = escape(json.dumps({"topic_7": json.dumps({"post_stream": {"posts": POSTS}})}))
SECTIONS = {"text": PARAGRAPHS[0], "content": [{"text": text} for text in PARAGRAPHS[1:]]}
STATE = json.dumps({"article": {"body": ARTICLE}})
OTHER = "This sentence is of no use to anybody in the world."


@pytest.mark.parametrize(
    ("markup", "source", "texts"),
    [
        (declared(ARTICLE), "json-ld", PARAGRAPHS),
        (declared(ARTICLE) + data({"body": ARTICLE, "more": OTHER}), "json-ld", PARAGRAPHS),
        (page(f"<script>window.state = {STATE};</script>"), "script", PARAGRAPHS),
        (data({"content": [SECTIONS]}), "json", PARAGRAPHS),
        (data({"body": "\n".join(JAPANESE)}), "json", JAPANESE),
        (
            page(f'<div hidden id="data-preloaded" data-preloaded="{FORUM}"></div>'),
            "json",
            [*PARAGRAPHS, "So it was."],
        ),
    ],
    ids=["published", "published and a state", "script", "sections", "no spaces", "forum"],
)
def test_what_is_recovered(markup, source, texts):
    assert found(markup) == (source, texts)


def test_fragments_of_html_stay_as_they_are():
    fragment = "<ul>" + "".join(f"<li>{text} <b>Yes.</b></li>" for text in PARAGRAPHS) + "</ul>"
    made = recovered(data({"props": {"body": fragment}}).encode())
    assert fragment.encode() in made.markup


def test_a_fragment_that_is_not_closed_hides_nothing():
    _, texts = found(page("") + data({"body": [f"<p>{each} <script>x</p>" for each in PARAGRAPHS]}))
    assert [text for text in texts if "harbour" in text] == PARAGRAPHS


LONG = 60
IDENTIFIER = "rfOfSgj2ymIe48P37jnwcX6gF6Hb5UYDJN2sX2weE8c"


@pytest.mark.parametrize(
    "value",
    [
        {"ids": [f"{IDENTIFIER}{number}" for number in range(LONG)]},
        {"token": IDENTIFIER * LONG},
        {"css": ".a{color:red;margin:0 auto} .b > .c{display:none} " * LONG},
        {"urls": [f"https://example.org/a/b/{number}" for number in range(LONG)]},
        {"code": "function f(a, b) { return a + b; } var x = f(1, 2); " * LONG},
        {"labels": {f"k{'ab'[n % 2] * n}": "Please enter your name" for n in range(LONG)}},
        {"labels": [f"Sign in with {'x' * number}" for number in range(LONG)]},
        {"specs": "331 x 129 x 66 mm 3.2 slots " * LONG},
        {"title": "One sentence of ten words is not the content here."},
        {"numbers": [*range(1000)], "none": None},
        [],
    ],
    ids=lambda value: next(iter(value), "nothing"),
)
def test_what_is_no_text_is_not_recovered(value):
    assert recovered(data(value).encode()) is None


@pytest.mark.parametrize("kind", ["text/template", "text/x-handlebars", "text/html"])
def test_templates_are_not_data(kind):
    assert recovered(data({"body": ARTICLE}, kind).encode()) is None


@pytest.mark.parametrize("markup", [b"", b"<script", b"<script>", b"\xff\xfe", b"text"])
def test_pages_without_data_give_nothing(markup):
    assert recovered(markup) is None


@pytest.mark.parametrize(
    "opening", ["data-x='{", "data-x =\n'{", "DATA-X = '&#123;", "x=y z='&lbrace;"]
)
def test_data_of_attributes_are_found_however_they_begin(opening):
    value = escape(json.dumps({"body": ARTICLE})[1:])
    assert found(f"<title>T</title><div {opening}{value}'></div>") == ("json", PARAGRAPHS)
