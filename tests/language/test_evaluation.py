"""Counting how often an identifier is right."""

import pytest

from victor.errors import CorpusError
from victor.language import UNDETERMINED, evaluate


class FirstWord:
    """Takes the first word of a line for its language."""

    languages = ("cs", "sk", "en")

    def identify(self, text):
        first = text.split()[0]
        rest = [(language, 0.0) for language in self.languages if language != first]
        return [(first, 1.0), *rest] if first in self.languages else rest


def test_confusion_counts_lines():
    lines = {"sk": ["sk", "sk", "cs", "cs", "cs", "en"], "cs": ["cs", "sk", "?", "cs"]}
    confusion = evaluate(FirstWord(), lines)
    assert confusion.true == ("sk", "cs")
    assert confusion.predicted == ("cs", "sk", "en", UNDETERMINED)
    assert confusion.counts.tolist() == [[3, 2, 1, 0], [2, 1, 0, 1]]
    assert confusion.accuracy == 4 / 10
    assert confusion.accuracy_of("sk") == pytest.approx(2 / 6)
    assert confusion.mistakes() == [
        ("sk", "cs", 3),
        ("sk", "en", 1),
        ("cs", "sk", 1),
        ("cs", UNDETERMINED, 1),
    ]


def test_a_language_without_a_profile_is_never_right():
    confusion = evaluate(FirstWord(), {"hu": ["cs", "en"], "en": ["en"]})
    assert confusion.accuracy_of("hu") == 0
    assert confusion.accuracy == pytest.approx(1 / 3)


@pytest.mark.parametrize("lines", [{}, {"cs": []}, {"cs": ["cs"], "sk": iter(())}])
def test_nothing_to_evaluate_on_is_refused(lines):
    with pytest.raises(CorpusError, match="evaluate on"):
        evaluate(FirstWord(), lines)


def test_both_methods_are_right_on_new_sentences(identifier, sentences):
    assert evaluate(identifier, sentences).accuracy == 1
