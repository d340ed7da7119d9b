"""What labelers suggest for the blocks that an annotator sees, and the order of the queue."""

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.annotate.suggestions import Suggestion, disagreement, suggest, uncertainty
from victor.api import Cleaner
from victor.base.labels import Label
from victor.config.schema import Limits
from victor.corpus.pages import from_letters
from victor.errors import PageError
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

PAGE = (
    b"<nav><a href=/>Home</a> <a href=/x>More</a></nav><h1>The <i>bees</i></h1>"
    b"<p>They <b>fly</b> far away.<p><img alt='A bee on a leaf'>They come home.<pre>one\n\ntwo"
    b"</pre>"
)


def table_of(page):
    return segment(record([page]), "block")


@dataclasses.dataclass(frozen=True)
class FromText:
    """Labels whatever it cuts by the words in it."""

    split: str = "block"
    alt_text: bool = False
    pre_lines: bool = False
    kept: str = "They"

    name = "from-text"
    limits = Limits()
    decision = build_labeler("none").decision
    presets = MappingProxyType({})

    @property
    def canonical(self):
        return not (self.alt_text or self.pre_lines)

    def table(self, pages):
        return segment(record(pages, alt_text=self.alt_text), self.split, pre_lines=self.pre_lines)

    def label(self, table, decision=None):
        keep = [0.9 if self.kept in text else 0.2 for text in block_texts(table)]
        labeler = RuleLabeler(self.name, lambda _: np.array(keep))
        return labeler.label(table, decision)


class TestSuggest:
    def test_one_letter_and_confidence_per_block(self):
        suggestion = suggest(FromText(), PAGE)
        assert suggestion.labels == "ohtto"  # the guidelines keep the headline
        assert suggestion.confidence.tolist() == [80, 86, 90, 90, 80]
        assert suggestion.confidence.dtype == np.uint8

    def test_a_labeler_that_cuts_at_every_tag(self):
        # One of the four words of the block is kept.
        suggestion = suggest(FromText(split="tag"), PAGE)
        assert suggestion.labels == "ohoto"
        by_words = [0.9, 0.2, 0.2, 0.2]
        assert suggestion.marginals[2, Label.TEXT] == pytest.approx(np.mean(by_words))
        assert suggestion.confidence[2] == round(100 * (1 - np.mean(by_words)))

    def test_a_page_without_text(self):
        suggestion = suggest(FromText(split="tag", alt_text=True), b"<img alt='They'>")
        assert suggestion.labels == ""
        assert uncertainty(suggestion) == 0.0
        assert suggestion.marginals.shape == (0, 3)

    @pytest.mark.parametrize("limits", [{"bytes": 9}, {"blocks": 1}])
    def test_pages_beyond_the_limits(self, limits):
        """The error says what to do, as that of cleaning does."""
        labeler = dataclasses.replace(build_labeler("none"), limits=Limits(**limits))
        (name,) = limits
        with pytest.raises(PageError, match=rf"raise limits\.{name}") as suggested:
            suggest(labeler, PAGE)
        with pytest.raises(PageError) as cleaned:
            Cleaner(labeler).clean(PAGE)
        assert suggested.value.args == cleaned.value.args


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(data=st.data())
def test_any_way_of_cutting_gives_one_suggestion_a_block(data):
    page = data.draw(strategies.page())
    labeler = FromText(
        split=data.draw(st.sampled_from(("tag", "block"))),
        alt_text=data.draw(st.booleans()),
        pre_lines=data.draw(st.booleans()),
        kept="bees",
    )
    suggestion = suggest(labeler, page)
    table = table_of(page)
    assert (
        len(suggestion.labels) == len(suggestion.confidence) == len(suggestion.words) == len(table)
    )
    if labeler.split == "block":
        for label, text in zip(suggestion.labels, block_texts(table), strict=True):
            assert (label != "o") == ("bees" in text) or not labeler.canonical


def made(labels, confidence, words=None):
    chosen = from_letters(labels)
    marginals = np.full((len(labels), 3), 0.0)
    marginals[np.arange(len(labels)), chosen] = np.array(confidence) / 100
    words = np.array(words or [1.0] * len(labels))
    return Suggestion(labels, np.array(confidence, np.uint8), marginals, words)


class TestOrders:
    def test_uncertainty_is_the_expected_share_of_wrong_words(self):
        assert uncertainty(made("to", [100, 100])) == 0.0
        assert uncertainty(made("to", [50, 100])) == pytest.approx(0.25)
        assert uncertainty(made("to", [50, 100], [9, 1])) == pytest.approx(0.45)

    def test_disagreement_is_the_share_of_words(self):
        first, second = made("tho", [9, 9, 9], [1, 2, 5]), made("hto", [9, 9, 9])
        assert disagreement(first.labels, second.labels, first.words) == 0.0
        assert disagreement(first.labels, "too", first.words) == pytest.approx(2 / 8)
