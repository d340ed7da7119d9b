"""Kimatu on whole pages: a forum, a site, its configuration, and time."""

import numpy as np
import pytest

from victor.labelers import build_labeler
from victor.labelers.kimatu import for_site, labeler, repeats
from victor.labelers.kimatu.repeats import common_length
from victor.labelers.kimatu.settings import Settings
from victor.page.texts import block_texts
from victor.render.cleaneval import render

STORY = (
    "The mill stood empty for ten years, and then, one spring, two sisters came and bought it. ",
    "They knew nothing of flour, as they say now, but they knew about water, and they had time. ",
    "By autumn the wheel turned again; by winter there was bread, and people came to see it. ",
)
MENU = "<ul>" + "".join(f"<li><a href=x>Topic {n}</a>" for n in "abc") + "</ul>"
NOTICE = (
    "<div class=notice>We use small files, as all do, to see who you are, where you come from, "
    "and what you read; by reading on you agree, and if not, please, close this window.</div>"
)


def site_page(number):
    story = "".join(f"<p>{text * 2}" for text in STORY[number:])
    return f"{MENU}{NOTICE}<h1>The mill {number}</h1><div>{story}</div>".encode()


def clean(system, page):
    return render(system.label(system.table([page])), 0)


def test_quotes_function_lines_and_menus_of_a_forum_go(forum):
    lines = clean(build_labeler("kimatu"), forum).splitlines()
    assert [line[:25] for line in lines] == [
        "<h>Leaking skylight after",
        "<p>Since last autumn our ",
        "<p>An hour is a long time",
        "<p>Before you climb up th",
        "<p>Thank you both. The ca",
    ]


def test_quotes_are_relevant_by_themselves(forum):
    text = clean(build_labeler("kimatu", overrides=["quotes.similarity=1"]), forum)
    assert text.count("always at the same corner") == 2
    assert text.count("<p>") == 7


def test_function_lines_of_a_forum_go_for_what_they_are(forum):
    easy = ["sure=-1", "far.times=99", "quotes.similarity=1"]
    assert "Posted by" not in clean(build_labeler("kimatu", overrides=easy), forum)
    assert "Posted by" in clean(
        build_labeler("kimatu", overrides=[*easy, "functions.words=0"]), forum
    )


def test_what_repeats_a_function_line_is_no_quote():
    lines = "".join(f"<li>Posted by {name} on 3 May</li>" for name in ("Ann", "Bo", "Cy"))
    page = f"{lines}<p>{STORY[0]}<h5>Posted by Ann on 3 May</h5>".encode()
    assert clean(build_labeler("kimatu", overrides=["sure=-3"]), page).count("Posted by") == 1


def test_headers_paragraphs_and_lists_are_marked():
    page = "<h2>How to</h2>" + f"<p>{STORY[0] * 3}<ul>" + "".join(f"<li>{s * 2}" for s in STORY)
    output = clean(build_labeler("kimatu"), page.encode())
    assert [line[:3] for line in output.splitlines()] == ["<h>", "<p>", "<l>", "<l>", "<l>"]


def test_texts_frequent_on_a_site_are_less_relevant():
    pages = [site_page(n) for n in range(3)]
    settings = Settings()
    alone = clean(labeler(settings), pages[0])
    known = clean(for_site(settings, pages), pages[0])
    assert "We use small files" in alone
    assert "We use small files" not in known
    assert "The mill stood empty" in known


@pytest.mark.parametrize(
    ("pages", "share", "expected"),
    [(3, 0.5, False), (4, 0.5, True), (3, 0.75, False), (3, 0.76, True)],
)
def test_frequent_is_on_many_pages_and_on_a_share(with_, pages, share, expected):
    """The notice is on three of four pages."""
    settings = with_({"site.pages": pages, "site.share": share})
    given = [site_page(n) for n in range(3)] + [b"<p>Nothing here"]
    assert ("We use small" in clean(for_site(settings, given), given[0])) is expected


def test_a_text_twice_on_a_page_is_on_one_page(with_):
    twice = site_page(0).replace(NOTICE.encode(), NOTICE.encode() * 3)
    given = [twice, b"<p>Nothing here"]
    output = for_site(with_({"site.pages": 2}), given)
    assert "We use small" in clean(output, site_page(0))


def test_evidence_of_a_site_has_a_weight(with_):
    pages = [site_page(n) for n in range(3)]
    settings = with_({"site.weight": 0.0})
    assert clean(for_site(settings, pages), pages[0]) == clean(labeler(settings), pages[0])


def test_more_relevant_areas_are_kept_more_surely(forum):
    system = build_labeler("kimatu")
    verdict = system.label(system.table([forum]))
    keep = 1 - verdict.marginals[:, 2]
    text = block_texts(verdict.table)
    posts = [keep[n] for n, t in enumerate(text) if t.startswith(("Since last", "Thank you"))]
    menu = keep[text.index("Home")]
    quote = next(keep[n] for n, t in enumerate(text) if t.startswith("The drip appears"))
    assert menu < quote < 0.5 < min(posts)


@pytest.mark.slow
def test_a_long_page_takes_few_comparisons(monkeypatch):
    calls = []
    monkeypatch.setattr(
        repeats,
        "common_length",
        lambda a, b: calls.append((len(a), len(b))) or common_length(a, b),
    )
    rng = np.random.default_rng(5)
    words = np.array(["oak", "elm", "ash", "fir", "yew"])
    body = "".join(
        f"<p class=c{n % 7}>{' '.join(words[rng.integers(0, 5, 40)])}, and so it goes.</p>"
        for n in range(3000)
    )
    system = build_labeler(
        "kimatu", overrides=["quotes.pair_cap=50", "quotes.word_cap=20", "sure=-3"]
    )
    system.label(system.table([body.encode()] * 2))
    assert len(calls) == 100
    assert max(max(call) for call in calls) == 20
