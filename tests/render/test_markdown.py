"""Markdown of small pages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing.tags import IDS
from victor.page.table.texts import block_texts
from victor.render.forms import Page, Shown, renderer
from victor.render.markdown import render
from victor.tables.page_tables import data_tables

EVERYTHING = Shown()


@pytest.fixture(scope="session")
def shown(judge):
    def shown(page, *, url=None, switches=EVERYTHING, **options):
        verdict = judge(page, **options)
        return render(Page(verdict, markup=page.encode(), url=url, shown=switches))

    return shown


def test_headings(shown, split):
    page = "<h1>A <b>b</b></h1><h3>c<br>d</h3><p>e</p><p>f #</p>"
    assert shown(page, split=split) == "# A b\n\n### c d\n\ne\n\nf #\n"
    # Labelled header, but no <h1>-<h6>.
    assert shown("<p>e</p><p>f #</p>", headers=[1]) == "e\n\n## f \\#\n"


def test_a_break_is_hard(shown, split):
    assert shown("<p>a<br>b</p>", split=split) == "a\\\nb\n"


class TestLists:
    def test_items_nested_in_items(self, shown, split):
        page = "<ul><li>a<ol><li>b<ul><li>c</ul><li>d</ol><li>e</ul>"
        assert shown(page, split=split) == "- a\n  1. b\n     - c\n  2. d\n- e\n"

    def test_an_item_of_several_paragraphs(self, shown):
        page = "<ol><li><p>a<p>b<pre>c\n\nd</pre><li>e</ol>f"
        assert shown(page) == "1. a\n\n   b\n\n   ```\n   c\n\n   d\n   ```\n\n2. e\n\nf\n"

    def test_text_after_a_nested_list_belongs_to_the_outer_item(self, shown):
        assert shown("<ul><li>a<ul><li>b</ul>c</ul>") == "- a\n\n  - b\n\n  c\n"

    def test_an_item_whose_outer_item_is_dropped_is_not_indented(self, shown):
        assert shown("<ul><li>a<ul><li>b</ul><li>c</ul>", drop=[0]) == "- b\n- c\n"
        page = "<ul><li>a<ul><li><p>b<p>c</ul><li>d</ul>"
        assert shown(page, drop=[0]) == "- b\n\n  c\n\n- d\n"
        page = "<ul><li>a<ol><li>b</ol><li>c</ul>"
        assert shown(page, drop=[0]) == "- 1. b\n- c\n"

    def test_a_list_directly_in_a_list_is_part_of_the_item_before(self, shown):
        assert shown("<ul><li>a</li><ul><li>b</ul>c</ul>") == "- a\n\n  - b\n\n  c\n"

    def test_an_item_may_begin_with_a_heading(self, shown):
        assert shown("<ul><li><h3>a</h3><p>b<li>c</ul>") == "- ### a\n\n  b\n\n- c\n"
        page = "<ul><li>a<li><h3>b</h3><ul><li>c</ul></ul>"
        assert shown(page) == "- a\n- ### b\n  - c\n"

    def test_numbers_are_those_of_the_page(self, shown):
        page = "<ol><li>a<li>b<li>c</ol><ol><li>d</ol>"
        assert shown(page) == "1. a\n2. b\n3. c\n\n1) d\n"
        assert shown(page, drop=[1]) == "1. a\n\n3) c\n\n1. d\n"

    def test_start_value_and_reversed_count(self, shown):
        assert shown("<ol start=5><li>a<li>b</ol>") == "5. a\n6. b\n"
        assert shown("<ol><li>a<li value=7>b<li>c</ol>") == "1. a\n\n7) b\n8) c\n"

    def test_lists_in_a_row_have_different_marks(self, shown):
        page = "<ul><li>a</ul><ul><li>b<li>c</ul><ul><li>d</ul><p>e<ul><li>f</ul>"
        assert shown(page) == "- a\n\n* b\n* c\n\n- d\n\ne\n\n- f\n"
        assert shown("<ul><li>a</ul><ol><li>b</ol><ul><li>c</ul>") == "- a\n\n1. b\n\n- c\n"

    def test_a_nested_list_that_begins_with_another_number_is_a_list(self, shown):
        page = "<ul><li>a<ol start=5><li>b<li>c</ol><li>d</ul>"
        assert shown(page) == "- a\n\n  5. b\n  6. c\n\n- d\n"
        page = "<ul><li><ol><li>a<li value=4>b</ol><li>c</ul>"
        assert shown(page) == "- 1. a\n\n  4) b\n\n- c\n"

    def test_items_without_a_list(self, shown):
        assert shown("<div><li>a<li>b</div><p>c") == "- a\n- b\n\nc\n"

    def test_tasks(self, shown):
        page = "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b<li>c</ul>"
        assert shown(page) == "- [x] a\n- [ ] b\n- c\n"

    def test_deep_nesting_ends_at_a_level(self, shown):
        page = "<ul>" + "<li>a<ul>" * 300
        assert max(map(len, shown(page).split("\n"))) < 60

    def test_preformatted_text_in_an_item(self, shown):
        assert shown("<ul><li><pre>a\n  b</pre></ul>") == "- ```\n  a\n    b\n  ```\n"


def test_a_fence_is_longer_than_any_in_the_text(shown):
    assert shown("<pre>a ```` b</pre>") == "`````\na ```` b\n`````\n"


def test_tables_of_data_keep_their_columns(shown):
    page = "<table><tr><th>a<th>b<tr><td><td>c | *d*<br>e<tr><td>f</table>g"
    assert shown(page) == "| a | b |\n| --- | --- |\n|  | c \\| \\*d\\*<br>e |\n| f |  |\n\ng\n"


def test_places_that_a_cell_spans_are_empty(judge):
    page = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>e<td>f<td>g</table>"
    verdict = judge(page)
    tables = data_tables(verdict.table, verdict.kept)
    tables.is_data[verdict.table.elements.tag == IDS["table"]] = True
    shown = render(Page(verdict.with_units(verdict.labels, tables, None), markup=page.encode()))
    assert shown == "| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| e | f | g |\n"


def test_a_table_in_an_item_stays_there(shown):
    page = "<ul><li>a<table><tr><td>b<td>c</table>d</ul>"
    assert shown(page) == "- a\n\n  | b | c |\n  | --- | --- |\n\n  d\n"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a*b `c` [d](e) \\", "a\\*b \\`c\\` \\[d\\](e) \\\\"),
        ("snake_case _word_", "snake_case \\_word\\_"),
        ("&lt;b> 1 < 2 &amp;amp; R&amp;D", "\\<b> 1 < 2 \\&amp; R&D"),
        ("# one", "\\# one"),
        ("#one - two", "#one - two"),
        ("- one", "\\- one"),
        ("-5 °C", "-5 °C"),
        ("1. one", "1\\. one"),
        ("1.5 x", "1.5 x"),
        ("> one", "\\> one"),
        ("---", "\\---"),
        ("a<br>===", "a\\\n\\==="),
        ("~~a~~ ~b", "\\~\\~a\\~\\~ ~b"),
        ("a!", "a!"),
        ("a! [b]", "a! [b]"),
        ("see [the <b>b</b>]", "see \\[the **b**\\]"),
        ("[a]: b [c][d] [^e] [!f] [x]", "\\[a\\]: b \\[c\\][d] \\[^e\\] \\[!f\\] \\[x\\]"),
        ("a [*b*] c", "a [\\*b\\*] c"),
        ("price*", "price*"),
        ("* a price", "\\* a price"),
        ("a* b*", "a\\* b\\*"),
        ("a* `b`", "a\\* \\`b\\`"),
        ("a* <b>b</b>", "a\\* **b**"),
    ],
)
def test_characters_that_would_be_markup_are_escaped(text, escaped, shown):
    assert shown(f"<p>{text}</p>") == escaped + "\n"


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


class TestInlines:
    @pytest.mark.parametrize(
        ("markup", "markdown"),
        [
            ("a <b>b</b> <i>c</i> <b><i>d</i></b>", "a **b** *c* ***d***"),
            ("<b>a <i>b</i> c</b>", "**a *b* c**"),
            ("<b> a </b>b", "**a** b"),
            ("a<b> b</b>", "a **b**"),
            ("a<b>b</b>c", "a**b**c"),
            ("a<b>(b)</b>c", "a<strong>(b)</strong>c"),
            ("<b>a</b><i>b</i>", "<strong>a</strong><em>b</em>"),
            ("<b></b>a<b> </b>b", "a b"),
            ("H<sub>2</sub>O 10<sup>6</sup>", "H<sub>2</sub>O 10<sup>6</sup>"),
            ("<del>old</del> <ins>new</ins>", "~~old~~ new"),
            ("<code>a`b</code> <kbd>`</kbd>", "``a`b`` `` ` ``"),
            ("<code>a <b>b</b></code>", "`a b`"),
            ("<b>a</b><br><b>b</b>", "**a\\\nb**"),
            ("<b>a<br>b</b>", "**a\\\nb**"),
            ("<b>a<br></b>b", "**a**\\\nb"),
            ("<b>a!</b> b", "**a!** b"),
            ("<del>~a~</del>~", "~~\\~a\\~~~\\~"),
        ],
    )
    def test_marks(self, shown, split, markup, markdown):
        assert shown(f"<p>{markup}</p>", split=split) == markdown + "\n"

    def test_bold_of_a_heading_is_that_of_all_headings(self, shown):
        assert shown("<h2>a <b>b</b> <i>c</i></h2>") == "## a b *c*\n"

    def test_formatting_off(self, shown):
        page = "<p>a <b>b</b> <code>c*</code> <a href=http://x.cz/>d</a>"
        switches = Shown(formatting=False)
        assert shown(page, switches=switches) == "a b c* [d](http://x.cz/)\n"


class TestLinks:
    URL = "http://x.cz/a/b"

    @pytest.mark.parametrize(
        ("markup", "markdown"),
        [
            ("<a href=c>d</a>", "[d](http://x.cz/a/c)"),
            ("<a href='c?utm_source=x&e=f&fbclid=y#g'>d</a>", "[d](http://x.cz/a/c?e=f#g)"),
            ("<a href=http://y.cz/?UTM_Medium=x>d</a>", "[d](http://y.cz/)"),
            ("<a href=c?my_utm_source=x>d</a>", "[d](http://x.cz/a/c?my_utm_source=x)"),
            ("<a href=c#?utm_source=x>d</a>", "[d](http://x.cz/a/c#?utm_source=x)"),
            ("<a href='/c (d)'>e</a>", "[e](http://x.cz/c%20%28d%29)"),
            ("<a href=c><b>d</b> e</a>", "[**d** e](http://x.cz/a/c)"),
            ("<a href=c>d</a>!<a href=e>f</a>", "[d](http://x.cz/a/c)\\![f](http://x.cz/a/e)"),
            ("d! <a href=c>e!</a>", "d! [e!](http://x.cz/a/c)"),
            ("<a href=c>[d] e</a>[f]", "[[d] e](http://x.cz/a/c)[f]"),
            ("<a href=c>d</a><a href=c>e</a>", "[d](http://x.cz/a/c)[e](http://x.cz/a/c)"),
            ("<a href='javascript:x()'>d</a>", "d"),
            ("<a href=' java\nscript:x()'>d</a>", "d"),
            ("<a name=c>d</a>", "d"),
            ("d <a href=#d>¶</a>", "d ¶"),
            ("<a href=#e>f</a>", "[f](http://x.cz/a/b#e)"),
            ("<a href=mailto:a@x.cz>g</a>", "[g](mailto:a@x.cz)"),
            ("<a href='http://['>h</a>", "[h](http://[)"),
        ],
    )
    def test_addresses(self, shown, split, markup, markdown):
        assert shown(f"<p>{markup}</p>", url=self.URL, split=split) == markdown + "\n"

    @pytest.mark.parametrize(
        ("markup", "markdown"),
        [
            ("<h2 id=c><a href=#c>d</a></h2>", "## d"),
            ("<h2><a href=#c><div>d</div></a></h2>", "## d"),
            ("<a href=http://x.cz/a/b#c><h2 id=c>d</h2></a>", "## d"),
            ("<h2 id=c><a href=/#c>d</a></h2>", "## [d](http://x.cz/#c)"),
            ("<p id=c><a href=#c>d</a></p>", "[d](http://x.cz/a/b#c)"),
        ],
    )
    def test_a_heading_does_not_lead_to_its_own_page(self, shown, markup, markdown):
        assert shown(markup, url=self.URL) == markdown + "\n"

    def test_a_base_counts(self, shown):
        assert shown("<base href=/z/><p><a href=c>d</a>", url=self.URL) == "[d](http://x.cz/z/c)\n"

    def test_a_link_around_blocks_is_in_each(self, shown):
        page = "<a href=/c><div>d</div><div>e</div></a>"
        assert shown(page, url=self.URL) == "[d](http://x.cz/c)\n\n[e](http://x.cz/c)\n"

    def test_links_off(self, shown):
        assert shown("<p><a href=http://x.cz>a</a>", switches=Shown(links=False)) == "a\n"


class TestImages:
    URL = "http://x.cz/"

    @pytest.mark.parametrize(
        ("markup", "markdown"),
        [
            ("<p>a <img src=b alt='c [d]'> e", "a ![c \\[d\\]](http://x.cz/b) e"),
            ("<p>a<p><img src=b title='c \"d\"'><p>e",
             "a\n\n![](http://x.cz/b \"c &quot;d&quot;\")\n\ne"),
            ("<p>a <a href=c><img src=b></a> d", "a [![](http://x.cz/b)](http://x.cz/c) d"),
            ("<p>a <img src=data:x><noscript><img src=b></noscript> d",
             "a\n\n![](http://x.cz/b)\n\nd"),
            ("<p>a <img src=/max/60/b.png alt=c><img src=/max/700/b.png> d",
             "a ![c](http://x.cz/max/60/b.png) d"),
            ("<p>a <img src=/i?n=1><img src=/i?n=2> d",
             "a ![](http://x.cz/i?n=1)![](http://x.cz/i?n=2) d"),
            ("<p>a <img src=b.jpg><img src=c.jpg><img src=b.jpg> d",
             "a ![](http://x.cz/b.jpg)![](http://x.cz/c.jpg) d"),
            ("<p>a <img src=b.jpg> c <img src=b.jpg> d",
             "a ![](http://x.cz/b.jpg) c ![](http://x.cz/b.jpg) d"),
            ("<figure><img src=b.jpg><figcaption>c</figcaption><img src=b.jpg?w=9></figure>",
             "![](http://x.cz/b.jpg)\n\nc"),
            ("<table><tr><td>a<td>d<tr><td>c<td><img src=b><tr><td>e<td><img src=b></table>",
             "| a | d |\n| --- | --- |\n| c | ![](http://x.cz/b) |\n| e | ![](http://x.cz/b) |"),
            ("<p>a <img src=b><img src=b> d", "a ![](http://x.cz/b) d"),
            ("<p><img src=b>a <img src=c><img src=c> d",
             "![](http://x.cz/b)a ![](http://x.cz/c) d"),
        ],
    )  # fmt: skip
    def test_images_of_kept_content(self, shown, markup, markdown):
        assert shown(markup, url=self.URL) == markdown + "\n"

    @pytest.mark.parametrize(
        ("markup", "is_shown"),
        [
            ("<article><h1>b</h1><p>a<figure><div><img src=b></div></figure></article>", True),
            ("<article><h1>b</h1><p>a</p><p><img src=b></p></article>", True),
            ("<article><h1>b</h1><p>a</p><div><img src=b></div></article>", False),
            ("<article><h1>b</h1><p>a</p><img src=b><h2>c</h2></article>", False),
        ],
    )
    def test_an_image_at_the_end_of_its_text(self, shown, markup, is_shown):
        long = f"<h3>{'c ' * 20}</h3>"
        page = markup.replace("<h1>b</h1>", long).replace("<h2>c</h2>", long)
        drop = [0, 2] if page.count("<h3>") == 2 else [0]
        assert ("![](http://x.cz/b)" in shown(page, url=self.URL, drop=drop)) == is_shown

    def test_images_of_dropped_content_go(self, shown):
        page = f"<p>a<div><img src=b><p>{'c ' * 20}</div><p>d"
        assert shown(page, url=self.URL, drop=[1]) == "a\n\nd\n"
        assert "![](http://x.cz/b)" in shown(page, url=self.URL)

    def test_images_off(self, shown):
        assert shown("<p>a <img src=b> c", switches=Shown(images=False)) == "a c\n"


class TestEmbeds:
    @pytest.mark.parametrize(
        ("markup", "markdown"),
        [
            ("<iframe title='YouTube video' src=//www.youtube.com/embed/abc-DEF_12?rel=0></iframe>",
             "![](https://www.youtube.com/watch?v=abc-DEF_12)"),
            ("<IFRAME src=about:blank data-src=https://x.org/embed/1 title='A bee'></IFRAME>",
             "![A bee](https://x.org/embed/1)"),
            ("<video controls><source src=/b.mp4><source src=/b.webm></video>",
             "![](http://x.cz/b.mp4)"),
            ("<audio src=c.mp3 title=Bees></audio>", "![Bees](http://x.cz/c.mp3)"),
            ("<video src=b.mp4 controls></video><video src=b.mp4 controls></video>",
             "![](http://x.cz/b.mp4)"),
        ],
    )  # fmt: skip
    def test_players_of_kept_content(self, shown, markup, markdown):
        assert shown(f"<p>a</p>{markup}<p>d", url="http://x.cz/") == f"a\n\n{markdown}\n\nd\n"
        assert shown(f"<p>a</p>{markup}<p>d", switches=Shown(images=False)) == "a\n\nd\n"

    @pytest.mark.parametrize(
        "markup",
        [
            "<iframe src=https://ads.org/show?kind=embed></iframe>",
            "<iframe src=javascript:embed()></iframe>",
            "<template><iframe src=https://x.org/embed/1></iframe></template>",
            "<video autoplay muted><source src=b.mp4></video>",
            "<video></video>",
        ],
    )
    def test_frames_that_are_no_player(self, shown, markup):
        assert shown(f"<p>a</p>{markup}<p>d", url="http://x.cz/") == "a\n\nd\n"

    def test_players_of_dropped_content_go(self, shown):
        player = "<iframe src=https://www.youtube.com/embed/abcdefgh></iframe>"
        page = f"<p>a<div>{player}<p>{'c ' * 20}</div><p>d"
        assert shown(page, drop=[1]) == "a\n\nd\n"
        assert "youtube" in shown(page)

    def test_a_player_within_a_paragraph_follows_it(self, shown):
        page = "<p>a <iframe src=https://www.youtube.com/embed/abcdefgh></iframe> b<p>c"
        assert shown(page) == "a b\n\n![](https://www.youtube.com/watch?v=abcdefgh)\n\nc\n"


class TestBlocks:
    def test_quotes_within_quotes(self, shown):
        page = "<blockquote><p>a<blockquote><p>b</blockquote><ul><li>c</ul></blockquote>d"
        assert shown(page) == "> a\n>\n> > b\n>\n> - c\n\nd\n"

    @pytest.mark.parametrize(
        ("markup", "callout"),
        [
            ("<div class='admonition tip'><p class=admonition-title>b<p>c</div>",
             "[!tip]\n> **b**\n>\n> c"),
            ("<aside class='admonition topic'><p>b<p>c</aside>", "[!note]\n> b\n>\n> c"),
            ("<div class='markdown-alert markdown-alert-tip'><p>b</div>", "[!tip]\n> b"),
            ("<div class='alert alert-danger'><h4 class=alert-heading>b</h4>c</div>",
             "[!danger]\n> **b**\n>\n> c"),
            ("<div class='custom-block warning'><ul><li>b</ul></div>", "[!warning]\n>\n> - b"),
            ("<div class=callout data-callout=faq><div class=callout-title><b>b</b></div>c</div>",
             "[!faq]\n> **b**\n>\n> c"),
            ("<aside class='starlight-aside starlight-aside--note'><p>b</aside>", "[!note]\n> b"),
        ],
    )  # fmt: skip
    def test_callouts(self, shown, markup, callout):
        rest = "<p>1<p>2<p>3"
        assert shown(markup + rest) == f"> {callout}\n\n1\n\n2\n\n3\n"
        assert "[!" not in shown(markup + rest, drop=[0, 1])

    @pytest.mark.parametrize(
        "markup",
        [
            "<div class='alert'><p>b</div>",
            "<div class='callout big'><p>b</div>",
            "<div class='note'><p>b</div>",
            "<p class='admonition note'>b",
            "<div class='admonition note'><p>b<p>c<p>d<p>e</div>",
        ],
    )
    def test_what_is_no_callout(self, shown, markup):
        assert "[!" not in shown(f"{markup}<p>1<p>2<p>3")

    @pytest.mark.parametrize(
        ("markup", "language"),
        [
            ("<pre class='language-py x'>a</pre>", "py"),
            ("<pre><code class='hljs c++'>a</code></pre>", "c++"),
            ("<div class='highlight-source-shell'><pre>a</pre></div>", "shell"),
            ("<div class='sourceCode'><pre class='sourceCode rust'>a</pre></div>", "rust"),
            ("<pre class='brush: js; gutter: false'>a</pre>", "js"),
            ("<pre data-lang=HTML>a</pre>", "html"),
            ("<pre language=tsx>a</pre>", "tsx"),
            ("<code class='hl lean block'>a</code>", "lean"),
            ("<div class=highlight-box><pre class=code-block>a</pre></div>", ""),
        ],
    )
    def test_languages_of_code(self, shown, markup, language):
        assert shown(markup) == f"```{language}\na\n```\n"

    def test_rules_between_kept_blocks(self, shown):
        assert shown("<p>a<hr><p>b<hr><p>c", drop=[2]) == "a\n\n---\n\nb\n"

    def test_definitions(self, shown):
        page = "<dl><dt>a<dt>b<dd>c<dd><p>d<p>e<dt>f<dd>g</dl>"
        assert shown(page) == "a\n\nb\n:   c\n:   d\n\n    e\n\nf\n:   g\n"

    def test_many_footnotes_of_one_label_have_short_labels(self, shown):
        marks = "".join(f"<p>a<sup><a href='#n{n}'>1</a></sup>" for n in range(300))
        notes = "".join(f"<li id=n{n}>b" for n in range(300))
        text = shown(f"{marks}<ol>{notes}</ol>")
        labels = re.findall(r"^\[\^(\w+)\]: b &#32;$", text, re.MULTILINE)
        assert labels[:3] == ["1", "1x2", "1x3"]
        assert len(set(labels)) == 300
        assert max(map(len, labels)) < 16
        assert re.findall(r"^a\[\^(\w+)\]$", text, re.MULTILINE) == labels

    def test_the_mark_of_a_dropped_note_is_text(self, shown):
        page = "<p>a<sup><a href=#n>1</a></sup><p id=n>b"
        assert "[^1]: b" in shown(page)
        assert "[^1]" not in shown(page, drop=[1])

    def test_formulas(self, shown):
        tex = "<annotation encoding=application/x-tex>{}</annotation>"
        page = f"<p>a <math>{tex.format('x^2')}</math> $5<p><math display=block>{tex.format('y')}"
        assert shown(page) == "a $x^2$ \\$5\n\n$$y$$\n"
        assert shown("<p>a \\(x_i^2\\) b \\[y*z\\] c") == "a $x_i^2$ b $$y*z$$ c\n"
        assert shown("<p>a <img class=latex alt='x_1' src=a.png>, b") == "a $x_1$, b\n"
        assert shown("<p>5<math alttext=x>x</math>4") == "5 $x$ 4\n"
        assert shown("<p>$<b>5</b> <math alttext=x>x</math>") == "\\$**5** $x$\n"
        assert shown("<p>a<math alttext=x>x</math><math alttext=y>y</math>b") == "a$x$ $y$b\n"
        alone = "<p>a<p><img class=latex alt='x_1' src=a.png height=9><p>b"
        assert shown(alone) == "a\n\n$$x_1$$\n\nb\n"
        assert shown("<p>a <math alttext='x = 5$'>x=5$</math>") == "a $x = 5\\$$\n"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Let $\\frac{a_i}{b}$ be", "Let $\\frac{a_i}{b}$ be"),
            ("Let $x_i$, $n$, $RELIES$", "Let $x_i$, $n$, $RELIES$"),
            ("$a + b$", "$a + b$"),
            ("costs $5 or $6_7 now", "costs $5 or $6_7 now"),
            ("costs $5 in$ US$ all$", "costs $5 in$ US$ all$"),
            ("a $ x_1 $ b", "a $ x_1 $ b"),
            ("<code>$\\pi_1$</code>", "`$\\pi_1$`"),
            ("$\\pi$ for $5", "$\\pi$ for \\$5"),
        ],
    )
    def test_single_dollars_of_a_page_that_loads_mathjax(self, shown, text, expected):
        assert shown(f"<script src=mathjax.js></script><p>{text}") == f"{expected}\n"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a $$ - $$$ b", "a $$ - $$$ b"),
            ("a $$ to $$$ b", "a $$ to $$$ b"),
            ("a $$E = m$$ b", "a $$E = m$$ b"),
            ("a \\[citation needed\\] b", "a \\\\[citation needed\\\\] b"),
            ("a \\(5\\) b \\(n\\)", "a $5$ b $n$"),
        ],
    )
    def test_what_stands_between_other_delimiters_is_tex(self, shown, text, expected):
        assert shown(f"<p>{text}") == f"{expected}\n"

    @pytest.mark.parametrize(
        ("form", "formula"),
        [
            ("text", "x_1"),
            ("article", '<span class="math inline">\\(x_1\\)</span>'),
            ("tei", '<formula notation="TeX">x_1</formula>'),
        ],
    )
    def test_every_form_has_the_formulas_of_images(self, judge, form, formula):
        page = "<p>a <img class=latex alt='x_1' src=a.png>, b"
        assert f"a {formula}, b" in renderer(form)(Page(judge(page), markup=page.encode()))

    def test_single_dollars_of_other_pages_are_dollars(self, shown):
        assert shown("<p>Let $x_1$") == "Let $x_1$\n"
        assert shown("<p>mathjax: $x_i*y_i$") == "mathjax: $x_i\\*y_i$\n"
        assert shown("<p>$5 in C:\\pi for $6") == "$5 in C:\\\\pi for $6\n"

    def test_a_command_between_two_single_dollars_tells_what_they_are(self, shown):
        assert shown("<p>Let $x \\in A*$ and<p>$b_1*c$") == "Let $x \\in A*$ and\n\n$b_1*c$\n"


def test_links_of_a_file_are_relative_to_where_the_page_says_it_is(shown):
    page = "<link rel=canonical href=http://x.cz/a/b><p><a href=c>d</a>"
    assert shown(page, url="/srv/pages/b.html") == "[d](http://x.cz/a/c)\n"
    assert shown("<p><a href=c>d</a>", url="/srv/pages/b.html") == "[d](c)\n"
