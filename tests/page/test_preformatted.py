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


@pytest.mark.parametrize(
    ("markup", "code"),
    [
        ("<i class=line>a <b>b</b></i><i class='line x'>  c</i><i class=line></i>", "a b\n  c\n"),
        ("<i class=line>a</i>\n<i class=line>b</i>\n", "a\nb"),  # the lines are there
        ("<i class=line>a</i><b>c</b><i class=line>b</i>", "acb"),  # not all is in lines
        ("<i class=line>a</i>", "a"),
        ("<i class=lines>a</i><i class=lines>b</i>", "ab"),
    ],
)
def test_elements_named_lines_are_lines(markup, code):
    """Style sheets set them as blocks, so that some programs write no newline between."""
    assert codes(f"<pre>{markup}</pre>") == [code.rstrip()]


def test_popups_are_no_code():
    page = "<pre><b><i class='hover-info x'>Nat <b>: Type</b></i>#check</b> Nat</pre>"
    assert codes(page) == ["#check Nat"]
    assert codes("<pre><b class=hover>a</b> b</pre>") == ["a b"]


class TestCodeWithoutPre:
    """What style sheets set as ``<pre>``: white space is text there, too."""

    def test_what_stands_between_rows_is_shown(self):
        assert codes("<code class=block>a<tr>b<td>c") == ["a\nb\nc"]

    def test_a_table_of_lines_is_one_listing(self):
        """As GitHub and its gists write it: a row for each line, the number in an attribute."""
        cells = "<td class=blob-num data-line-number={}></td>\n <td class=blob-code>{}</td>"
        line = f"<tr>\n {cells}\n</tr>"
        lines = ["def f(x):", "    <b>if</b> x:", "\n", "        return <i>1</i>"]
        rows = "\n".join(line.format(number, code) for number, code in enumerate(lines, 1))
        table = f"<table class='highlight js-file-line-container'>\n<tbody>{rows}</tbody></table>"
        assert codes(f"<p>x</p>{table}<p>y</p>") == ["def f(x):\n    if x:\n\n        return 1"]

    def test_numbers_in_cells_vanish(self):
        line = "<tr><td class=hljs-ln-numbers>{}</td><td>{}</td></tr>"
        rows = "".join(line.format(number, code) for number, code in enumerate("ab", 8))
        assert codes(f"<table class=hljs-ln>{rows}</table>") == ["a\nb"]

    def test_an_element_for_code_that_is_a_block(self):
        page = "<p>x</p><code class='hl lean block'>\n   def <b>m</b> := 1\n     n\n</code><p>y</p>"
        assert codes(page) == ["def m := 1\n  n"]

    def test_a_block_of_code_with_a_language(self):
        """As Writerside writes it."""
        page = "<div class=code-block data-lang=kotlin>fun f() {\n    g()\n}</div>"
        assert codes(page) == ["fun f() {\n    g()\n}"]

    @pytest.mark.parametrize(
        "markup",
        [
            "<div class=code-block>a b</div>",
            "<div data-lang=kotlin>a b</div>",
            "<code class='blocks'>a b</code>",
            "<code>a b</code>",
            "<table class=hljs><tr><td>a<td>b</table>",
            "<div class=block>a b</div>",
        ],
    )
    def test_others_are_none(self, markup):
        assert codes(f"<p>x {markup}</p>") == []

    def test_inside_of_pre_they_change_nothing(self):
        assert codes("<pre>a <code class=block> b</code></pre>") == ["a  b"]
