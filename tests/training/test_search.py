"""Search for constants on annotated pages."""

from typing import Literal

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.config import Section
from victor.corpus.pages import annotate, canonical_table
from victor.errors import CorpusError
from victor.labelers.rules import RuleLabeler
from victor.measures.words import word_score
from victor.render.text import render
from victor.training.search import replaced, search


class Lengths(Section, frozen=True):
    least: int = 0


class Rules(Section, frozen=True):
    labeler: Literal["rules"] = "rules"
    length: Lengths = Lengths()
    most: int = 99


def build(rules):
    def keep(table):
        kept = (table.words >= rules.length.least) & (table.words <= rules.most)
        return kept.astype(float)

    return RuleLabeler("rules", keep)


SPACE = {"length.least": (0, 2, 3, 5), "most": (99, 6, 4)}


def page(name, markup, gold):
    html = markup.encode()
    labels = np.zeros(len(canonical_table(html).segments), dtype=np.uint8)
    return annotate(name, html, labels, gold=gold)


@pytest.fixture(scope="module")
def pages():
    return [
        page("a", "<p>Home<p>three words here<p>four words are here<p>" + "long " * 9,
             "three words here four words are here"),
        page("b", "<p>Ann and Bo<p>Ann<p>Ann<p>go home", "Ann and Bo"),
        page("c", "<p>only<p>menus", ""),
        page("d", "<p>nobody knows", None),
    ]  # fmt: skip


def test_the_best_constants_are_found(pages):
    result = search(pages, Rules(), build, SPACE)
    assert (result.settings.length.least, result.settings.most) == (3, 6)
    assert result.score == 1.0
    assert result.start < 0.5
    assert search(pages, Rules(), build, SPACE) == result


def test_scores_are_those_of_the_word_measure(pages):
    for least in (0, 2, 3):
        rules = Rules(length=Lengths(least=least))
        system = build(rules)
        expected = [
            word_score(render(system.label(system.table([p.html])), 0), p.gold).f1
            for p in pages[:3]
        ]
        result = search(pages, rules, build, {})
        assert result.score == result.start == pytest.approx(np.mean(expected))


def test_blocks_that_nobody_could_label_do_not_count():
    html = b"<p>wanted text<p>doubtful text"
    labels = np.array([Label.TEXT, UNLABELLED], dtype=np.uint8)
    doubtful = annotate("doubtful", html, labels, gold="wanted text")
    assert search([doubtful], Rules(), build, {}).score == 1.0


def test_a_search_ends_when_nothing_changes(pages):
    tried = []
    result = search(pages, Rules(), build, SPACE, rounds=9, progress=tried.append)
    assert sum(tried) == result.tried < 4 * 3
    assert search(pages, Rules(), build, SPACE, rounds=0).settings == Rules()


def test_of_equal_constants_the_first_stays(pages):
    assert search(pages, Rules(), build, {"most": (98, 97)}).settings == Rules()


def test_pages_without_gold_text_are_no_use(pages):
    with pytest.raises(CorpusError, match="no page has a gold text"):
        search(pages[3:], Rules(), build, SPACE)


def test_one_constant_is_replaced():
    assert replaced(Rules(most=5), "length.least", 3) == Rules(length=Lengths(least=3), most=5)
