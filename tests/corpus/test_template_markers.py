"""Labels from comments and tags of templates: any pair, and those of a search engine."""

import pytest

from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import canonical_table
from victor.corpus.template_markers import GOOGLE, Markers, read_template
from victor.errors import CorpusError

CONTENT = Markers("InstanceBeginEditable name=body", "InstanceEndEditable")


def labels(page, *markers):
    """Letters of the labels of every segment; None for a page without markers."""
    labelled = read_template("page", page.encode(), markers or (GOOGLE,))
    letters = {Label.HEADER: "h", Label.TEXT: "t", Label.OTHER: "o", UNLABELLED: "?"}
    return labelled and "".join(letters[label] for label in labelled.labels.tolist())


MENU = "<ul><li>Home<li>About</ul>"
BEGIN = "<!-- InstanceBeginEditable name=body -->"
ARTICLE = "<h1>Bees</h1><p>They <b>fly</b> a lot"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"<!--googleoff: index-->{MENU}<!--googleon: index-->{ARTICLE}", "oohttt"),
        (f"<!-- GoogleOff: all -->{MENU}<!-- GOOGLEON:  all -->{ARTICLE}", "oohttt"),
        (f"{ARTICLE}<!-- googleoff: all -->{MENU}", "htttoo"),
        (f"<!--googleon: all-->{ARTICLE}", None),
        (f"<!--googleoffer-->{ARTICLE}", None),
        (ARTICLE, None),
        ("", None),
        ("<!--googleoff: all-->", ""),
    ],
)
def test_what_a_search_engine_is_told_to_leave_out_is_discarded(page, expected):
    assert labels(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"{MENU}{BEGIN}{ARTICLE}<!-- InstanceEndEditable -->{MENU}", "oohtttoo"),
        (f"{MENU}<!-- InstanceBeginEditable  NAME=Body (1) -->{ARTICLE}", "oohttt"),
        (f"{MENU}<!-- InstanceBeginEditable name=bodyguard -->{ARTICLE}", None),
        (f"<!-- InstanceEndEditable -->{MENU}<!--InstanceBeginEditable name=body-->{ARTICLE}",
         "oohttt"),
    ],
)  # fmt: skip
def test_any_pair_of_markers(page, expected):
    assert labels(page, CONTENT) == expected


BLOG = Markers("<div class='post-body entry-content'>", "<div class='post-footer'>")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"{MENU}<div class='post-body entry-content'>{ARTICLE}</div><div class=post-footer>by me",
         "oohttto"),
        (f"<DIV id=p CLASS='x entry-content post-body'>{ARTICLE}<div class='post-footer y'>by",
         "httto"),
        (f"<div class=post-body>{ARTICLE}</div>", None),
        (f"<p class='post-body entry-content'>{ARTICLE}", None),
        (f"<!-- <div class='post-body entry-content'> -->{ARTICLE}", None),
        (f"<svg><div class='post-body entry-content'></svg>{ARTICLE}", None),
    ],
)  # fmt: skip
def test_tags_as_markers(page, expected):
    assert labels(page, BLOG) == expected


def test_markers_by_attributes_ends_of_elements_and_written_comments():
    by_id = Markers("<main id=content lang='en  GB'>", "</main>")
    assert (
        labels(f"{MENU}<main id=content lang='en gb'>{ARTICLE}</main>{MENU}", by_id) == "oohtttoo"
    )
    assert labels(f"{MENU}<main id=other lang='en gb'>{ARTICLE}</main>", by_id) is None
    written = Markers("<!-- content -->", "<!--content ends-->")
    assert (
        labels(f"{MENU}<!--content-->{ARTICLE}<!-- content ends -->{MENU}", written) == "oohtttoo"
    )


def test_the_tag_with_more_in_common_is_meant():
    pair = Markers("<div class=post>", "<div class='post footer'>")
    assert labels("<div class='post a'>a</div><div class='post footer'>b</div>", pair) == "to"


def test_what_is_enclosed_may_be_discarded():
    pair = Markers("<nav>", "</nav>", kept=False)
    assert labels(f"<p>a<nav>{MENU}</nav>{ARTICLE}", pair) == "toohttt"


def test_the_first_pair_that_is_there_counts():
    page = f"<!--googleoff: all-->{MENU}<!--googleon: all--><!--begin-->{ARTICLE}<!--end-->{MENU}"
    assert labels(page, CONTENT, GOOGLE) == "oohttttt"
    assert labels(page, Markers("begin", "end"), GOOGLE) == "oohtttoo"


def test_the_longer_of_two_markers_is_meant():
    pair = Markers("content", "content end")
    assert labels("<!--content--><p>a</p><!--content end--><p>b", pair) == "to"
    reverse = Markers("content begin", "content")
    assert labels("<!--content begin--><p>a</p><!--content--><p>b", reverse) == "to"


def test_a_segment_on_both_sides_is_unlabelled():
    page = "<p>Bees fly<!--googleoff: all--> about us<!--googleon: all--><p>Hives<p>"
    assert labels(page) == "?t"
    assert labels("<p>Bees<!--googleoff: all--> <!--googleon: all-->fly") == "t"


def test_comments_inside_what_is_dropped_say_nothing_of_its_text():
    page = "<script>var a = '<!-- googleoff: all -->';</script><p>Bees</p>"
    assert labels(page) is None


def test_a_labelled_page_is_as_any_other():
    html = f"<!--googleoff: all-->{MENU}<!--googleon: all-->{ARTICLE}".encode()
    page = read_template("bees", html, site="example.org")
    assert (page.id, page.site, page.html) == ("bees", "example.org", html)
    assert len(page.labels) == len(page.hashes) == len(canonical_table(html).segments)
    assert read_template("bees", ARTICLE.encode()) is None


@pytest.mark.parametrize(
    ("begin", "end"),
    [("", "end"), ("begin", " "), ("a  b", "A b"), ("<p class='a b'>", "<P class='b a'>")],
)
def test_markers_have_to_be_different_texts(begin, end):
    with pytest.raises(CorpusError, match="do not tell where content begins"):
        Markers(begin, end)


@pytest.mark.parametrize("begin", ["<div", "< div>", "<>"])
def test_markup_has_to_be_a_tag_or_comment(begin):
    with pytest.raises(CorpusError, match="is no tag or comment"):
        Markers(begin, "end")
