"""Pages with the dropped blocks taken out. What holds for any page is in tests/markup."""

import pytest
import strategies
from hypothesis import assume, given

from victor.errors import ConfigError
from victor.page.table.texts import block_texts
from victor.render.forms import Page
from victor.render.html import render


@pytest.fixture(scope="session")
def shown(judge):
    """The body of a page as rendered, alone and between two others, of which one is dropped."""

    def shown(body, drop=(), **options):
        page, other = f"<html><head></head><body>{body}</body></html>", "<p>x<hr>"
        html = render(Page(judge(page, drop=drop, **options), markup=page.encode()))
        batch = judge(other, page, other, drop=[*(1 + block for block in drop), -1], **options)
        assert render(Page(batch, 1, markup=page.encode())) == html
        start, end = "<html><head></head><body>", "</body></html>"
        assert html.startswith(start)
        assert html.endswith(end)
        return html[len(start) : -len(end)]

    return shown


def test_an_element_whose_blocks_are_all_dropped_goes(shown):
    page = '<nav>a<img src="x"><script>s</script> <p>b</p></nav><p>c</p>'
    assert shown(page, drop=[0, 1]) == "<p>c</p>"


def test_an_element_with_a_kept_block_stays(shown):
    page = '<div class="x">a<p>b</p> <hr> <p>c</p></div>'
    assert shown(page, drop=[0, 2]) == '<div class="x"><p>b</p> <hr> </div>'


def test_what_never_had_a_block_stays_with_its_parent(shown):
    page = '<p>a</p><div><img src="x"></div><style>b > c{}</style><!-- d --><ul><li></li></ul>'
    assert shown(page, drop=[0]) == page.removeprefix("<p>a</p>")


def test_html_and_body_stay_when_all_goes(shown):
    assert shown("<p>a</p>", drop=[0]) == ""


def test_white_space_around_dropped_text_stays(shown):
    assert shown("<p>a <b> b </b> c</p>", split="tag", drop=[0]) == "<p> <b> b </b> c</p>"


@pytest.mark.parametrize(
    ("split", "before", "after"),
    [
        ("block", "a<div>X</div>c", "a<div></div>c"),
        ("block", "a<div><p>X</p></div>c", "a<div></div>c"),
        ("block", "a<div>X</div><p>X</p>c", "a<div></div>c"),
        ("block", "<p>a</p><div>X</div>c", "<p>a</p>c"),
        ("block", "a<b><br><br>X<br><br></b>c", "a<b><br><br><br><br></b>c"),
        ("block", "<p>a</p><b>X<i><div>X</div></i>X</b><p>c</p>", "<p>a</p><p>c</p>"),
        ("block", "a<div><i><u>X</u></i></div><hr>c", "a<hr>c"),
        ("block", "a<b><u><hr>X</u><i><div>X<p>X</p></div></i></b><u>X</u><div>X</div>c",
         "a<b><i><div></div></i></b>c"),
        ("block", "a<b><i><br><br>X<br><br></i></b>c", "a<b><i><br><br><br><br></i></b>c"),
        ("block", "a<br><div>X</div>c", "a<br><div></div>c"),
        ("block", "y<br>z<div>X</div>c", "y<br>z<div></div>c"),
        ("block", "a<br><div>X</div><br>c", "a<br><br>c"),
        ("tag", "a <b>X</b> c", "a <b></b> c"),
        ("tag", "a<i><b>X</b> X </i>c", "a<i>  </i>c"),
        ("tag", "a<b>X</b><br>c", "a<br>c"),
    ],
)  # fmt: skip
def test_two_kept_blocks_stay_two(split, before, after, judge, shown):
    dropped = [
        i for i, text in enumerate(block_texts(judge(before, split=split).table)) if text == "X"
    ]
    assert shown(before, split=split, drop=dropped) == after


def test_text_values_and_raw_text_are_escaped_each_in_its_way(shown):
    page = (
        '<p title="&lt;&quot;&amp;\'">a &lt;b&gt; &amp;amp;&nbsp;c</p>'
        "<script>if (a<b && c) d = '&lt;';</script><textarea>&lt;/b> &amp;</textarea>"
    )
    assert shown(page) == page.replace("/b> &", "/b&gt; &").replace('"&lt;&q', '"&lt;&q')


def test_void_elements_have_no_end(shown):
    page = '<p>a<br>b<wbr>c<input x="y"></p><object><param name="a">d</object><hr>'
    assert shown(page) == page


def test_head_and_document_type_are_as_they_were(judge):
    page = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/strict.dtd">'
        '<html lang="cs"><head><title>T &amp; t</title><link rel="x" href="y"></head>'
        "<body><p>a</p></body></html>"
    )
    assert render(Page(judge(page), markup=page.encode())) == page


def test_the_declared_encoding_becomes_that_of_the_output(judge):
    page = (
        '<html><head><meta charset="windows-1250"><meta http-equiv="Content-Type" '
        'content="text/html; charset=iso-8859-2"></head><body><p>a</p></body></html>'
    )
    html = render(Page(judge(page), markup=page.encode()))
    assert html == page.replace("windows-1250", "utf-8").replace("iso-8859-2", "utf-8")


def test_an_image_with_dropped_alternative_text_goes_unless_it_separates(shown):
    page = '<p>a <img alt="b" src="x"> c</p><p><img alt="d">e</p>'
    html = shown(page, split="tag", alt_text=True, drop=[1, 3])
    assert html == '<p>a <img alt="" src="x"> c</p><p>e</p>'


def test_lines_of_preformatted_text_that_were_blocks_of_their_own(shown):
    html = shown("<pre>a\n b\nc</pre>", split="tag", pre_lines=True, drop=[1])
    assert html == "<pre>a\n \nc</pre>"


def test_without_the_markup_there_is_no_html(judge):
    with pytest.raises(ConfigError, match="give markup="):
        render(Page(judge("<p>a")))


def test_the_markup_of_another_page_is_refused(judge):
    with pytest.raises(ConfigError, match="give the markup that the table was made from"):
        render(Page(judge("<p>a"), markup=b"<p>a<p>b"))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<script>a</script><p>b</p><style>c</style>", "<p>b</p>"),
        ('<p>a<applet data="x"><b>no</b><applet>no</applet></applet>b</p>', "<p>ab</p>"),
        ("<p>a<svg><title>no</title><path/></svg>b<!-- no --></p>", "<p>ab</p>"),
        ('<p>a<embed src="x">b</p><bgsound src="y">', "<p>a b</p> "),
        ("<p>a<object data=b><i>c</i><object>d</object></object>e</p>", "<p>a e</p>"),
        ('<link rel="Alternate Stylesheet" href="a"><link rel="next" href="b">',
         ' <link rel="next" href="b">'),
        ('<p style="b" onclick="c()" class="d">a</p>', '<p class="d">a</p>'),
        ('<p>a</p><img src="b" alt="c"><form><input><textarea>no</textarea></form>',
         '<p>a</p><img src="b" alt="c"><form><input></form>'),
    ],
)  # fmt: skip
def test_precleaning_leaves_nothing_that_cannot_hold_text(page, expected, judge):
    source = f"<html><head><title>t</title></head><body>{page}</body></html>".encode()
    html = render(Page(judge(source.decode()), markup=source), preclean=True)
    assert html == f"<html><head><title>t</title></head><body>{expected}</body></html>"


def test_precleaning_takes_no_kept_word_and_dropped_blocks_go_as_well(judge):
    page = "<html><head></head><body><nav>a<script>b</script></nav><p>c</p></body></html>"
    html = render(Page(judge(page, drop=[0]), markup=page.encode()), preclean=True)
    assert html == "<html><head></head><body><p>c</p></body></html>"


@given(page=strategies.page())
def test_a_precleaned_page_has_the_blocks_that_it_had(page, judge):
    assume(b"<object" not in page.lower())
    before = judge(page.decode())
    html = render(Page(before, markup=page), preclean=True)
    assert block_texts(judge(html).table) == block_texts(before.table)
