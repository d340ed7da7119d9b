"""Our own XML of small pages."""

import pytest
from lxml import etree

from victor.render.xml import render

URL = "http://x.cz/a/b"


@pytest.fixture(scope="session")
def shown(judge):
    """The content of a page, without white space between its blocks."""

    def shown(page, **options):
        whole = render(judge(page, **options), 0, markup=page.encode(), url=URL)
        return whole.partition("<content>\n")[2].partition("</content>")[0].replace("\n", "")

    return shown


@pytest.mark.parametrize(
    ("markup", "content"),
    [
        ("<h2>a</h2><p>b &lt; <b>c</b><br>d",
         '<heading level="2">a</heading><p>b &lt; <strong>c</strong><br/>d</p>'),
        ("<ol start=3><li>a<li>b</ol>",
         ('<list ordered="true"><item number="3"><p>a</p></item><item number="4"><p>b</p></item>'
         "</list>")),
        ("<ul><li><input type=checkbox>a</ul>",
         '<list ordered="false"><item task="open"><p>a</p></item></list>'),
        ("<dl><dt>a<dd>b</dl>",
         "<definitions><term><p>a</p></term><definition><p>b</p></definition></definitions>"),
        ("<pre class=language-c>a</pre><hr><blockquote>b</blockquote>",
         '<pre language="c">a</pre><rule/><quote><p>b</p></quote>'),
        ("<p>a</p><iframe src=https://www.youtube.com/embed/abcdef title=b></iframe><p>c",
         ('<p>a</p><p><embed source="https://www.youtube.com/watch?v=abcdef" title="b"/></p>'
         "<p>c</p>")),
        ("<div class='admonition tip'>b</div><p>c<p>d",
         '<quote kind="tip"><p>b</p></quote><p>c</p><p>d</p>'),
        ("<table><caption>t<tr><th>a<th>b<tr><td rowspan=2>c<td>d</table>",
         ('<table><caption><p>t</p></caption><row><cell column="0" header="true"><p>a</p></cell>'
         '<cell column="1" header="true"><p>b</p></cell></row><row><cell column="0" rows="2">'
         '<p>c</p></cell><cell column="1"><p>d</p></cell></row></table>')),
        ("<table><tr><td>a<td>b<tr><td><img src=c><td>d</table>",
         ('<table><row><cell column="0"><p>a</p></cell><cell column="1"><p>b</p></cell></row><row>'
         '<cell column="0"><p><image source="http://x.cz/a/c"/></p></cell>'
         '<cell column="1"><p>d</p></cell></row></table>')),
        ("<p>a <a href=c>d</a> <img src=e alt='\"f\"' title=g> h",
         ('<p>a <link target="http://x.cz/a/c">d</link> <image source="http://x.cz/a/e" '
         'alternative="&quot;f&quot;" title="g"/> h</p>')),
        ("<p>a<sup><a href=#n>1</a></sup><ol><li id=n>b</ol>",
         '<p>a<noteref label="1"/></p><note label="1"><p>b</p></note>'),
    ],
)  # fmt: skip
def test_blocks(shown, markup, content):
    assert shown(markup) == content


def test_metadata_are_elements_with_dotted_names(judge):
    known = {
        "title": "A & B", "authors": ["C", "D"], "sources": {"title": "og", "x": {"y": 1.5}},
        "none": None, "nan": float("nan"), "flag": True, '"<': "\x00\ud800",
    }  # fmt: skip
    whole = render(judge("<p>a"), 0, url="u\n&", id="7", metadata=lambda: known)
    tree = etree.fromstring(whole.encode())
    assert dict(tree.attrib) == {"url": "u\n&", "id": "7"}
    assert [(meta.get("name"), meta.text) for meta in tree.iter("meta")] == [
        ("title", "A & B"), ("authors", "C"), ("authors", "D"), ("sources.title", "og"),
        ("sources.x.y", "1.5"), ("flag", "true"), ('"<', " \ufffd"),
    ]  # fmt: skip


def test_a_headline_is_the_first_heading(judge):
    whole = render(judge("<p>a"), 0, headline="b & c")
    assert '<content>\n<heading level="1">b &amp; c</heading>\n<p>a</p>\n' in whole
