"""Character n-grams: smoothing as the formula says, one side against the other, and storing."""

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ModelError
from victor.labelers.density.ngrams import (
    BOUNDARY,
    LONGEST,
    MOST_CHARACTERS,
    UNKNOWN,
    Alphabet,
    CharacterModel,
    Grams,
    quantized,
    quantized_values,
    ranges,
    windows,
)

KEPT = ("the bees live in hives", "the bees fly a lot", "abababab")
DISCARDED = ("home | about", "login | home", "")


def laid_out(*texts):
    """Code points of texts, where each begins, and where it ends."""
    chars = np.array([ord(char) for text in texts for char in text], dtype=np.uint32)
    end = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return chars, end - np.array([len(text) for text in texts], dtype=np.int64), end


def counted(kept=KEPT, discarded=DISCARDED, *, most=MOST_CHARACTERS, order=LONGEST):
    """The alphabet and all n-grams of some texts."""
    texts = laid_out(*kept, *discarded)
    alphabet = Alphabet.fit(texts[0], most)
    symbols = alphabet.layout(*texts)
    n_kept = sum(map(len, kept)) + len(kept)
    return alphabet, Grams.count(symbols, np.arange(len(symbols)) > n_kept, order)


def trained(*, least=1, most=10**6, weight=1.0, **options):
    alphabet, grams = counted(**options)
    return CharacterModel(alphabet, grams.pruned(least, most), weight)


def slow(texts, symbols, order, weight, size):
    """Log probability of each symbol by the formula, from counts in dictionaries."""
    grams = Counter()
    for text in texts:
        for at in range(1, len(text)):
            grams.update(text[at - n : at + 1] for n in range(order) if at - n >= 0)

    def p(history, last):
        after = {gram: n for gram, n in grams.items() if len(gram) == len(history) + 1
                 and gram[:-1] == history}  # fmt: skip
        shorter = p(history[1:], last) if history else 1 / size
        total, kinds = sum(after.values()), weight * len(after)
        if not after:
            return shorter
        return (after.get((*history, last), 0) + kinds * shorter) / (total + kinds)

    return [
        log(p(symbols[max(at - order + 1, 0) : at], symbols[at])) for at in range(1, len(symbols))
    ]


@pytest.mark.parametrize("order", [1, 2, 3, LONGEST])
@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_probabilities_are_those_of_the_formula(order, weight):
    model = trained(order=order, weight=weight)
    for seen in ("the hives", "home", "xyz", "|", ""):
        symbols = model.alphabet.layout(*laid_out(seen))
        logs = model.log_probabilities(symbols)[1:]
        for side, texts in enumerate((KEPT, DISCARDED)):
            read = [tuple(model.alphabet.layout(*laid_out(text)).tolist()) for text in texts]
            wanted = slow(read, tuple(symbols.tolist()), order, weight, model.alphabet.size)
            assert logs[:, side] == pytest.approx(wanted, rel=1e-9)


LETTERS = "abc |éж漢"
WORDS = st.lists(st.text(LETTERS, max_size=8), min_size=1, max_size=5)


@settings(derandomize=True, max_examples=60)
@given(WORDS, WORDS, st.text(LETTERS + "z", max_size=8), st.integers(1, 3), st.integers(1, 6),
       st.sampled_from((0.1, 1.0, 6.0)))  # fmt: skip
def test_what_may_follow_adds_up_to_one(kept, discarded, history, least, order, weight):
    read = {"kept": [*kept, *KEPT], "discarded": [*discarded, *DISCARDED]}
    model = trained(**read, least=least, order=order, weight=weight).stored()
    before = model.alphabet.layout(*laid_out(history))[:-1]
    nexts = [BOUNDARY, *range(UNKNOWN, UNKNOWN + 1 + len(model.alphabet.characters))]
    assert len(nexts) == model.alphabet.size
    after = [model.log_probabilities(np.append(before, symbol))[-1] for symbol in nexts]
    assert np.exp(after).sum(axis=0) == pytest.approx(1.0)


def test_log_odds_are_the_difference_of_the_sides_over_the_text_and_its_end():
    model = trained()
    texts = ("the hives", "", "login", "ж")
    odds = model.log_odds(*laid_out(*texts))
    for text, of_text in zip(texts, odds, strict=True):
        both = model.log_probabilities(model.alphabet.layout(*laid_out(text)))[1:]
        assert of_text == pytest.approx((both[:, 0] - both[:, 1]).sum())
    assert odds[0] > 0 > odds[2]


def test_a_text_says_the_same_beside_any_other():
    model = trained()
    alone = model.log_odds(*laid_out("the bees"))
    assert model.log_odds(*laid_out("home", "the bees", "live"))[1] == alone[0]
    assert model.log_odds(*laid_out()).shape == (0,)


def test_long_pages_are_scored_in_portions(monkeypatch):
    model, texts = trained(), ["the bees", "home", "", "x" * 40, "login"] * 7
    whole = model.log_odds(*laid_out(*texts)).tolist()
    monkeypatch.setattr("victor.labelers.density.ngrams._PORTION", 30)
    assert model.log_odds(*laid_out(*texts)).tolist() == whole


def test_windows_end_at_the_boundary_before():
    B = BOUNDARY  # noqa: N806  (a symbol)
    codes = windows(np.array([B, 5, 6, B, 7, B, B]))
    read = [[code >> (10 * position) & 1023 for position in range(6)] for code in codes.tolist()]
    assert read == [
        [0, 0, 0, 0, 0, B], [0, 0, 0, 0, B, 5], [0, 0, 0, B, 5, 6], [0, 0, B, 5, 6, B],
        [0, 0, 0, 0, B, 7], [0, 0, 0, B, 7, B], [0, 0, 0, 0, B, B],
    ]  # fmt: skip
    longest = sum(symbol << 10 * position for position, symbol in enumerate(range(4, 10)))
    assert windows(np.arange(3, 10)).tolist()[-1] == longest


def test_only_frequent_characters_are_told_apart():
    alphabet = Alphabet.fit(laid_out("aaabbbcc d")[0], 2)
    assert alphabet.characters.tolist() == [ord("a"), ord("b")]
    assert alphabet.size == 4
    assert alphabet.layout(*laid_out("abc")).tolist() == [BOUNDARY, 3, 4, UNKNOWN, BOUNDARY]
    wide = Alphabet.fit(np.arange(0x4E00, 0x4E00 + 5000, dtype=np.uint32), 5000)
    assert len(wide.characters) == MOST_CHARACTERS, "a symbol has ten bits"


def test_white_space_is_of_one_kind():
    model = trained()
    spaced, broken = model.log_odds(*laid_out("the bees", "the\nbees"))
    assert spaced == broken


def test_pruning_on_both_sides_of_its_limits():
    _, grams = counted()
    totals = np.concatenate([counts.sum(axis=1) for counts in grams.counts])
    assert len(grams.pruned(1, 10**6)) == len(grams) == len(totals)
    assert len(grams.pruned(2, 10**6)) == (totals >= 2).sum()
    assert len(grams.pruned(1, len(grams))) == len(grams)
    fewer = grams.pruned(1, len(grams) - 1)
    assert len(fewer) == (totals >= 2).sum(), "equally rare n-grams go together"
    CharacterModel(counted()[0], fewer)


def test_the_order_is_the_length_of_the_longest_ngrams():
    for order in (1, LONGEST):
        _, grams = counted(order=order)
        assert len(grams.codes) == order
        assert int(grams.codes[-1].max()).bit_length() > 10 * (order - 1)


def test_one_byte_says_counts_exactly_where_small_and_to_six_percent():
    values = quantized_values()
    assert values[:17].tolist() == [*range(17)]
    assert (np.diff(values) > 0).all()
    counts = np.arange(100_000)
    read = values[quantized(counts)]
    assert (read <= counts).all()
    assert (counts <= read * 1.065).all()
    assert values[quantized(np.array([10**12]))] == values[-1]


def test_stored_arrays_give_the_same_model():
    model = trained().stored()
    again = CharacterModel.from_arrays(model.to_arrays(), model.order, model.weight)
    texts = laid_out("the hives", "login", "zzz")
    assert again.log_odds(*texts).tolist() == model.log_odds(*texts).tolist()
    assert {array.dtype.name for array in model.to_arrays().values()} == {
        "int64",
        "uint8",
        "uint32",
    }


@pytest.mark.parametrize(
    "damage",
    [
        lambda arrays: arrays.pop("characters"),
        lambda arrays: arrays.pop("codes6"),
        lambda arrays: arrays.update(codes2=arrays["codes2"][::-1]),
        lambda arrays: arrays.update(codes2=arrays["codes2"][1:]),
        lambda arrays: arrays.update(codes1=arrays["codes1"][:0], counts1=arrays["counts1"][:0]),
        lambda arrays: arrays.update(codes1=arrays["codes1"] + 1000),
        lambda arrays: arrays.update(codes3=arrays["codes3"][1:], counts3=arrays["counts3"][1:]),
        lambda arrays: arrays.update(counts1=arrays["counts1"].astype(np.float64)),
        lambda arrays: arrays.update(counts1=arrays["counts1"][:, :1]),
        lambda arrays: arrays.update(characters=arrays["characters"] + np.uint32(0x110000)),
        lambda arrays: arrays.update(characters=arrays["characters"][::-1]),
        lambda arrays: arrays.update(characters=np.arange(2000, dtype=np.uint32)),
        lambda arrays: arrays.update(characters=np.array("abc")),
    ],
)
def test_damaged_arrays_are_refused(damage):
    model = trained()
    arrays = model.to_arrays()
    damage(arrays)
    with pytest.raises(ModelError, match="damaged"):
        CharacterModel.from_arrays(arrays, model.order, 1.0)


def test_ranges_lie_behind_one_another():
    assert ranges(np.array([3, 9, 5]), np.array([5, 9, 8])).tolist() == [3, 4, 5, 6, 7]
    assert ranges(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
