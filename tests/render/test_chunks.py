"""Chunks: where they are cut, what they hold, and that nothing is lost between them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import victor
from victor.base.errors import ConfigError
from victor.config import Scope
from victor.render import chunks, markdown

WORDS = "one two three four five six seven eight nine ten"
URL = "https://x.example/a?b#c"


def cut(judge, body, **options):
    verdict, markup = judge(body), body.encode()
    given = {"markup": markup, "url": URL, **options}
    written = markdown.render(verdict, 0, markup=markup, url=URL)
    return chunks.read(chunks.render(verdict, 0, **given)), written


def test_headings_and_places(judge):
    body = (
        "<h1 id=top>A</h1><p>one<h2>B</h2><h3><a id='c d'></a>C <i>c</i></h3><p>two"
        "<section id=s><h2>D</h2><p>three</section><div id=none><p>x<h2>E</h2><p>four</div>"
    )
    found, written = cut(judge, body)
    assert [(c.headings, c.url.partition("#")[2]) for c in found] == [
        (("A",), "top"),
        (("A", "B", "C c"), "c%20d"),
        (("A", "D"), "s"),
        (("A", "E"), ""),
    ]
    assert found[1].text == "## B\n\n### C *c*\n\ntwo"
    assert [written[c.start : c.end] for c in found] == [c.text for c in found]
    assert {c.url.partition("#")[0] for c in found} == {"https://x.example/a?b"}


def test_text_before_the_first_heading(judge):
    found, _ = cut(judge, "<p>one<h2>B</h2><p>two", url=None)
    assert [(c.headings, c.text, c.url) for c in found] == [
        ((), "one", None),
        (("B",), "## B\n\ntwo", None),
    ]


@pytest.mark.parametrize(("limit", "texts"), [(6, ["a b c\n\nd e f"]), (5, ["a b c", "d e f"])])
def test_words(judge, limit, texts):
    found, _ = cut(judge, "<p>a b c<p>d e f", words=limit)
    assert [c.text for c in found] == texts
    assert [c.words for c in found] == [len(text.split()) for text in texts]


@pytest.mark.parametrize(("limit", "texts"), [(8, ["aaa\n\nbbb"]), (7, ["aaa", "bbb"])])
def test_characters(judge, limit, texts):
    found, _ = cut(judge, "<p>aaa<p>bbb", characters=limit)
    assert [c.text for c in found] == texts


def test_both_limits_hold(judge):
    found, _ = cut(judge, f"<p>{WORDS}. {WORDS}", words=10, characters=20)
    assert all(c.words <= 10 and len(c.text) <= 20 for c in found)


def test_the_usual_limit(judge):
    body = f"<p>{' '.join(['word'] * 200)}<p>more"
    assert [c.words for c in cut(judge, body)[0]] == [200, 1]
    assert [c.words for c in cut(judge, body, characters=10_000)[0]] == [201]


def test_a_long_paragraph_is_cut_after_sentences(judge):
    found, _ = cut(judge, "<h2>H</h2><p>One two. Three four five! Six seven.", words=5)
    assert [c.text for c in found] == ["## H\n\nOne two.", "Three four five! Six seven."]


def test_a_list_is_cut_between_items(judge):
    found, _ = cut(judge, "<ul><li>a b<li>c d<li>e f</ul>", words=4)
    assert [c.text for c in found] == ["- a b\n- c d", "- e f"]


def test_code_that_is_cut_is_fenced_again(judge):
    body = "<p>x<pre class=language-python>a b\nc d\n\ne f\n</pre><p>y"
    found, _ = cut(judge, body, words=3)
    assert [c.text for c in found] == [
        "x",
        "```python\na b\n```",
        "```python\nc d\n```",
        "```python\ne f\n```\n\ny",
    ]


def test_rows_have_their_header_again(judge):
    rows = "".join(f"<tr><td>k{n}<td>v{n}" for n in range(3))
    found, _ = cut(judge, f"<table><tr><th>a<th>b{rows}</table>", words=4)
    head = "| a | b |\n| --- | --- |\n"
    assert [c.text for c in found] == [
        head + "| k0 | v0 |",
        head + "| k1 | v1 |\n| k2 | v2 |",
    ]


def test_text_without_spaces_is_cut(judge):
    found, _ = cut(judge, "<p>" + "老磨坊立在河边" * 10, words=20)
    assert "".join(c.text for c in found) == "老磨坊立在河边" * 10
    assert {c.words for c in found[:-1]} == {20}


def test_one_long_word_is_cut_by_characters_only(judge):
    body = "<p>" + "a" * 25
    assert [len(c.text) for c in cut(judge, body, characters=10)[0]] == [10, 10, 5]
    assert [len(c.text) for c in cut(judge, body, words=1)[0]] == [25]


@pytest.mark.parametrize("value", [0, -1, "5", 1.5])
@pytest.mark.parametrize("name", ["words", "characters"])
def test_a_wrong_limit_is_an_error(judge, name, value):
    with pytest.raises(ConfigError, match=f"{name} of a chunk"):
        cut(judge, "<p>a", **{name: value})


PARTS = st.sampled_from(
    ["<h2>Head line</h2>", f"<p>{WORDS}. {WORDS}!", "<ul><li>a b<li>c<p>d</ul>",
     "<pre>x\n\ny z</pre>", "<table><tr><th>a<th>b<tr><td>c<td>d e</table>",
     "<blockquote>q r<p>s</blockquote>", "<p>老磨坊立在河边。老磨坊", "<p>\u2028a\x85b",
     "<dl><dt>t<dd>d</dl>"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=8), st.integers(1, 30), st.booleans())
def test_nothing_is_lost_between_chunks(judge, parts, limit, by_words):
    name = "words" if by_words else "characters"
    found, written = cut(judge, "".join(parts), **{name: limit})
    at = 0
    for chunk in found:
        assert not written[at : chunk.start].replace("`", "").strip(), (
            "nothing but fences lies between"
        )
        at = chunk.end
        size = chunk.words if by_words else chunk.end - chunk.start
        assert size <= limit
    assert not written[at:].replace("`", "").strip()


def test_an_api_and_a_form():
    page = f"<article><h1>Mill</h1><p>{WORDS * 8}</p><h2>Age</h2><p>{WORDS * 8}</p></article>"
    result = victor.clean(page, URL, scope=Scope(name="article"))
    rows = [json.loads(line) for line in result.render("chunks", words=50).splitlines()]
    found = result.chunks(words=50)
    assert [row["text"] for row in rows] == [chunk.text for chunk in found]
    assert [*rows[0]] == ["text", "headings", "start", "end", "words", "url"]
    assert all(result.markdown[c.start : c.end] == c.text for c in found)
    assert victor.clean("").chunks() == ()
