"""Labels from elements that annotators selected in a browser."""

import re
import time
from itertools import pairwise
from random import Random

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base.labels import UNLABELLED, Label
from victor.corpus.marked_html import read_marked
from victor.corpus.pages import annotate, canonical_table
from victor.corpus.webmainbench import has_selection, read_selected, without_marks
from victor.errors import PageError
from victor.page.decoding.decode import utf8
from victor.page.table.texts import segment_texts

H, T, O = Label  # noqa: E741
TRACES = re.compile(rb"cc-|_item_id|data-anno-uid|mark-selected|<marked-", re.IGNORECASE)
PAGE = (
    '<html><head><title>Bees</title></head><body data-anno-uid="anno-uid-1"><nav>Menu</nav>'
    '<h1 cc-select="true" class="mark-selected" data-anno-uid="anno-uid-2" style="">Bees</h1>'
    '<div class="post mark-selected" cc-select="true" _item_id="3" style=""><p>They <b>fly</b>'
    "<p>far. <i>Always</i></div>"
    '<div class="foot">By <a cc-select="true" href="/me">me</a> today</div></body></html>'
)


def labelled(page):
    return list(zip(segment_texts(canonical_table(page.html)), page.labels.tolist(), strict=True))


def test_all_text_in_a_selected_element_is_content():
    page = read_selected("bees", PAGE, site="a.example", kind="Article")
    assert labelled(page) == [
        ("Menu", O), ("Bees", H), ("They", T), ("fly", T), ("far.", T), ("Always", T),
        ("By", O), ("me", T), ("today", O),
    ]  # fmt: skip
    assert page.gold == "Bees\nThey fly\nfar. Always\nme"
    assert (page.id, page.site, page.kind) == ("bees", "a.example", "Article")


def test_the_marks_are_taken_out():
    page = read_selected("bees", PAGE)
    assert not TRACES.search(page.html)
    assert b"<body><nav>Menu</nav><h1>Bees</h1>" in page.html
    assert b'<div class="post"><p>They <b>fly</b><p>far.' in page.html
    assert b'By <a href="/me">me</a>' in page.html


@pytest.mark.parametrize(
    ("marked", "labels"),
    [
        ('<div>a<p cc-select="true">b<i>c</i></p>d</div>', [O, T, T, O]),
        ('<div cc-select="true">a<p>b</p><p cc-select="true">c</p></div>d', [T, T, T, O]),
        ('<div cc-select="true">a<p cc-select="false">b</p></div>', [T, T]),
        ('<div cc-select="false">a</div><p cc-select="">b', [O, O]),
        ('<h2><a cc-select="true">a</a></h2><h3>b</h3>', [H, O]),
        ('<h2><img><span cc-select="true"><h4>a</h4></span></h2>', [H]),
        ('<body cc-select="true"><p>a</body></html>b', [T, O]),
        ("<p>a<p>b", [O, O]),
        ("", []),
    ],
)
def test_nested_marks(marked, labels):
    assert read_selected("x", marked).labels.tolist() == labels


@pytest.mark.parametrize(
    ("marked", "labels"),
    [
        ('<div style="display: none"><p cc-select="true">a</p>b</div>c', [UNLABELLED, O, O]),
        ('<p style="color:red;display:none" cc-select="true">a', [UNLABELLED]),
        ('<div cc-select="true">a<p style="display:none">b</p></div>', [T, T]),
        ('<div hidden><p cc-select="true">a</p></div>', [T]),
    ],
)
def test_selected_text_that_nobody_saw_is_unlabelled_and_no_gold(marked, labels):
    page = read_selected("x", marked)
    assert page.labels.tolist() == labels
    texts = segment_texts(canonical_table(page.html))
    assert page.gold.split() == [t for t, label in zip(texts, labels, strict=True) if label == T]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("<p class=b CC-Select='true' id=c>a", "<p class=b id=c>a"),
        ('<p\ncc-select = "true"\tcc-alg-uid=4>a', "<p>a"),
        ("<p/cc-select=true>a", "<p>a"),
        ("<p title='a>b' cc-select=true title=\"it's\">a", "<p title='a>b' title=\"it's\">a"),
        ('<p title=" cc-select=true" cc-select=true>a', '<p title=" cc-select=true">a'),
        ("<p class=mark-selected-too style='a:b'>c", "<p class=mark-selected-too style='a:b'>c"),
        ("<p class=mark-selected>a", "<p>a"),
        ("<p class='b mark-selected c'>a", "<p class='b c'>a"),
        ('<p style="" _item_id=3 data-anno-uid>a', "<p>a"),
        ('a < b, cc-select="true" style=""', 'a < b, cc-select="true" style=""'),
        ("<a href=x cc-select=true", "<a href=x"),
        ('<a cc-select="tr', "<a"),
    ],
)  # fmt: skip
def test_only_marks_are_taken_out(marked, plain):
    assert without_marks(marked.encode()) == plain.encode()


def test_wrappers_around_text_that_shares_its_element():
    page = read_selected(
        "x",
        '<div><marked-text cc-select="true" data-anno-uid="1">a b</marked-text><p>c</p>'
        "<marked-tail>d</marked-tail><br><marked-tail cc-select=true>e</marked-tail></div>",
    )
    assert page.html == b"<div>a b<p>c</p>d<br>e</div>"
    assert labelled(page) == [("a b", T), ("c", O), ("d", O), ("e", T)]
    assert page.gold == "a b\ne"


def test_text_with_two_labels_after_a_wrapper_is_gone():
    page = read_selected("x", "<p>a <marked-inline cc-select=true>b</marked-inline><p>c")
    assert labelled(page) == [("a b", UNLABELLED), ("c", O)]
    assert page.gold == "b"


def test_a_page_whose_text_the_marks_hold():
    with pytest.raises(PageError, match="has another text") as raised:
        read_selected("x", "<p cc-select=true>a<plaintext>b<marked-text>c")
    assert raised.value.reason == "marks-hold-text"


def test_a_mark_that_stays(monkeypatch):
    monkeypatch.setattr("victor.corpus.webmainbench.without_marks", lambda markup: markup)
    for mark in ("cc-select=false", "_item_id", "class='b mark-selected'"):
        with pytest.raises(PageError, match="cannot be taken out") as raised:
            read_selected("x", f"<p {mark}>a")
        assert raised.value.reason == "marks-stay"


def test_any_declared_encoding():
    marked = '<meta charset="windows-1250"><p cc-select="true">Včely žijí 蜜蜂 \ud800'
    page = read_selected("x", marked)
    assert labelled(page) == [("Včely žijí 蜜蜂 \ufffd", T)]


def test_zero_bytes_do_not_make_the_page_utf_16():
    page = read_selected("x", "<p>\0a\0" + "\0b" * 400 + "<p cc-select=true>c\0")
    assert labelled(page) == [("a" + "b" * 400, O), ("c", T)]


@pytest.mark.parametrize("piece", ['<a b="', "<a ", "<a b='c'", "<a" + " " * 9, "<a cc-x=\"'", "<"])
def test_time_is_linear(piece):
    start = time.process_time()
    without_marks((piece * 80_000).encode())
    assert time.process_time() - start < 20  # generous; it is a tenth of a second


# --- Random sets of elements ---------------------------------------------------------------------

MARK = (
    ' cc-select="true"', " cc-select='true' data-anno-uid=\"a-1\"", " style=\"\" cc-select=true",
    ' _item_id="7" CC-SELECT="true" class="mark-selected"',
)  # fmt: skip


@st.composite
def trees(draw, depth=4):
    """(plain markup, marked markup, [(word, selected)]) of an element; no word twice in a row."""

    def element(level, around):
        name = draw(st.sampled_from(("div", "span", "section", "b", "li", "x-y")))
        selected = draw(st.booleans()) and draw(st.booleans())
        mark = draw(st.sampled_from(MARK)) if selected else draw(st.sampled_from(("", ' style=""')))
        inside = around or selected
        plain, marked, words = f"<{name}>", f"<{name}{mark}>", []
        for _ in range(draw(st.integers(0, 3))):
            if level and draw(st.booleans()):
                parts = element(level - 1, inside)
            else:
                word = draw(st.sampled_from(strategies.WORDS))
                parts = (f"{word}<br>", f"{word}<br>", [(word, inside)])
            plain, marked, words = plain + parts[0], marked + parts[1], words + parts[2]
        return plain + f"</{name}>", marked + f"</{name}>", words

    return element(depth, around=False)


@settings(max_examples=150)
@given(trees())
def test_labels_of_random_elements_round_trip(tree):
    plain, marked, words = tree
    page = read_selected("x", marked)
    assert page.html.decode() == plain
    is_text = [label == T for label in page.labels.tolist()]
    # Some words are only invisible signs, and give no segment or share that of a neighbour.
    assert sum(page.labels == UNLABELLED) == 0
    if len(words) == len(is_text):
        assert is_text == [selected for _, selected in words]
    gold = "".join(page.gold.split())
    assert gold == "".join(word for word, selected in words if selected)


@pytest.mark.parametrize("seed", range(3))
def test_our_own_pages_with_random_elements_selected(annotated, seed):
    """The labels are those of the same elements marked with ``data-victor``, the other layout."""
    random = Random(seed)
    for page in annotated:
        html = utf8(page.html)
        tags = [start.end() for start in re.finditer(rb"<(?:div|p|ul|td|span|a|h2)(?=[ >])", html)]
        chosen = sorted(random.sample(tags, min(random.randint(0, 9), len(tags))))
        bounds = list(pairwise([0, *chosen, len(html)]))
        pieces = [html[start:end] for start, end in bounds]
        expected = read_marked("x", b' data-victor="text"'.join(pieces))
        selected = read_selected("x", b' cc-select="true" data-anno-uid="a-1"'.join(pieces))
        assert selected.html == without_marks(html)
        assert selected.hashes == expected.hashes
        shown = selected.labels != UNLABELLED
        assert ((selected.labels == O) == (expected.labels == O))[shown].all()


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.lists(
        st.one_of(
            strategies.markup(),
            st.sampled_from([
                "<p cc-select=true>", '<i cc-select="true">', "<b/cc-select=true>", "</p></i>",
                "<marked-text cc-select=true>", "</marked-text>", '<a title=" cc-select=true">',
                "<script> cc-select=true ", "</script>", '"', "'", "<a b=", "<marked-tail>",
                "<!-- cc-select=true -->", " cc-select=true ", "<img cc-select=true alt=a>",
                "</marked-tail>",
            ]),
        ),
        max_size=6,
    ).map("".join)
)  # fmt: skip
def test_any_markup_gives_a_page_without_marks_or_a_reason(markup):
    try:
        page = read_selected("x", markup)
    except PageError:
        return
    assert annotate("x", page.html, page.labels).hashes == page.hashes
    assert not has_selection(page.html.decode())
    assert not page.gold or (page.labels != O).any()
