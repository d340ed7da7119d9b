"""Pages that are lists of other pages, and pages that only have lists."""

from dataclasses import dataclass

import numpy as np
import pytest

from victor.api import Cleaner
from victor.config import Scope
from victor.kinds.extent import Extent
from victor.kinds.lists import Lists
from victor.labelers.rules import RuleLabeler
from victor.page.table.segment import parse_pages

WORDS = "the old ferry sails from the pier to the far island with sheep and hens".split()


def text(n, end="."):
    """So many words."""
    return " ".join(WORDS[i % len(WORDS)] for i in range(n)) + end


def teaser(i):
    return (
        f"<div class=post><h2><a href=/{i}>Ferry number {i} sails again</a></h2>"
        f"<p>{text(18, '…')} <a href=/{i}>Read more</a></div>"
    )


def card(i):
    return f"<li class=card><a href=/p/{i}><img src={i}.png>Rope of {i} metres</a> <b>{i}.50 €</b>"


def result(i):
    return (
        f"<div class=r><a href=/{i}>Result {i}: piers and ferries</a><br>{text(12, ' ...')}</div>"
    )


def post(i):
    return (
        f"<div class=post><b><a href=/user/{i}>Sailor{i}</a></b> <i>3 May 2020</i>"
        f"<p>{text(30)}<p>{text(22)}</div>"
    )


LISTS = {
    "front page": "<h1>The Island News</h1>" + "".join(map(teaser, range(9))),
    "shop": "<h1>Ropes</h1><ul>" + "".join(map(card, range(12))) + "</ul>",
    "results": "<p>12 results" + "".join(map(result, range(12))),
    "directory": "<h1>Links</h1><ul>"
    + "".join(f"<li><a href=/{i}>Pier number {i}</a>" for i in range(20))
    + "</ul>",
}
TEXTS = {
    "article with bullets": f"<h1>On ferries</h1><p>{text(60)}<p>{text(50)}<ul>"
    + "".join(f"<li>A <a href=/{i}>rope</a> of {i} metres" for i in range(6))
    + f"</ul><p>{text(40)}",
    "recipe": f"<h1>Fish soup</h1><p>{text(30)}<ul>"
    + "".join(f"<li>{i} spoons of salt" for i in range(2, 12))
    + "</ul><ol>"
    + "".join(f"<li>{text(14)}" for _ in range(6))
    + "</ol>",
    "thread": "<h1>Which ferry?</h1>" + "".join(map(post, range(8))),
    "glossary": "<h1>Words</h1><dl>"
    + "".join(f"<dt>Word {i}<dd>{text(15)}" for i in range(12))
    + "</dl>",
    "calendar": "<h1>Calendar</h1>"
    + "".join(f"<div><h3>{i}. 6.</h3><p>{text(25)}</div>" for i in range(1, 9)),
    "reference": "<h1>Functions</h1><dl>"
    + "".join(f"<dt><a href=#f{i}><code>f{i}</code></a><dd>{text(20)}" for i in range(12))
    + "</dl>",
}


@pytest.fixture(scope="module")
def everything():
    """A labeler that keeps all it sees."""
    return RuleLabeler("everything", lambda table: np.ones(len(table)))


@pytest.fixture
def dropped(everything):
    """Function: the text of a page without lists."""
    cleaner = Cleaner(everything, scope=Scope(lists="drop"))
    return lambda page: cleaner.clean(page).text


@pytest.mark.parametrize("name", LISTS)
def test_a_page_that_is_a_list_gives_nothing(dropped, name):
    assert not dropped(LISTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_lists_inside_a_text_stay(dropped, everything, name):
    assert dropped(TEXTS[name]) == Cleaner(everything).clean(TEXTS[name]).text


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_kept_unless_somebody_drops_them(everything, name):
    result = Cleaner(everything).clean(LISTS[name])
    assert result.text
    assert "scope" not in {block.reason for block in result.blocks}


def test_dropped_blocks_say_why(everything):
    result = Cleaner(everything, scope=Scope(lists="drop")).clean(LISTS["shop"])
    assert result.reason == "no-content"
    assert {block.reason for block in result.blocks} == {"scope"}


def test_an_introduction_stays_with_its_heading(dropped):
    introduction = f"<h2>About our ropes</h2><p>{text(45)}"
    page = "<ul>" + "".join(map(card, range(60))) + "</ul>" + introduction
    assert dropped(page) == f"About our ropes\n\n{text(45)}\n"


def test_a_headline_does_not_come_back_to_an_empty_page(everything):
    scope = Scope(name="article", lists="drop")
    page = "<title>The Island News</title>" + LISTS["front page"]
    assert not Cleaner(everything, scope=scope).clean(page).text


def test_what_a_list_embeds_is_not_recovered(everything):
    data = ", ".join(f'{{"@type": "Article", "articleBody": "{text(70)}"}}' for _ in range(3))
    page = f'<script type="application/ld+json">[{data}]</script>' + LISTS["shop"]
    assert not Cleaner(everything, scope=Scope(lists="drop")).clean(page).text


def test_a_page_is_judged_alike_alone_and_in_a_batch(everything):
    pages = [page.encode() for page in (*LISTS.values(), *TEXTS.values(), *LISTS.values())]
    cleaner = Cleaner(everything, scope=Scope(lists="drop"))
    together = [result.text for result in cleaner.clean_many([*pages, b""])]
    assert together == [*(cleaner.clean(page).text for page in pages), ""]


@dataclass(frozen=True)
class Tags(RuleLabeler):
    """A labeler that cuts pages at every tag, and reads no names."""

    def table(self, pages):
        """The blocks."""
        return parse_pages(pages, "tag")


def test_labelers_of_other_cuts_drop_lists():
    everything = Tags("everything", lambda table: np.ones(len(table)))
    cleaner = Cleaner(everything, scope=Scope(lists="drop"))
    assert not cleaner.clean(LISTS["front page"]).text
    assert cleaner.clean(TEXTS["thread"]).text == Cleaner(everything).clean(TEXTS["thread"]).text


def lists(page):
    """What is measured of a page of which all is kept."""
    table = parse_pages([page.encode()], attributes=("class",))
    return Lists(Extent(table, np.ones(len(table), dtype=np.uint8)))


def record(words, link=True):
    linked = f"<a href=/>{WORDS[0]}</a>" if link else WORDS[0]
    return f"<div>{linked} {text(words - 1)}</div>"


@pytest.mark.parametrize(
    ("page", "is_list"),
    [
        (record(10) * 3, True),
        (record(10) * 2, False),
        (record(80) * 3, True),
        (record(81) * 3, False),
        (record(10) * 7 + record(10, link=False) * 3, True),
        (record(10) * 6 + record(10, link=False) * 3, False),
    ],
)
def test_records(page, is_list):
    assert set(lists(page).in_records.tolist()) == {is_list}


def test_records_are_alike():
    page = "".join(f"<div class=c{i}><a href=/>one</a> two</div>" for i in range(4))
    assert not lists(page).in_records.any()


@pytest.mark.parametrize(("free", "is_link"), [(2, True), (3, False)])
def test_a_block_that_is_nearly_all_linked_is_a_link(free, is_link):
    page = f"<p><a href=/>{text(8, '')}</a> {text(free)}"
    assert lists(page).links.tolist() == [is_link]


@pytest.mark.parametrize(
    ("words", "stays"),
    [((25, 25), True), ((24, 24), False), ((40,), True), ((39,), False)],
)
def test_how_long_a_text_beside_a_list_is(words, stays):
    page = "".join(f"<p>{text(n)}" for n in words)
    assert set(lists(page).text.tolist()) == {stays}


@pytest.mark.parametrize(
    ("above", "stays"),
    [("<h2>Ferries</h2>", True), ("<h2><a href=/>Ferries</a></h2>", False)],
)
def test_a_text_below_a_linked_heading_leads_elsewhere(above, stays):
    assert lists(f"{above}<p>{text(50)}").text.tolist() == [stays, stays]


@pytest.mark.parametrize(
    ("end", "is_sentence", "is_cut"),
    [
        (".", True, False),
        (".”", True, False),
        ("!»", True, False),
        ("。", True, False),
        ("", False, False),
        ("...", False, True),
        ("…)", False, True),
        ("[…]", False, True),
        (" »", False, True),
        (" →", False, True),
    ],
)
def test_how_texts_end(end, is_sentence, is_cut):
    measured = lists(f"<p>The ferry sails{end}")
    assert measured.ends_sentence.tolist() == [is_sentence]
    assert measured.cut_off.tolist() == [is_cut]


def test_few_blocks_make_no_list():
    """Five more blocks, of no list, are thought beside those of the page."""
    one, five = (lists("<h2><a href=/>Ferries</a></h2>" * n).measures for n in (1, 5))
    assert (one["linked-headings"], one["listed"]) == (1 / 6, 1 / 6)
    assert (five["linked-headings"], five["listed"]) == (5 / 10, 5 / 10)


@pytest.mark.parametrize(
    ("meta", "says_so"),
    [
        ("<meta property=og:type content=article>", 1.0),
        ("<meta property=article:published_time content=2020-05-03>", 1.0),
        ("<meta property=og:type content=website>", 0.0),
    ],
)
def test_a_page_may_say_that_it_is_an_article(meta, says_so):
    assert lists(f"{meta}<p>Ferries").measures["says-article"].tolist() == [says_so]


def test_the_largest_article():
    page = "<article><p>one two three</article><article><p>four</article><p>five"
    assert lists(page).measures["one-article"].tolist() == [3 / 5]
