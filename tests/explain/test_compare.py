"""Differences between two systems, however each of them cuts the page."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.api import Cleaner
from victor.base.labels import Label
from victor.config.schema import Limits
from victor.explain.compare import compare
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

few = settings(max_examples=20, deadline=None, derandomize=True)


class Rule:
    """A labeler that keeps what a function of the text of a block says."""

    name = "rule"
    limits = Limits()

    def __init__(self, rule, split="block", **options):
        self._rule, self._split = rule, split
        self._alt_text = options.pop("alt_text", False)
        self._options = options

    def table(self, pages):
        return segment(record(pages, alt_text=self._alt_text), self._split, **self._options)

    def label(self, table, decision=None):
        labels = np.array([self._rule(text) for text in block_texts(table)], dtype=np.uint8)
        marginals = np.full((len(table), 3), 0.1)
        marginals[np.arange(len(table)), labels] = 0.8
        return Verdict(table, labels, marginals, "rule")


def clean(page, rule, *cut, **options):
    page = page.encode() if isinstance(page, str) else page
    return Cleaner(Rule(rule, *cut, **options)).clean(page)


def keep_all(_):
    return Label.TEXT


def drop_if(word):
    return lambda text: Label.OTHER if word in text else Label.TEXT


def rows(differences):
    return [(d.text, *d.kind) for d in differences]


PAGE = (
    "<h1>On bees</h1><p>Bees <b>live</b> here<p>Ads here<pre>a\nb</pre><img alt='A hive, old'>end"
)


def test_blocks_that_differ_with_their_probabilities():
    differences = compare(clean(PAGE, keep_all), clean(PAGE, drop_if("here")))
    assert rows(differences) == [("Bees live here", "text", "other"), ("Ads here", "text", "other")]
    assert [d.first.blocks for d in differences] == [(1,), (2,)]
    assert differences[0].first.probabilities == pytest.approx(
        {"header": 0.1, "text": 0.8, "other": 0.1}
    )
    assert differences[0].second.probabilities == pytest.approx(
        {"header": 0.1, "text": 0.1, "other": 0.8}
    )


def test_blocks_cut_at_every_tag_against_blocks_cut_at_some():
    differences = compare(clean(PAGE, keep_all), clean(PAGE, drop_if("live"), "tag"))
    assert rows(differences) == [("live", "text", "other")]
    assert (differences[0].first.blocks, differences[0].second.blocks) == ((1,), (2,))
    differences = compare(clean(PAGE, drop_if("live")), clean(PAGE, keep_all, "tag"))
    assert rows(differences) == [("Bees live here", "other", "text")]
    assert (differences[0].first.blocks, differences[0].second.blocks) == ((1,), (1, 2, 3))


def test_a_piece_ends_where_the_systems_agree():
    differences = compare(
        clean("<p>a one <b>two</b> three", keep_all),
        clean(
            "<p>a one <b>two</b> three", lambda t: Label.TEXT if t == "two" else Label.OTHER, "tag"
        ),
    )
    assert rows(differences) == [("a one", "text", "other"), ("three", "text", "other")]


def test_words_that_only_one_of_them_has_are_passed_over():
    page = "<img alt='A hive, old'><p>Bees live here"
    (found,) = compare(clean(page, keep_all), clean(page, drop_if("Bees"), "tag", alt_text=True))
    assert (found.text, found.first.blocks, found.second.blocks) == ("Bees live here", (0,), (1,))


@few
@given(
    data=st.data(),
    cuts=st.tuples(st.sampled_from(["tag", "block"]), st.sampled_from(["tag", "block"])),
)
def test_every_word_on_which_they_differ_is_in_one_difference(data, cuts):
    page = data.draw(strategies.page())
    wanted = [data.draw(st.integers(0, 7)) for _ in cuts]
    results = [
        clean(page, lambda t, w=w: Label((len(t) * 5 + w) % 3), cut)
        for w, cut in zip(wanted, cuts, strict=True)
    ]
    differences = compare(*results)
    assert all(d.first.label != d.second.label for d in differences)
    swapped = compare(*reversed(results))
    assert [d.kind[::-1] for d in swapped] == [d.kind for d in differences]
    if cuts[0] == cuts[1]:
        pairs = zip(*(result.blocks for result in results), strict=True)
        numbers = [i for i, (a, b) in enumerate(pairs) if a.label != b.label]
        assert [d.first.blocks for d in differences] == [(i,) for i in numbers]
        assert [d.second.blocks for d in differences] == [(i,) for i in numbers]
