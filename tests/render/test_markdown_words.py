"""Markdown of any page renders to the words of its text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from victor.render import markdown, text
from victor.render.forms import Page

INLINE = ("b", "i", "code", "a href=/x", "del", "sub", "sup", "span", "kbd", "strong", "em")
BLOCK = (
    *("p", "div", "blockquote", "ul", "ol start=3", "li", "h2", "pre"),
    *("dl", "dt", "dd", "table", "tr", "td"),
)
WORDS = st.text("ab1 *_`[]()<>&;#+-=.~|\\!\"'/:$^{}", min_size=1, max_size=6)
LEAF = st.one_of(
    WORDS.map(lambda t: t.replace("&", "&amp;").replace("<", "&lt;")),
    st.sampled_from([" ", "<br>", "<img src=/i alt=q>", "word", " two words "]),
)


def wrapped(names, inner):
    return st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name.split()[0]}>",
        st.sampled_from(names),
        st.lists(inner, max_size=4),
    )


INLINES = st.recursive(LEAF, lambda inner: wrapped(INLINE, inner), max_leaves=6)
PAGES = st.recursive(
    st.one_of(INLINES, wrapped(("p",), INLINES)), lambda inner: wrapped(BLOCK, inner), max_leaves=12
)


def words(text):
    return re.findall(r"[^\W_]+", text)


@pytest.fixture(scope="session")
def rendered():
    markdown_it = pytest.importorskip("markdown_it")
    deflist = pytest.importorskip("mdit_py_plugins.deflist")
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    reader.use(deflist.deflist_plugin)

    def rendered(source):
        page = reader.render(source)
        if not page.strip():
            return ""
        return html.fromstring(f"<div>{page}</div>").text_content()

    return rendered


@pytest.mark.slow
@given(st.lists(PAGES, max_size=4).map("".join))
def test_words_are_those_of_the_text(judge, rendered, page):
    verdict = judge(page)
    source = markdown.render(Page(verdict, markup=page.encode(), url="http://x.cz/"))
    assert words(rendered(source)) == words(text.render(Page(verdict))), source
