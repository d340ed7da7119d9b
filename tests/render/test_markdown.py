"""Markdown of small pages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing.tags import IDS
from victor.page.table.texts import block_texts
from victor.render.forms import Page
from victor.render.markdown import render
from victor.tables.data_tables import data_tables


def test_deep_nesting_ends_at_a_level(judge):
    page = "<ul>" + "<li>a<ul>" * 300
    assert max(map(len, render(Page(judge(page), markup=page.encode())).split("\n"))) < 60


def test_places_that_a_cell_spans_are_empty(judge):
    page = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>e<td>f<td>g</table>"
    verdict = judge(page)
    tables = data_tables(verdict.table, verdict.kept)
    tables.is_data[verdict.table.elements.tag == IDS["table"]] = True
    shown = render(Page(verdict.with_units(verdict.labels, tables, None), markup=page.encode()))
    assert shown == "| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| e | f | g |\n"


@given(st.text(st.sampled_from("ab1 *_`[]()<>&;#+-=.~|\\!\n\"'/:"), max_size=25))
def test_a_reader_of_markdown_gets_the_text_back(judge, text):
    markdown_it = pytest.importorskip("markdown_it")
    marked = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
    verdict = judge(f"<p>{marked}</p>")
    shown = render(Page(verdict))
    paragraphs = [
        "".join("\n" if part.type == "hardbreak" else part.content for part in token.children)
        for token in markdown_it.MarkdownIt("commonmark").parse(shown)
        if token.type == "inline"
    ]
    tokens = {token.type for token in markdown_it.MarkdownIt("commonmark").parse(shown)}
    assert tokens <= {"paragraph_open", "inline", "paragraph_close"}
    assert paragraphs == block_texts(verdict.table)


def test_many_footnotes_of_one_label_have_short_labels(judge):
    marks = "".join(f"<p>a<sup><a href='#n{n}'>1</a></sup>" for n in range(300))
    page = f"{marks}<ol>{''.join(f'<li id=n{n}>b' for n in range(300))}</ol>"
    text = render(Page(judge(page), markup=page.encode()))
    labels = re.findall(r"^\[\^(\w+)\]: b &#32;$", text, re.MULTILINE)
    assert labels[:3] == ["1", "1x2", "1x3"]
    assert len(set(labels)) == 300
    assert max(map(len, labels)) < 16
    assert re.findall(r"^a\[\^(\w+)\]$", text, re.MULTILINE) == labels
