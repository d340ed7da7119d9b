"""Every kind on small pages, and on the tables of all labelers."""

import numpy as np
import pytest

from victor.api import Cleaner
from victor.base.labels import KIND_NAMES, Kind, Label
from victor.kinds.kinds import Kinds, with_kinds
from victor.labelers.labeler import LABELERS, build_labeler
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS
from victor.page.table.segment import parse_pages, segment
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

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


def test_comments_in_code_are_code():
    code = f"<pre><span class=comment>{PROSE}</span></pre>"
    assert kinds_of(f"{LONG}{code}")[PROSE.strip()] == "code"


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


# --- Text by the element that it stands in --------------------------------------------------------


def kinds_of_kept(markup):
    """Text to kind, if all is kept."""
    table = parse_pages([markup], attributes=ATTRIBUTES)
    codes = Kinds(table, np.full(len(table), Label.TEXT, dtype=np.uint8)).codes
    return dict(zip(block_texts(table), (KIND_NAMES[code] for code in codes), strict=True))


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<p>bees</p>", "text"),
        ("<ul><li>bees</ul>", "item"),
        ("<ul><li><p>bees</p></ul>", "item"),
        ("<dl><dd>bees</dl>", "item"),
        ("<blockquote><p>bees</p></blockquote>", "quote"),
        ("<blockquote><ul><li>bees</ul></blockquote>", "item"),
        ("<ul><li><blockquote>bees</blockquote></ul>", "quote"),
        ("<div class=bbcode_quote>bees</div>", "quote"),
        ("<blockquote class=postcontent>bees</blockquote>", "text"),
        ("<pre>bees</pre>", "code"),
        ("<ul><li><pre><code>bees</code></pre></ul>", "code"),
        ("<p><code>bees</code></p>", "code"),
        ("<p>the <code>bees</code></p>", "text"),
        ("<p><code>bees</code> fly</p>", "text"),
        ("<ul><li><code>bees</code></ul>", "item"),
    ],
)
def test_text_is_of_the_innermost_element(markup, kind):
    assert [*kinds_of_kept(markup).values()] == [kind]


ROWS = "<tr><th>Hive<th>Bees</tr><tr><td>North<td>400</tr><tr><td>South<td><ul><li>300</ul></tr>"


def test_cells_are_those_of_tables_of_data():
    table = parse_pages([f"<table>{ROWS}</table>" * 2], attributes=ATTRIBUTES)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    is_data = np.zeros(len(table.elements), dtype=bool)
    is_data[np.flatnonzero(table.elements.tag == IDS["table"])[0]] = True
    of_data, laid_out = np.split(Kinds(table, labels, is_data).codes, 2)
    assert of_data.tolist() == [Kind.CELL] * 5 + [Kind.ITEM]
    assert laid_out.tolist() == [Kind.TEXT] * 5 + [Kind.ITEM]
    assert Kind.CELL not in Kinds(table, labels).codes


ALTERNATIVES = ("filters.non_link_images=true", "filters.alt_for_images=true")


@pytest.mark.parametrize(
    ("labeler", "overrides"),
    [("none", ()), ("dom", ()), ("dom", ALTERNATIVES)],
)
def test_cells_are_those_of_the_tables_that_are_written(labeler, overrides):
    """Whatever the labeler records; images with a text are two tags for some."""
    prose = "<p>" + "The hives stand in the north and in the south of the old orchard. " * 9
    rows = "".join(f"<tr><td>Hive {n}<td>{n}00<td>{n}5.5" for n in range(1, 9))
    of_data = f"<table border=1><tr><th>Hive<th>Bees<th>Honey</tr>{rows}</table>"
    laid_out = f"<table><tr><td>{prose}<td>{prose}<tr><td>Up<td>{prose}</table>"
    images = "<img src=a.png alt='a bee'>"
    page = f"{images}{prose}<br>{laid_out}{images}{prose}{of_data}{prose}{laid_out}{prose}"
    result = Cleaner(build_labeler(labeler, overrides=overrides)).clean(page)
    cells = [block.text for block in result.blocks if block.kind == "cell"]
    verdict, _ = result.in_batch
    inside = verdict.tables.is_data[verdict.table.elements.innermost(frozenset({"table"}))]
    written = [
        block.text
        for block, element in zip(result.blocks, verdict.table.element, strict=True)
        if inside[element] and block.kept
    ]
    assert len(written) == 27
    assert " ".join(cells) == " ".join(written)


# --- Blocks that are cut at every tag -------------------------------------------------------------


def kinds_of_pieces(table, page, labels):
    labels = np.array(labels, dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(labels), len(Label))), "by hand")
    return with_kinds(verdict, [page]).kinds.tolist()


@pytest.mark.parametrize(
    ("page", "labels", "kind"),
    [
        # A piece without words weighs as much as one of a word; of equals the header counts.
        (b"<p>-", [Label.TEXT], Kind.TEXT),
        (b"<p>bees <b>-</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>- <b>bees</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>bees <b>fly</b>", [Label.HEADER, Label.TEXT], Kind.HEADING),
        (b"<p>bees <b>fly home</b>", [Label.HEADER, Label.TEXT], Kind.TEXT),
    ],
)
def test_the_label_of_most_words_counts_for_all_pieces_of_a_paragraph(page, labels, kind):
    table = segment(record([page], attributes=ATTRIBUTES), "tag")
    assert kinds_of_pieces(table, page, labels) == [kind] * len(labels)


def test_what_only_a_labeler_reads_has_no_kind():
    page = b"<p><img alt='a bee'>"
    table = segment(record([page], alt_text=True), "tag")
    assert kinds_of_pieces(table, page, [Label.TEXT]) == [Kind.OTHER]


def test_what_only_a_labeler_reads_goes_with_the_first_paragraph_behind_it():
    page = b"<p><img alt='a bee'><p>bees fly<p>wasps"
    table = segment(record([page], alt_text=True), "tag")
    expected = [Kind.TEXT, Kind.TEXT, Kind.OTHER]
    assert kinds_of_pieces(table, page, [Label.TEXT, Label.TEXT, Label.OTHER]) == expected
