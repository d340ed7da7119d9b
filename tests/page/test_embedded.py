"""Pages made of embedded content: what is chosen, what is not, and that nothing breaks it."""

import json
from html import escape

import pytest

from victor.page.markup.embedded import recovered
from victor.page.parsing.events import record
from victor.page.parsing.heads import Head
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

PARAGRAPHS = [
    f"The {number} oyster boat left the harbour before it was light, and nobody on the quay "
    "could say when it would come back, since the tide had turned against every one of them."
    for number in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
]
ARTICLE = "\n\n".join(PARAGRAPHS)


def page(body, head=""):
    head = f"<head><title>Oysters</title>{head}</head>"
    return f"<html lang=en>{head}<body>{body}</body></html>".encode()


def data(value, kind="application/json"):
    text = json.dumps(value).replace("</", "<\\/")
    return page(f'<div id=root></div><script type="{kind}">{text}</script>')


def texts(markup):
    """Texts of the blocks of a recovered page."""
    return block_texts(segment(record([markup])))


def blocks(markup):
    return texts(recovered(markup, lambda: Head("Oysters", language="en")).markup)


def test_an_article_body_is_recovered():
    markup = data({"@type": "Article", "articleBody": ARTICLE}, "application/ld+json")
    assert recovered(markup).source == "json-ld"
    assert blocks(markup) == ["Oysters", *PARAGRAPHS]


def test_fragments_of_html_stay_as_they_are():
    fragment = "<ul>" + "".join(f"<li>{text} <b>Yes.</b></li>" for text in PARAGRAPHS) + "</ul>"
    found = recovered(data({"props": {"body": fragment}}))
    assert fragment.encode() in found.markup


def test_a_fragment_that_is_not_closed_hides_nothing():
    values = [f"<p>{text} <script>x</p>" for text in PARAGRAPHS]
    found = recovered(page("", "") + data({"body": values}))
    assert [text for text in texts(found.markup) if "harbour" in text] == PARAGRAPHS


def test_posts_of_a_forum_come_in_order():
    posts = [
        {"username": f"user{number}", "created_at": "2024-01-01", "cooked": f"<p>{text}</p>"}
        for number, text in enumerate(PARAGRAPHS)
    ]
    posts.append({"username": "user1", "cooked": "<p>So it was.</p>"})
    state = json.dumps({"topic_7": json.dumps({"post_stream": {"posts": posts}})})
    found = blocks(page(f'<div hidden id="data-preloaded" data-preloaded="{escape(state)}"></div>'))
    assert found == ["Oysters", *(post["cooked"][3:-4] for post in posts)]


def test_state_in_a_script_is_recovered():
    markup = page(f"<script>window.state = {json.dumps({'article': {'body': ARTICLE}})};</script>")
    assert recovered(markup).source == "script"
    assert blocks(markup)[1:] == PARAGRAPHS


def test_sections_in_sections_are_one_text():
    value = {"text": PARAGRAPHS[0], "content": [{"text": text} for text in PARAGRAPHS[1:]]}
    assert blocks(data({"content": [value]})) == ["Oysters", *PARAGRAPHS]


def test_published_metadata_goes_before_state():
    markup = data({"articleBody": ARTICLE}, "application/ld+json")
    markup += data({"body": ARTICLE, "more": "This sentence is of no use to anybody in the world."})
    assert recovered(markup).source == "json-ld"


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
    assert recovered(data(value)) is None


@pytest.mark.parametrize("kind", ["text/template", "text/x-handlebars", "text/html"])
def test_templates_are_not_data(kind):
    assert recovered(data({"body": ARTICLE}, kind)) is None


def test_text_without_spaces_is_recovered():
    lines = [
        f"{sign}日本の牡蠣の養殖は江戸時代に広島で始まったと言われている。" * 3
        for sign in "一二三四五六七八"
    ]
    assert blocks(data({"body": "\n".join(lines)})) == ["Oysters", *lines]


@pytest.mark.parametrize("markup", [b"", b"<script", b"<script>", b"\xff\xfe", b"text"])
def test_pages_without_data_give_nothing(markup):
    assert recovered(markup) is None


@pytest.mark.parametrize(
    "opening", ["data-x='{", "data-x =\n'{", "DATA-X = '&#123;", "x=y z='&lbrace;"]
)
def test_data_of_attributes_are_found_however_they_begin(opening):
    value = escape(json.dumps({"body": ARTICLE})[1:])
    result = recovered(f"<title>T</title><div {opening}{value}'></div>".encode())
    assert result is not None
    assert result.source == "json"
    assert texts(result.markup) == PARAGRAPHS
