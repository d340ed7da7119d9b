"""Where blocks stand in text."""

from victor.page.table.texts import block_texts
from victor.render import text

PAGE = """<h1>A <b>title</b></h1><p>One <a href=/x>link</a> here.<div>dropped</div>
<ul><li>First<li>Second <i>item</i><ol><li>Inner</ol></ul>
<blockquote><p>Said<br>twice</blockquote><pre>code  here
  more</pre><table><tr><th>a<th>b<tr><td>c <b>d</b><td><p>e<p>f</table>
<p>First</p><p>x*y</p>"""


def test_a_range_holds_the_words_of_its_block(judge, split):
    verdict = judge(PAGE, split=split)
    written = text.plain_text(verdict, 0)
    ranges = text.ranges(verdict, 0)
    for (start, end), block in zip(ranges, block_texts(verdict.table), strict=True):
        assert all(word in written[start:end] for word in block.split())


def test_ranges_of_text_are_the_blocks(judge):
    verdict = judge("<p>a b<p>c<table><tr><td>d<br>e<td>f</table><pre>g\n h</pre>")
    written = text.plain_text(verdict, 0)
    pieces = [written[start:end] for start, end in text.ranges(verdict, 0)]
    assert pieces == ["a b", "c", "d e", "f", "g\n h"]


def test_dropped_blocks_have_none(judge):
    assert text.ranges(judge("<p>a<p>b", drop=[0]), 0) == [None, (0, 1)]


def test_blocks_of_one_paragraph_have_their_own_ranges(judge):
    page = "<p>a <u>b</u> <u>c</u></p><p>d <u>e</u></p>"
    expected = [(0, 1), (2, 3), (4, 5), (7, 8), (9, 10)]
    for pages in ((page,), ("<p>x<p>y", page)):
        verdict = judge(*pages, split="tag")
        assert text.ranges(verdict, len(pages) - 1) == expected
