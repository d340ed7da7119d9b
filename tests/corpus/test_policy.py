"""What a gold standard decides otherwise than the labelling policy is don't-care."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.corpus.gold import GoldPage, label_page
from victor.corpus.policy import RULES, judge
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

ROOT = Path(__file__).parents[2]
LETTERS = {"h": Label.HEADER, "t": Label.TEXT, "o": Label.OTHER, "?": UNLABELLED}
STORY = "The ferry carried its first passengers on Monday, nine weeks after it had stopped."
TEXT = f"<p>{STORY}</p>"
LONG = f"<p>{f'{STORY} ' * 5}</p>"


def judged(page, labels, **options):
    """Letters of the segments of a page by the policy."""
    table = parse_pages([page])
    values = np.array([LETTERS[letter] for letter in labels], dtype=np.uint8)
    assert len(values) == len(table.block_of_segment)
    result, _ = judge(table, values, **{"page_type": None, **options})
    letters = {value: letter for letter, value in LETTERS.items()}
    return "".join(letters[value] for value in result.tolist())


@pytest.mark.parametrize(
    ("page", "gold", "policy"),
    [
        (f"<title>Ferry sails</title><h1>Ferry sails</h1>{TEXT}", "ot", "?t"),
        (f"<title>Ferry sails</title><h1>Ferry sails</h1>{TEXT}", "ht", "ht"),
        (f"<title>Ferry sails</title><h1>Ferry sails</h1>{TEXT}", "oo", "oo"),
        (f"<p>Home</p>{TEXT}", "ot", "ot"),
    ],
)
def test_a_headline_that_gold_leaves_out(page, gold, policy):
    assert judged(page, gold) == policy


@pytest.mark.parametrize(
    ("middle", "gold", "policy"),
    [
        (f"<h2>Sheep first</h2>{TEXT}", "tot", "t?t"),
        (f"<h2>Sheep first</h2>{TEXT}", "tht", "tht"),
        (f"<h2>Sheep first</h2>{TEXT}", "too", "too"),
        ("<h2>Sheep first</h2><h3>Ropes</h3><p>Yes", "toot", "to?t"),
        (f"<p>Sheep first</p>{TEXT}", "tot", "tot"),
        (f"<div class=comment><h4>Tom says</h4>{TEXT}</div>", "tot", "to?"),
    ],
)
def test_a_subhead_that_gold_leaves_out(middle, gold, policy):
    assert judged(f"{LONG}{middle}", gold) == policy


@pytest.mark.parametrize(
    ("page", "gold", "policy"),
    [
        (f"{TEXT}<h2>Ropes</h2><p>Old", "tho", "t?o"),
        (f"{TEXT}<h2>Ropes</h2><p>Old", "tht", "tht"),
        (f"{TEXT}<h2>Ropes</h2><h3>Old</h3><p>Yes", "thht", "thht"),
        (f"{TEXT}<h3>Ropes</h3><p>No</p><h2>Old</h2><p>Yes", "thoht", "t?oht"),
        (f"{TEXT}<p>Ropes</p><p>No</p><p>Old</p><p>Yes", "thoht", "t?oht"),
        ("<h2>Ropes</h2><p>No", "ho", "?o"),
    ],
)
def test_a_heading_that_heads_nothing(page, gold, policy):
    assert judged(page, gold) == policy


@pytest.mark.parametrize(
    ("part", "letter"),
    [
        ("<p class=byline>By Tilda Moss", "?"),
        ("<p>Down at the sea", "t"),
        ("<figure><figcaption>The old pier</figcaption></figure>", "?"),
    ],
)
def test_bylines_and_captions(part, letter):
    page = f"<title>Ferry sails</title><h1>Ferry sails</h1>{part}</p>{TEXT}"
    assert judged(page, "htt") == f"h{letter}t"


COMMENTS = f"<div class=comments>{TEXT}{TEXT}</div>"


@pytest.mark.parametrize(
    ("page_type", "policy"), [(None, "t??"), ("article", "t??"), ("forum", "ttt")]
)
def test_comments_are_kept_in_threads_alone(page_type, policy):
    assert judged(LONG + COMMENTS, "ttt", page_type=page_type) == policy


@pytest.mark.parametrize(
    ("page_type", "policy"), [(None, "too"), ("article", "too"), ("forum", "t??")]
)
def test_posts_that_gold_leaves_out(page_type, policy):
    assert judged(LONG + COMMENTS, "too", page_type=page_type) == policy


CODE = "<pre>sheep = count(ropes)</pre>"


@pytest.mark.parametrize(
    ("gold", "policy"),
    [("tot", "t?t"), ("oot", "oot"), ("too", "too"), ("ttt", "ttt")],
)
def test_listings_that_gold_leaves_out_between_kept_blocks(gold, policy):
    assert judged(TEXT + CODE + TEXT, gold) == policy


def test_listings_in_a_row_stand_between_the_blocks_around_them():
    assert judged(f"{TEXT}{CODE}{CODE}{TEXT}", "toot") == "t??t"
    assert judged(f"{TEXT}{CODE}<p>Menu</p>{TEXT}", "toot") == "toot"


def cards(n, *, words=10, linked=1):
    """Cards of a heading with links and a text, of so many words together."""
    link = f"<a href=x>{'name ' * linked}</a>" if linked else ""
    return f"<div><h3>{link}No</h3><p>{'word ' * (words - linked - 1)}</p></div>" * n


@pytest.mark.parametrize(
    ("page", "page_type", "is_kept"),
    [
        (cards(3), None, False),
        (cards(2), None, True),
        (cards(3, linked=0), None, True),
        (cards(3, linked=0), "listing", False),
        (cards(3), "article", True),
        (cards(3), "forum", True),
        (cards(3, words=80, linked=8), None, False),
        (cards(3, words=80, linked=7), None, True),
        (cards(3, words=81, linked=10), None, True),
        (f"<table><tr><td>{cards(3)}</table>", None, True),
        (f"<table><tr><td>{cards(3)}</table>", "front", False),
    ],
)
def test_cards_that_lead_to_other_pages(page, page_type, is_kept):
    n = len(parse_pages([page]).block_of_segment)
    letters = judged(TEXT + page, "t" * (n + 1), page_type=page_type)
    assert set(letters[1:]) == ({"t"} if is_kept else {"?"})
    assert letters[0] == "t"


def links(n, *, linked, free):
    return "<ul>" + f"<li><a href=x>{'name ' * linked}</a>{'word ' * free}" * n + "</ul>"


@pytest.mark.parametrize(
    ("page", "is_kept"),
    [
        (links(3, linked=2, free=2), False),
        (links(3, linked=2, free=3), True),
        (links(2, linked=2, free=0), True),
        (links(3, linked=30, free=0), False),
        (links(3, linked=31, free=0), True),
    ],
)
def test_lists_of_links(page, is_kept):
    n = len(parse_pages([page]).block_of_segment)
    letters = judged(TEXT + page, "t" * (n + 1), page_type="documentation")
    assert set(letters[1:]) == ({"t"} if is_kept else {"?"})


KINDS = ("headline", "byline", "text", "tags", "post-meta", "caption", "comment", "pullquote")
PARTS = "".join(f"<p>{kind} {STORY}</p>" for kind in KINDS)


@pytest.mark.parametrize(
    ("page_type", "labels"),
    [("article", "hotoo?o?"), ("recipe", "hotoo?o?"), ("social", "hotoo???"), (None, "hotoo???")],
)
def test_a_source_that_says_what_blocks_are_is_taken_at_its_word(page_type, labels):
    assert judged(PARTS, "??t???o?", kinds=KINDS, page_type=page_type) == labels


PAGE = f"<title>Ferry sails</title><h1>Ferry sails</h1>{LONG}{COMMENTS}".encode()


def test_gold_text_agrees_with_the_labels():
    gold = GoldPage("ferry", PAGE, gold="\n".join([*[STORY] * 7]))
    plain, score, changes = label_page(gold)
    assert plain.gold == gold.gold
    assert changes == Counter()
    page, score, changes = label_page(gold, by_policy=True)
    assert page.gold == "\n".join([STORY] * 5)
    assert score.f1 == 1
    assert changes == Counter(headline=1, comment=2)


def test_gold_text_of_labelled_blocks_gets_what_the_policy_keeps():
    table = parse_pages([PAGE])
    parts = [*zip((UNLABELLED, Label.TEXT, *[Label.OTHER] * 2), block_texts(table), strict=True)]
    kinds = ("headline", "text", "comment", "comment")
    gold = GoldPage("ferry", PAGE, gold=parts[1][1], labelled=tuple(parts), kinds=kinds)
    page, score, changes = label_page(gold, by_policy=True)
    assert page.gold.split("\n")[0] == "Ferry sails"
    assert score.f1 == 1
    assert changes["kind"] == 3


def test_the_documentation_has_every_rule():
    text = (ROOT / "docs/concepts/labelling-policy.md").read_text(encoding="utf-8")
    assert [*re.findall(r"^\| `([a-z][a-z-]+)` \| (.+?) \| ", text, re.MULTILINE)] == [
        (rule.name, rule.policy) for rule in RULES
    ]


@pytest.mark.parametrize(("believed", "labels"), [((), "tt?"), (("caption",), "tto")])
def test_a_rule_on_which_gold_decides(believed, labels):
    page = f"{TEXT}{TEXT}<figure><figcaption>The old ferry at its pier</figcaption></figure>"
    assert judged(page, "tto", believed=believed) == labels
