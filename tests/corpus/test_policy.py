"""What a gold standard decides otherwise than the labelling policy is don't-care."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.corpus.gold import GoldPage, label_page
from victor.corpus.pages import from_letters, to_letters
from victor.corpus.policy import RULES, entries, judge
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

ROOT = Path(__file__).parents[2]
ROWS = tables(__file__)
_PART = re.compile(r"\{([^{}]*?)(?:\*(\d+))?\}")


def filled(written):
    """A page of the table, with its parts."""
    while match := _PART.search(written):
        text = match[1] * int(match[2]) if match[2] else ROWS["parts"][match[1]]
        written = written[: match.start()] + text + written[match.end() :]
    return written


def judged(page, labels, **options):
    """Letters of the segments of a page by the policy."""
    table = parse_pages([page])
    values = from_letters(labels.ljust(len(table.block_of_segment), labels[-1]))
    result, _ = judge(table, values, **{"page_type": None, **options})
    return to_letters(result)


@pytest.mark.parametrize(("page", "gold", "policy", "options"), ROWS["judged"])
def test_what_the_policy_decides(page, gold, policy, options):
    found = judged(filled(page), gold, **options)
    assert found == policy.ljust(len(found), policy[-1])


KINDS = ("headline", "byline", "text", "tags", "post-meta", "caption", "comment", "pullquote")
STORY = "The ferry carried its first passengers on Monday, nine weeks after it had stopped."
PARTS = "".join(f"<p>{kind} {STORY}</p>" for kind in KINDS)


@pytest.mark.parametrize(
    ("page_type", "labels"),
    [("article", "hotoo?o?"), ("recipe", "hotoo?o?"), ("social", "hotoo???"), (None, "hotoo???")],
)
def test_a_source_that_says_what_blocks_are_is_taken_at_its_word(page_type, labels):
    assert judged(PARTS, "??t???o?", kinds=KINDS, page_type=page_type) == labels


PAGE = filled("{headline}{long}{comments}").encode()


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


# --- lists of similar siblings --------------------------------------------------------------------


def lists_of(*pages, split="block"):
    pages = [page.encode() for page in pages]
    return entries(parse_pages(pages, split, attributes=("class",)))


def test_siblings_are_a_list():
    inner, outer = lists_of("<ul><li>one<li><a>two</a> and three<li>four five</ul><p>six seven")
    assert inner.size.tolist() == [3, 3, 3, 0]
    assert inner.words.tolist() == [2, 2, 2, 0]
    assert inner.link.tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 0])
    assert outer.size.tolist() == [0] * 4


@pytest.mark.parametrize(("page", "size"), ROWS["what_makes_a_list"])
def test_what_makes_a_list(page, size):
    assert lists_of(page, split="tag")[0].size.max() == size


def test_a_card_holds_several_blocks():
    card = "<div class=c><h3>a</h3><ul><li>b<li>c<li>d</ul></div>"
    inner, outer = lists_of(card * 3 + "<p>e")
    assert inner.words.tolist() == [4, 1, 1, 1] * 3 + [0]
    assert outer.words.tolist() == [4] * 12 + [0]


@pytest.mark.parametrize(("depth", "size"), [(9, 3), (10, 0)])
def test_only_the_nearest_ten_elements_are_looked_at(depth, size):
    around = "<div>" * depth, "</div>" * depth
    page = "".join(f"<section>{around[0]}{word}{around[1]}</section>" for word in "abc")
    assert lists_of(page)[0].size.tolist() == [size] * 3
