"""Where blocks stand in text."""

import pytest

from victor.page.table.texts import block_texts
from victor.render import text

PAGE = """<h1>A <b>title</b></h1><p>One <a href=/x>link</a> here.<div>dropped</div>
<ul><li>First<li>Second <i>item</i><ol><li>Inner</ol></ul>
<blockquote><p>Said<br>twice</blockquote><pre>code  here
  more</pre><table><tr><th>a<th>b<tr><td>c <b>d</b><td><p>e<p>f</table>
<p>First</p><p>x*y</p>"""


@pytest.mark.parametrize("split", ["tag", "block"])
def test_a_range_holds_the_words_of_its_block(judge, split):
    verdict = judge(PAGE, split=split)
    written, ranges = text.plain_text(verdict, 0), text.ranges(verdict, 0)
    for (start, end), block in zip(ranges, block_texts(verdict.table), strict=True):
        assert all(word in written[start:end] for word in block.split())


@pytest.mark.parametrize(
    ("page", "options", "pieces"),
    [
        (
            "<p>a b<p>c<table><tr><td>d<br>e<td>f</table><pre>g\n h</pre>",
            {},
            ["a b", "c", "d e", "f", "g\n h"],
        ),
        ("<p>a<p>b", {"drop": [0]}, [None, "b"]),
        ("<p>a <u>b</u> <u>c</u></p><p>d <u>e</u></p>", {"split": "tag"}, [*"abcde"]),
    ],
)
def test_ranges_of_text_are_the_kept_blocks(judge, page, options, pieces):
    verdict = judge(page, **options)
    written = text.plain_text(verdict, 0)
    found = [place and written[slice(*place)] for place in text.ranges(verdict, 0)]
    assert found == pieces


def test_ranges_of_a_later_page_begin_with_it(judge):
    page = "<p>a <u>b</u> <u>c</u></p><p>d <u>e</u></p>"
    alone, second = judge(page, split="tag"), judge("<p>x<p>y", page, split="tag")
    assert text.ranges(second, 1) == text.ranges(alone, 0)
