"""Kimatu on whole pages: a forum, a site, its configuration, and time."""

import numpy as np

from victor.labelers.kimatu import repeats
from victor.labelers.kimatu.repeats import common_length
from victor.labelers.labeler import build_labeler
from victor.page.table.texts import block_texts
from victor.render.cleaneval import render
from victor.render.forms import Page

STORY = (
    "The mill stood empty for ten years, and then, one spring, two sisters came and bought it. ",
    "They knew nothing of flour, as they say now, but they knew about water, and they had time. ",
    "By autumn the wheel turned again; by winter there was bread, and people came to see it. ",
)


def clean(system, page):
    return render(Page(system.label(system.table([page]))))


def test_quotes_function_lines_and_menus_of_a_forum_go(forum):
    lines = clean(build_labeler("kimatu"), forum).splitlines()
    assert [line[:25] for line in lines] == [
        "<h>Leaking skylight after",
        "<p>Since last autumn our ",
        "<p>An hour is a long time",
        "<p>Before you climb up th",
        "<p>Thank you both. The ca",
        "<p>Rules Contact All post",  # beside the last post, with a mark, and few links
    ]


def test_quotes_are_relevant_by_themselves(forum):
    text = clean(build_labeler("kimatu", overrides=["quotes.similarity=1"]), forum)
    assert text.count("always at the same corner") == 2
    assert text.count("<p>") == 8


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


def test_short_headers_in_bold_between_kept_paragraphs_are_kept():
    long = "".join(f"<p>{text * 4}" for text in STORY)
    page = f"{long}<p><b>Bread</b></p>{long}".encode()
    assert "<h>Bread" in clean(build_labeler("kimatu"), page).splitlines()


def test_headers_paragraphs_and_lists_are_marked():
    page = "<h2>How to</h2>" + f"<p>{STORY[0] * 3}<ul>" + "".join(f"<li>{s * 2}" for s in STORY)
    output = clean(build_labeler("kimatu"), page.encode())
    assert [line[:3] for line in output.splitlines()] == ["<h>", "<p>", "<l>", "<l>", "<l>"]


def test_more_relevant_areas_are_kept_more_surely(forum):
    system = build_labeler("kimatu")
    verdict = system.label(system.table([forum]))
    keep = 1 - verdict.marginals[:, 2]
    text = block_texts(verdict.table)
    posts = [keep[n] for n, t in enumerate(text) if t.startswith(("Since last", "Thank you"))]
    menu = keep[text.index("Home")]
    quote = next(keep[n] for n, t in enumerate(text) if t.startswith("The drip appears"))
    assert menu < quote < 0.5 < min(posts)


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
        f"<p class={'abcdefg'[n % 7]}>{' '.join(words[rng.integers(0, 5, 40)])}, so it goes.</p>"
        for n in range(3000)
    )
    system = build_labeler(
        "kimatu", overrides=["quotes.pair_cap=50", "quotes.word_cap=20", "sure=-3"]
    )
    system.label(system.table([body.encode()] * 2))
    assert len(calls) == 100
    assert max(max(call) for call in calls) == 20
