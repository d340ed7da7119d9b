"""Code as its author wrote it."""

import numpy as np
import pytest

from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs


def codes(page, split="block"):
    """Texts of the preformatted paragraphs of a page."""
    table = parse_pages([page], split)
    columns = paragraphs(table, np.ones(len(table), dtype=bool))
    return [text for text, pre in zip(columns.texts(0), columns.pre, strict=True) if pre >= 0]


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize(
    ("markup", "code"),
    [
        ("  a\n    b\n\n  c \n", "  a\n    b\n\n  c"),
        ("\n\n \n\ta", "\ta"),
        ("a\r\n  b\rc", "a\n  b\nc"),
        ("<code><span>if</span> a:\n    <b>return</b></code>", "if a:\n    return"),
        ("a<br>  b<br><br>c", "a\n  b\n\nc"),
        ("<div>a</div><div>  b</div><div><br></div><div>c</div>", "a\n  b\n\nc"),
        ("<div>a\n</div><div>b</div>", "a\nb"),
        ("<div>a</div>\n   <div>b</div>", "a\nb"),
        ("<ol><li>a<li>  b</ol>", "a\n  b"),
        ("<span>a\n</span><span>  b\n</span>", "a\n  b"),
    ],
)
def test_lines_are_those_of_the_screen(markup, code, split):
    assert codes(f"<p>x<pre>{markup}</pre>y", split) == [code]


def test_all_of_an_element_is_one_paragraph():
    assert codes("<pre>a<pre>b</pre><p>c</pre>") == ["a\nb\nc"]


class TestNumbersOfLines:
    def test_those_in_elements_of_that_name_vanish(self):
        page = "<pre><span class='line-number'>1</span>  a\n<span class=lineno>2 </span>b</pre>"
        assert codes(page) == ["  a\nb"]

    def test_an_element_of_that_name_with_other_text_stays(self):
        assert codes("<pre><span class=gutter>one</span> a</pre>") == ["one a"]

    def test_a_column_beside_code_vanishes(self):
        page = "<table><tr><td><pre>1\n2\n3</pre><td><pre>a\n  b\nc</pre></table>"
        assert codes(page) == ["a\n  b\nc"]

    def test_a_column_of_that_name_vanishes(self):
        assert codes("<div class=gutter><pre>8\n9</pre></div><pre>a</pre>") == ["a"]

    @pytest.mark.parametrize("numbers", ["1\n3", "1\n2\nx"])
    def test_other_columns_stay(self, numbers):
        page = f"<table><tr><td><pre>{numbers}</pre><td><pre>a</pre></table>"
        assert codes(page) == [numbers, "a"]

    def test_numbers_alone_are_code(self):
        assert codes("<pre>1\n2\n3</pre>") == ["1\n2\n3"]

    def test_those_before_every_line_vanish_without_a_name(self):
        page = "<pre><b>1</b><div>a <i>b</i></div><b>2</b><div>  c</div><b>3</b><div>d</div></pre>"
        assert codes(page) == ["a b\n  c\nd"]

    def test_other_numbers_may_stand_in_the_code(self):
        """As Chroma writes them with styles, and flex rows with classes of their own."""
        number = "<span style='user-select:none'> {}</span><span>{}\n</span>"
        lines = ["p = <i>61</i>", "", "q = <i>97</i>"]
        page = "".join(number.format(row, line) for row, line in enumerate(lines, 1))
        assert codes(f"<pre>{page}</pre>") == ["p = 61\n\nq = 97"]

    def test_other_numbers_that_look_like_them_are_code(self):
        assert codes("<pre><b>1</b> a\n<b>2</b> <b>7</b>\n<b>3</b> c</pre>") == ["1 a\n2 7\n3 c"]

    def test_numbers_of_more_than_a_line_are_code(self):
        page = "<pre><b>1</b> a\nb\n<b>2</b> c</pre>"
        assert codes(page) == ["1 a\nb\n2 c"]
