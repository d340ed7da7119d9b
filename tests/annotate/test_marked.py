"""Labels merged into the original bytes of a page."""

import numpy as np
import pytest

from victor.annotate.marked import mark
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import annotate, canonical_table, read_marked
from victor.errors import CorpusError

H, T, O = Label  # noqa: E741


def page_of(html, labels):
    return annotate("page", html, np.array(labels, np.uint8))


def test_attributes_on_the_elements_that_are_there():
    html = b"<nav>Menu</nav><div class=a><h1>Bees</h1><p>They <b>fly</b>.<p>Far.</div>Foot"
    marked = mark(page_of(html, [O, H, T, T, T, T, O]))
    assert marked == (
        b'<nav>Menu</nav><div class=a><h1 data-victor="header">Bees</h1>'
        b'<p data-victor="text">They <b>fly</b>.<p data-victor="text">Far.</div>Foot'
    )


def test_texts_of_one_element_with_several_labels():
    html = b"<td>First line<br><br> an advert <br>the end &amp; more<!-- x --> text</td>"
    marked = mark(page_of(html, [T, O, T]))
    assert marked == (
        b'<td data-victor="text">First line<br><br><victor-mark data-victor="other"> an advert '
        b"</victor-mark><br>the end &amp; more<!-- x --> text</td>"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<p title='a > b <i>'>one<i>two</i><script>if (a<b) x('<p>')</script>three",
        "one<br>two<!-- <p>not</p> --><p>three",
        "<html><head><title>t</title>lost<body><p>one</body></html>two",
        "<p>a < b<br>c > d<br> 1 <2",
        "<table>stray<tr><td>cell<td>cell</table>",
        "<p>&lt;p&gt;one<br/>two</br>three",
        "<P CLASS=x>one<BR>two<DIV\n id=y>three",
        "<plaintext>a<b>b",
        "<textarea><p>no</textarea><p>yes<br>no",
        "\ufeff first<br>second",
    ],
)
def test_odd_markup(html):
    html = html.encode()
    n = len(canonical_table(html).segments)
    for seed in range(8):
        labels = np.random.default_rng(seed).choice([H, T, O, UNLABELLED], n)
        page = page_of(html, labels)
        try:
            marked = mark(page)
        except CorpusError:
            assert b"plaintext" in html
            continue
        assert read_marked("page", marked).labels.tolist() == labels.tolist()


def test_pages_that_cannot_be_marked():
    with pytest.raises(CorpusError, match="page page holds marks of its own"):
        mark(page_of(b"<p data-victor=text>a", [T]))
    with pytest.raises(CorpusError, match="leaves no place for marks"):
        mark(page_of("<meta charset=utf-16><p>a".encode("utf-16"), [T]))
    page = page_of(b"<p>a", [T])
    object.__setattr__(page, "labels", np.array([T, T]))
    with pytest.raises(CorpusError, match="its labels do not fit it"):
        mark(page)
