"""Every kind on small pages, and on the tables of all labelers."""

import numpy as np
import pytest

from victor.api import Cleaner
from victor.base.labels import KIND_NAMES, Kind, Label
from victor.kinds.kinds import Kinds
from victor.labelers import LABELERS, build_labeler
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

PROSE = (
    "The bees left their hive on Tuesday and came back on Friday without a word of explanation. "
)
LONG = f"<p>{PROSE * 5}</p>"


def kinds_by_label(table, labels):
    """Kinds of the blocks of a table."""
    return Kinds(table, labels).codes


def kinds_of(markup, labels=None):
    """Text to kind of the blocks of a page; what has ten words outside headings is kept."""
    table = parse_pages([markup], attributes=ATTRIBUTES)
    if labels is None:
        kept = (table.free_words >= 10) & (table.heading_level == 0)
        labels = np.where(kept, Label.TEXT, Label.OTHER).astype(np.uint8)
    codes = kinds_by_label(table, labels)
    return dict(zip(block_texts(table), (KIND_NAMES[code] for code in codes), strict=True))


def test_a_headline_is_the_block_most_like_the_title():
    site = "<meta property=og:site_name content='Hive News'>"
    title = f"<title>Bees on strike - Hive News</title>{site}"
    found = kinds_of(f"{title}<h1>Hive News</h1><h2>Bees on strike</h2>{LONG}")
    assert found["Bees on strike"] == "headline"
    assert found["Hive News"] == "other"


def test_a_headline_needs_no_heading_and_no_title_needs_a_headline():
    assert kinds_of(f"<title>Bees on strike</title><div>Bees on strike</div>{LONG}") == {
        "Bees on strike": "headline",
        (PROSE * 5).strip(): "text",
    }
    assert "headline" not in kinds_of(f"<title>Bees on strike</title><p>Menu</p>{LONG}").values()


@pytest.mark.parametrize(("text", "kind"), [("-", "other"), ("Wasps", "headline")])
def test_a_headline_has_a_word(text, kind):
    assert kinds_of(f"<title>Bees on strike</title><h1>{text}</h1>{LONG}")[text] == kind


@pytest.mark.parametrize(("n_words", "kind"), [(50, "headline"), (51, "other")])
def test_a_headline_has_fifty_words_at_most(n_words, kind):
    text = " ".join(["Bees"] * n_words)
    assert kinds_of(f"<title>{text}</title><h1>{text}</h1>{LONG}")[text] == kind


def test_of_two_the_headline_is_the_one_outside_menus():
    menu = "<nav><a>Bees on strike</a></nav>"
    markup = f"<title>Bees on strike</title>{menu}<h1>Bees on strike</h1>{LONG}"
    table = parse_pages([markup], attributes=ATTRIBUTES)
    codes = kinds_by_label(table, np.array([Label.OTHER, Label.OTHER, Label.TEXT], dtype=np.uint8))
    assert codes.tolist() == [Kind.OTHER, Kind.HEADLINE, Kind.TEXT]


COMMENTS = (
    "<section id=comments><h3>2 comments</h3><div class=comment><b>Ann says:</b><p>What a nice "
    "story about the bees, I could read it again and again!</p><a>Reply</a></div>"
    "<form><label>Your name</label></form></section>"
)


def test_comments_and_what_belongs_to_them():
    found = kinds_of(f"<h1>Bees</h1>{LONG}{COMMENTS}")
    assert found["What a nice story about the bees, I could read it again and again!"] == "comment"
    for text in ("2 comments", "Ann says:", "Reply", "Your name"):
        assert found[text] == "other", text


REPLIES = "".join(f"<div class=comment><p>{PROSE}</p></div>" for _ in range(9))
POST = "<p>Why do my bees leave their hive again and again, and what can I do?</p>"


def labelled_kinds(markup):
    table = parse_pages([markup], attributes=ATTRIBUTES)
    labels = np.where(table.words > 8, Label.TEXT, Label.OTHER).astype(np.uint8)
    return [KIND_NAMES[code] for code in kinds_by_label(table, labels)]


@pytest.mark.parametrize(
    "sign",
    [
        "<body class=viewtopic>",
        "<html id=xf><body><div class=thread-view>",
        "<meta name=generator content='Discourse 3.4'><body>",
        "<body itemscope itemtype='https://schema.org/QAPage'>",
        '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script><body>',
    ],
)
@pytest.mark.parametrize("before", [POST, f"<p>{PROSE * 20}</p>"])
def test_what_is_kept_in_a_thread_is_its_text(sign, before):
    assert labelled_kinds(f"{sign}<h1>Bees</h1>{before}{REPLIES}")[1:] == ["text"] * 10


@pytest.mark.parametrize("before", [POST, f"<p>{PROSE * 20}</p>"])
@pytest.mark.parametrize("body", ["<body>", "<body class='post forum'>"])
def test_below_any_text_of_another_page_they_are_comments(body, before):
    found = labelled_kinds(f"{body}<h1>Bees</h1>{before}{REPLIES}")
    assert found[1:] == ["text"] + ["comment"] * 9


def test_a_text_in_an_element_called_comment_is_no_comment():
    page = f"<h1>Bees</h1><div class=commentOnSelection><nav>{POST}</nav>{POST}<p>{PROSE * 9}</div>"
    assert "comment" not in labelled_kinds(page)


def test_an_element_with_the_headline_is_no_comment():
    markup = f"<div class=comments-open><h1>Bees</h1>{LONG}<p>{PROSE}</p></div>"
    assert "comment" not in kinds_of(f"<title>Bees</title>{markup}").values()


def test_comments_in_code_are_code():
    code = f"<pre><span class=comment>{PROSE}</span></pre>"
    assert kinds_of(f"{LONG}{code}")[PROSE.strip()] == "code"


def test_a_menu_among_comments_is_none():
    found = kinds_of(
        f"{LONG}<div class=comments><p>Thanks!</p><footer><p>Imprint</p></footer></div>"
    )
    assert (found["Thanks!"], found["Imprint"]) == ("comment", "other")


def test_labels_make_text_and_headings():
    table = parse_pages(["<p>a<p>b<p>c"], attributes=ATTRIBUTES)
    labels = np.array([Label.HEADER, Label.TEXT, Label.OTHER], dtype=np.uint8)
    assert kinds_by_label(table, labels).tolist() == [Kind.HEADING, Kind.TEXT, Kind.OTHER]


def test_pages_of_a_batch_do_not_meet(annotated):
    pages = [page.html for page in annotated]
    table = parse_pages(pages, attributes=ATTRIBUTES)
    labels = np.where(table.words > 10, Label.TEXT, Label.OTHER).astype(np.uint8)
    together = kinds_by_label(table, labels)
    for number, page in enumerate(pages):
        blocks = slice(*table.page_starts[number : number + 2].tolist())
        alone = kinds_by_label(parse_pages([page], attributes=ATTRIBUTES), labels[blocks])
        assert together[blocks].tolist() == alone.tolist()


@pytest.mark.parametrize("pages", [[], [b""], [b"", b"<p>"]])
def test_pages_without_blocks(pages):
    table = parse_pages(pages, attributes=ATTRIBUTES)
    assert kinds_by_label(table, np.zeros(0, dtype=np.uint8)).tolist() == []


@pytest.mark.parametrize("name", sorted(LABELERS))
def test_every_labeler_has_kinds(name, page):
    result = Cleaner(build_labeler(name)).clean(page)
    found = {block.text: block.kind for block in result.blocks}
    assert found["Ferry to Skarne sails again after nine weeks"] == "headline"
    assert found["Well done."] == "comment"


def test_a_line_is_of_the_kind_of_the_block_that_it_begins_with(page):
    result = Cleaner(build_labeler("density", "density-paper")).clean(page)
    found = {block.text.split()[0]: block.kind for block in result.blocks}
    assert (found["Ferry"], found["New"], found["Ylva"]) == (
        "headline",
        "other",
        "other",
    )
