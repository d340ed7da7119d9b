"""Characters, tokens, sentences and duplicates, held against plain Python over the same text."""

import re
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.errors import ConfigError
from victor.page.parsing import characters as ch
from victor.page.parsing.events import record
from victor.page.table import tokens as tk
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

quick = settings(max_examples=25, deadline=None, derandomize=True)


def both_splits():
    return pytest.mark.parametrize("split", ["tag", "block"])


def drawn_table(data, split):
    return segment(record(data.draw(strategies.batch())), split)


def classes_of(text):
    """Classes of characters; a joiner has that of the visible character before it."""
    classes = []
    for character in text:
        own = int(ch.class_table()[ord(character)])
        follows = own == ch.JOINER and classes and classes[-1] != ch.SPACE
        classes.append(classes[-1] if follows else own)
    return classes


LETTERS = {ch.LOWER, ch.UPPER, ch.CASELESS, ch.IDEOGRAPH}
WORDS = {*LETTERS, ch.DIGIT, ch.OTHER_WORD}
KINDS = {
    "alpha": LETTERS,
    "num": {ch.DIGIT},
    "punct": {ch.SENTENCE_END, ch.PUNCTUATION},
    "other": {ch.SYMBOL, ch.OTHER_WORD, ch.JOINER},
}


@pytest.mark.slow
@both_splits()
@quick
@given(data=st.data())
def test_characters_are_counted_one_by_one(split, data):
    table = drawn_table(data, split)
    values = features.load("characters")(table)
    for block, text in enumerate(block_texts(table)):
        classes = classes_of(text)
        for kind, members in KINDS.items():
            assert values[f"char.{kind}-abs"][block] == sum(c in members for c in classes)
        shares = [values[f"char.{kind}-rel"][block] for kind in (*KINDS, "white")]
        assert sum(shares) == pytest.approx(1)


def test_white_space_is_counted_as_written(measured):
    values = measured("characters", "<p> \n a  b\t</p>\n\n<p>c</p>\n")
    assert values["char.white-abs"].tolist() == [6, 0]
    assert values["char.white-rel"].tolist() == [6 / 8, 0]
    # Inside a block, the space between inline tags counts; the space around the block does too.
    values = measured("characters", "<p> a <b>b</b>  <i>c</i> </p>\n", split="block")
    assert values["char.white-abs"].tolist() == [4]
    assert values["char.alpha-rel"].tolist() == [3 / 7]


@pytest.mark.slow
@both_splits()
@quick
@given(data=st.data())
def test_tokens_are_counted_one_by_one(split, data):
    table = drawn_table(data, split)
    values = features.load("tokens")(table)
    bounds = pairwise(table.tokens.block_offsets.tolist())
    for block, (first, last) in enumerate(bounds):
        kinds = table.tokens.kind[first:last].tolist()
        counted = [kind for kind in kinds if kind != tk.PUNCTUATION]
        for name, kind in {"alpha": tk.ALPHA, "num": tk.NUMERIC, "mix": tk.MIXED,
                           "other": tk.OTHER}.items():  # fmt: skip
            assert values[f"token.{name}-abs"][block] == kinds.count(kind)
            expected = kinds.count(kind) / max(len(counted), 1)
            assert values[f"token.{name}-rel"][block] == pytest.approx(expected)
        marks = "".join("w" if kind == tk.ALPHA else "," for kind in kinds)
        runs = len(re.findall("w+", marks))
        assert values["avg-word-run"][block] == pytest.approx(len(counted) / runs if runs else 0)


@pytest.mark.slow
@both_splits()
@quick
@given(data=st.data())
def test_tokens_between_white_space_are_those_of_split(split, data):
    """Every character is replaced by a sign of what it counts as."""
    table = drawn_table(data, split)
    values = features.load("tokens", cut="space")(table)
    for block, text in enumerate(block_texts(table)):
        classes = classes_of(text)
        held = "".join(
            " " if kind in (ch.SPACE, ch.JOINER) else "a" if kind in LETTERS
            else "1" if kind == ch.DIGIT else "-"
            for kind in classes
        )  # fmt: skip
        kinds = Counter(("a" in token, "1" in token) for token in held.split())
        expected = {"alpha": (True, False), "num": (False, True), "mix": (True, True),
                    "other": (False, False)}  # fmt: skip
        for name, kind in expected.items():
            assert values[f"token.{name}-abs"][block] == kinds[kind]
            share = kinds[kind] / kinds.total()
            assert values[f"token.{name}-rel"][block] == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Včely žijí v úlu.", [4, 0, 0, 0]),
        ("e.g. 3.14 (a1) ok...", [2, 1, 1, 0]),
        ("- 12:30 | x_1 * ©2008", [0, 2, 1, 3]),
        ("so\u00adft\u00a0hy\u00adphen", [2, 0, 0, 0]),
        ("東京タワー、2008年", [0, 0, 1, 0]),
    ],
)
def test_kinds_of_tokens_between_white_space(measured, text, counts):
    """Letters, digits, both, neither; the neighbours touch the block in the text."""
    values = measured("tokens", f"<p>1</p><p>{text}</p><p>a</p>", cut="space")
    names = [f"token.{kind}-abs" for kind in ("alpha", "num", "mix", "other")]
    assert [int(values[name][1]) for name in names] == counts


@pytest.mark.parametrize(
    ("module", "parameters", "message"),
    [
        ("tokens", {"cut": "letter"}, "cut is word or space"),
        ("sentences", {"count": "words"}, "count is tokens or marks"),
        ("document", {"sentences": True}, "sentences is tokens or marks"),
        ("duplicates", {"unique_is_first": 1}, "unique_is_first is true or false"),
    ],
)
def test_other_values_of_parameters_are_refused(module, parameters, message):
    with pytest.raises(ConfigError, match=message):
        features.load(module, **parameters)


@pytest.mark.parametrize(
    ("text", "length", "run"),
    [
        ("one two, three", 11 / 3, 3 / 2),
        ("one 2 three", 4, 3 / 2),  # a number interrupts a run, yet it is counted
        ("1 2 3", 0, 0),
        ("Přílišžluťoučký", 15, 1),
        ("a (b)", 1, 2),
    ],
)
def test_averages(measured, text, length, run):
    values = measured("tokens", text)
    assert values["avg-word-length"].tolist() == pytest.approx([length])
    assert values["avg-word-run"].tolist() == pytest.approx([run])


BULLET = re.compile(r"([0-9]+|[a-z]+|[A-Z]+)(\.|\)|/| -)")
KINDS_OF_BULLETS = ("[0-9]", "[a-z]", "[A-Z]")
DELIMITERS = (".", ")", "/", " -")


def bullet(text):
    found = BULLET.match(text)
    if not found:
        return 0
    kind = next(i for i, k in enumerate(KINDS_OF_BULLETS) if re.match(k, found[1]))
    return 4 * kind + 1 + DELIMITERS.index(found[2])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. one", 1), ("12) one", 2), ("3/4", 3), ("4 - four", 4), ("a. one", 5),
        ("word. Next", 5), ("b) two", 6), ("IV. four", 9), ("A -b", 12), ("Ab. no", 0),
        ("a1. no", 0), ("1", 0), ("A", 0), ("1 . no", 0), ("é. no", 0),
        ("- 1.", 0), ("(1) no", 0), ("2 –", 0),
    ],
)  # fmt: skip
def test_bullets(measured, text, code):
    assert bullet(text) == code
    values = measured("tokens", f"<p>{text}</p><p>.)/-</p><p> -")
    assert values["looks-like-bullet"].tolist() == [code, 0, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We stayed.", [2, 2, 1, 1, 0, 0]),
        ("It rained and we", [0, 4, 1, 0, 0, 1]),
        ("it rained. We stayed at", [1, 2.5, 0, 0, 1, 1]),
        ("1. It rained!", [2, 1, 1, 1, 0, 0]),
        ('He said: "No."', [0, 3, 1, 1, 0, 1]),
        ("(It rained.)", [0, 2, 1, 1, 0, 1]),
        ("Read more ...", [1, 2, 1, 1, 0, 0]),
        ("What? 42", [1, 1, 1, 1, 0, 0]),
        ("12 - 34.", [1, 0, 0, 0, 1, 1]),
        ("***", [0, 0, 0, 0, 1, 1]),
        ("東京です。", [1, 4, 1, 1, 1, 0]),
        ("Ой! так", [1, 1, 1, 0, 0, 1]),
    ],
)  # fmt: skip
def test_sentences(measured, text, expected):
    """Count, mean length, begin, end, not started, not finished."""
    # Neighbours must not leak in: the blocks before and after would give other answers.
    values = measured("sentences", f"<p>no stop</p><p>{text}</p><p>Stop.</p>")
    assert [float(column[1]) for column in values.values()] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We stayed.", [2, 2]),
        ("It rained and we", [0, 4]),
        ('He said: "No."', [1, 3]),
        ("Read more ...", [3, 2 / 3]),
        ("So? (No!)", [2, 1]),
        ("What?! We stayed", [2, 1]),
        ("***", [0, 0]),
    ],
)
def test_sentences_by_their_marks(measured, text, expected):
    """Count and mean length."""
    values = measured("sentences", f"<p>no. stop</p><p>{text}</p><p>!Stop.</p>", count="marks")
    found = [values[name][1] for name in ("sentence.count", "sentence.avg-length")]
    assert found == pytest.approx(expected)


def test_the_meaning_of_a_column_follows_the_parameter():
    for module, parameters in (
        ("tokens", {"cut": "space"}),
        ("sentences", {"count": "marks"}),
        ("document", {"sentences": "marks"}),
        ("duplicates", {"unique_is_first": False}),
    ):
        usual, other = features.load(module).columns, features.load(module, **parameters).columns
        assert [column.name for column in usual] == [column.name for column in other]
        assert [c.meaning for c in usual] != [c.meaning for c in other]


def seen(text):
    return "".join(c for c in text if classes_of(c) != [ch.JOINER])


def letters(text):
    codes = np.array([ord(c) for c in seen(text) if classes_of(c)[0] in LETTERS], np.uint32)
    return tuple(ch.lower(codes).tolist())


def words(text):
    """Runs of word characters, but an ideograph is a word of its own, as it is a token."""
    marked = "".join(
        f" {c} " if kind == ch.IDEOGRAPH else c if kind in WORDS else " "
        for c, kind in zip(seen(text), classes_of(seen(text)), strict=True)
    )
    return tuple(marked.split())


@pytest.mark.slow
@both_splits()
@pytest.mark.parametrize(("rule", "normal"), [("letters", letters), ("words", words)])
@quick
@given(data=st.data())
def test_duplicates_are_what_comparison_finds(split, rule, normal, data):
    few = st.lists(st.sampled_from(["<p>Home", "<p>home 2", "<b>HO-ME</b>", "<p>ho me", "<p>x y",
                                    "<p>Ä", "<p>ä", "<p>***", "<p>1", "<p>--"]))  # fmt: skip
    pages = ["".join(data.draw(few)) + data.draw(strategies.markup()) for _ in range(3)]
    table = segment(record([page.encode() for page in pages]), split)
    values = features.load("duplicates", text=rule)(table)
    keys = [
        (page, normal(t)) for page, t in zip(table.page.tolist(), block_texts(table), strict=True)
    ]
    counts = Counter(keys)
    assert values["duplicate-count"].tolist() == [counts[key] for key in keys]
    firsts = [keys.index(key) == block for block, key in enumerate(keys)]
    assert values["first-duplicate"].tolist() == firsts
    marked = features.load("duplicates", text=rule, unique_is_first=False)(table)["first-duplicate"]
    expected = [first and counts[key] > 1 for first, key in zip(firsts, keys, strict=True)]
    assert marked.tolist() == expected


def test_texts_that_differ_in_one_letter_are_no_duplicates(measured):
    """Of any length and at any place: hashes of packed letters must not lose one."""
    base = "abcdefghijklmnopqrstuvwxy"
    variants = [base[:length] for length in range(1, 26)]
    variants += [base[:place] + "z" + base[place + 1 :] for place in range(25)]
    # Every fourth letter fills the upper bits of a word of the hash.
    variants += [f"abc{x}efg{y}ijk{z}" for x, y, z in product(base, base, base)]
    variants = list(dict.fromkeys(variants))
    values = measured("duplicates", "<p>".join(variants))
    assert values["duplicate-count"].tolist() == [1] * len(variants)
    values = measured("duplicates", "<p>".join(variants), text="words")
    assert values["duplicate-count"].tolist() == [1] * len(variants)
