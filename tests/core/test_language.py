"""The compiled n-grams of texts against the Python path: the same languages and scores, exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import core
from victor.language import BeesleyIdentifier, CavnarIdentifier, load_profiles, train
from victor.language.words import Alphabet, composed_text, read_words

compiled = core.compiled
pytestmark = pytest.mark.skipif(compiled is None, reason="the compiled core is not there")

WORDS = "the quick brown fox naše řeka großer Straße щось було 漢字 ΑΒΓ eı́ ﬁn"
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="ab ", max_size=300),
    st.text(alphabet=WORDS + "\u0301\u0300\ud800\0_'’-1", max_size=200),
    st.lists(st.sampled_from(WORDS.split()), max_size=200).map(" ".join),
)
QUICK = settings(derandomize=True, deadline=None, max_examples=150)


@pytest.fixture(scope="module")
def profiles():
    return load_profiles()


@pytest.fixture(scope="module", params=[BeesleyIdentifier, CavnarIdentifier])
def identifiers(request, profiles):
    """Of the shipped profiles, and of two that share few letters."""
    few = [train("aa", ["ab ba aab abba"]), train("ru", ["вода и огонь"])]
    return request.param(profiles), request.param(few)


def on_both_paths(identifier, text):
    """What an identifier says of a text, compiled and not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", compiled)
        first = identifier.identify(text)
        patch.setattr(core, "compiled", None)
        return first, identifier.identify(text)


@QUICK
@given(text=TEXTS)
def test_random_texts_have_the_same_scores(identifiers, text):
    for identifier in identifiers:
        first, second = on_both_paths(identifier, text)
        assert first == second


def test_the_texts_of_pages_have_the_same_scores(identifiers, annotated):
    for page in annotated:
        text = page.html.decode("utf-8", "replace")
        for piece in (text, text.upper(), text[:1000]):
            first, second = on_both_paths(identifiers[0], piece)
            assert first == second


@pytest.mark.parametrize("size", [1, 3, 50, 100_000])
def test_ranked_lists_of_any_size_are_cut_alike(profiles, sizes_text, size):
    identifier = CavnarIdentifier(profiles[:3], size=size)
    first, second = on_both_paths(identifier, sizes_text)
    assert first == second


@pytest.fixture(scope="module")
def sizes_text(annotated):
    return annotated[0].html.decode("utf-8", "replace")


@QUICK
@given(text=TEXTS)
def test_a_table_of_all_code_points_gives_the_digits_of_words(text):
    alphabet = Alphabet("abcdeřщ")
    codes = np.frombuffer(composed_text(text).encode("utf-32-le", "surrogatepass"), np.uint32)
    digits = alphabet.digits(read_words([text]).letters)
    by_code = alphabet.digit_of_code[codes]
    assert digits[digits > 0].tolist() == by_code[by_code > 0].tolist()


class TestWrongArguments:
    """Arrays that do not fit are refused, never read beyond their ends."""

    DIGITS = np.zeros(0x110000, dtype=np.int32)
    PAIRS = np.zeros(9, dtype=np.int32)
    ROWS = np.zeros(3, dtype=np.int32)

    def rows(self, text="ab", digits=DIGITS, pairs=PAIRS, rows=ROWS, base=3, n_rows=1):
        return compiled.trigram_rows(text, digits, pairs, rows, base, n_rows)

    def digits(self, digit):
        changed = self.DIGITS.copy()
        changed[ord("a")] = digit
        return changed

    @pytest.mark.parametrize(
        "changed",
        [
            {"digits": DIGITS[1:].copy()},
            {"pairs": PAIRS[1:].copy()},
            {"rows": ROWS[1:].copy()},
            {"base": 0},
            {"base": -3},
            {"base": 2**62},
            {"n_rows": -1},
            {"n_rows": 2**40},
        ],
    )
    def test_lengths(self, changed):
        with pytest.raises(ValueError, match=r"digit|arrays"):
            self.rows(**changed)

    @pytest.mark.parametrize("digit", [3, -1, 2**31 - 1])
    def test_digits(self, digit):
        with pytest.raises(ValueError, match="arrays"):
            self.rows(digits=self.digits(digit))

    def test_pairs(self):
        with pytest.raises(ValueError, match="arrays"):
            self.rows(digits=self.digits(1), pairs=np.full(9, 1, dtype=np.int32))

    @pytest.mark.parametrize("changed", [{"text": b"ab"}, {"digits": PAIRS.astype(np.int64)}])
    def test_types(self, changed):
        with pytest.raises(TypeError):
            self.rows(**changed)

    @pytest.mark.parametrize(("row", "width"), [(2, 2), (-1, 2), (0, 0), (0, -1), (0, 3), (0, 64)])
    def test_sums(self, row, width):
        rows, logs = np.array([row], dtype=np.int32), np.zeros(2)
        with pytest.raises(ValueError, match="arrays"):
            compiled.sum_rows(rows, logs, logs, width)

    @pytest.mark.parametrize(
        ("base", "keys", "ranks", "size"),
        [(0, 2, 4, 9), (4001, 2, 4, 9), (3, 0, 4, 9), (3, 2, 3, 9), (3, 2, 0, 9), (3, 2, 4, 0)],
    )
    def test_ranks(self, base, keys, ranks, size):
        with pytest.raises(ValueError, match="arrays"):
            compiled.rank_distances(
                "ab", self.DIGITS, base, np.zeros(keys, np.int64), np.zeros(ranks), size, 1
            )
