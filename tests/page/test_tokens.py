"""Tokens of texts."""

import unicodedata
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.parsing import characters as ch
from victor.page.parsing.events import record
from victor.page.table import tokens as tk
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.page.table.tokens import tokenize

KINDS = {tk.ALPHA: "alpha", tk.NUMERIC: "num", tk.MIXED: "mix", tk.OTHER: "other",
         tk.PUNCTUATION: "punct"}  # fmt: skip


def chars_of(text):
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def tokens_of(*blocks):
    """Tokens of blocks that stand side by side without anything between them."""
    lengths = [len(block) for block in blocks]
    starts = np.concatenate(([0], np.cumsum(lengths)))[:-1].astype(np.int64)
    return "".join(blocks), tokenize(chars_of("".join(blocks)), starts, starts)


def shown(*blocks):
    text, tokens = tokens_of(*blocks)
    bounds = zip(tokens.start.tolist(), tokens.end.tolist(), tokens.kind.tolist(), strict=True)
    return [(text[a:b], KINDS[kind]) for a, b, kind in bounds]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello world", "Hello/alpha world/alpha"),
        ("3.14", "3/num ./punct 14/num"),
        ("A4 x_1 _", "A4/mix x_1/other _/other"),
        ("don't", "don/alpha '/other t/alpha"),
        ("e.g. (no)...", "e/alpha ./punct g/alpha ./punct (/other no/alpha ).../other"),
        ("Why?! a,b;c:", "Why/alpha ?!/punct a/alpha ,/punct b/alpha ;/punct c/alpha :/punct"),
        ("12:30 -5%", "12/num :/punct 30/num -/other 5/num %/other"),
        ("http://a.net", "http/alpha :///other a/alpha ./punct net/alpha"),
        ("žluťoučký кůň", "žluťoučký/alpha кůň/alpha"),
        ("शब्द नई", "शब्द/alpha नई/alpha"),
        ("cafe\u0301", "cafe\u0301/alpha"),
        ("東京へ2", "東/alpha 京/alpha へ/alpha 2/num"),
        ("a東b", "a/alpha 東/alpha b/alpha"),
        ("한국어", "한국어/alpha"),
        ("²½ x²", "²½/other x²/other"),
        ("٣", "٣/other"),
        ("$5 €", "$/other 5/num €/other"),
        ("a\u00adb\u200cc", "a\u00adb\u200cc/alpha"),
        ("1\u00ad2", "1\u00ad2/num"),
        ("👩\u200d👩 ❤\ufe0f", "👩\u200d👩/other ❤\ufe0f/other"),
        ("a \u00adb", "a/alpha b/alpha"),
        ("\u00ada", "a/alpha"),
        ("", ""),
        ("  \u200b ", ""),
        ("ที่นี่", "ที่นี่/alpha"),
        ("ข้าวเหนียวมะม่วง", "ข้าวเ/alpha หนียว/alpha มะม่วง/alpha"),
        ("ปี2567", "ปี/alpha 2567/num"),
        ("ใช้Linuxกัน", "ใช้/alpha Linux/alpha กัน/alpha"),
        ("ໜ້າທີ່", "ໜ້າທີ່/alpha"),
        ("ភាសា\u200bខ្មែរ។", "ភាសា/alpha ខ្មែរ/alpha ។/punct"),
        ("မြန်မာ။", "မြန်မာ/alpha ။/punct"),
        ("བོད་སྐད་", "བོད་སྐད་/alpha"),
        ("བོད་ཡིག།", "བོད་ཡིག/alpha །/punct"),
        ("༢༠", "༢༠/other"),
    ],
)
def test_examples(text, expected):
    expected = [tuple(pair.rsplit("/", 1)) for pair in expected.split()]
    assert shown(text) == expected


def test_words_and_ends():
    _, tokens = tokens_of("Ab1 -- c! 東")
    assert tokens.word.tolist() == [True, False, True, False, True]
    assert tokens.first_class.tolist() == [
        ch.UPPER, ch.SYMBOL, ch.LOWER, ch.SENTENCE_END, ch.IDEOGRAPH,
    ]  # fmt: skip
    assert tokens.last_class.tolist() == [
        ch.DIGIT, ch.SYMBOL, ch.LOWER, ch.SENTENCE_END, ch.IDEOGRAPH,
    ]  # fmt: skip


def test_blocks_cut_tokens():
    assert shown("ab", "cd", "...", "!") == [
        ("ab", "alpha"), ("cd", "alpha"), ("...", "punct"), ("!", "punct"),
    ]  # fmt: skip


def test_no_text():
    _, tokens = tokens_of()
    assert tokens.start.tolist() == tokens.kind.tolist() == []
    assert tokens.block_offsets.tolist() == [0]


def test_counts():
    _, tokens = tokens_of("one two", "3", "--", "four")
    assert tokens.per_block(tokens.word).tolist() == [2, 1, 0, 1]
    assert tokens.per_block(tokens.kind == tk.NUMERIC).tolist() == [0, 1, 0, 0]


def test_a_token_belongs_to_the_segment_where_it_starts():
    table = segment(record([b"<p>Hel<b>lo</b> wor<i>l</i>d <u>x</u>"]), "block")
    assert block_texts(table) == ["Hello world x"]
    assert table.segment_words.tolist() == [1, 0, 1, 0, 0, 1]
    assert table.words.tolist() == [3]


WILD = st.text(
    st.one_of(
        st.sampled_from("aZé1٣_.,!-東カ \n\u00ad\u200d\u0301😀" + "กขิเ" * 3 + "།ཀ་མ្"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=20,
)


def kind_of(classes):
    letters = {ch.LOWER, ch.UPPER, ch.CASELESS, ch.IDEOGRAPH}
    if classes <= letters:
        return tk.ALPHA
    if classes == {ch.DIGIT}:
        return tk.NUMERIC
    if classes <= letters | {ch.DIGIT}:
        return tk.MIXED
    return tk.PUNCTUATION if classes <= {ch.SENTENCE_END, ch.PUNCTUATION} else tk.OTHER


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(WILD.filter(bool), max_size=5))
def test_against_one_character_after_the_other(blocks):
    text, tokens = tokens_of(*blocks)
    expected = [(start, end, kind_of(classes)) for start, end, classes in split_runs(blocks)]
    found = zip(tokens.start.tolist(), tokens.end.tolist(), tokens.kind.tolist(), strict=True)
    assert list(found) == expected
    owners = np.cumsum([len(block) for block in blocks])
    counts = np.bincount(np.searchsorted(owners, tokens.start, side="right"), minlength=len(blocks))
    assert np.diff(tokens.block_offsets).tolist() == counts.tolist()
    assert len(text) == owners[-1] if blocks else text == ""


def split_runs(blocks):
    """Start, end and classes of every maximal run of one sort, of words where it has several."""
    at, before = 0, (ch.SPACE, "space")
    for block in blocks:
        sorts = []
        for character in block:
            kind = int(ch.class_table()[ord(character)])
            before = before if kind == ch.JOINER else (kind, sort(kind, character))
            sorts.append(before)
        start = 0
        for here in range(1, len(block) + 1):
            name = sorts[start][1]
            if here < len(block) and sorts[here][1] == name != "ideograph":
                continue
            if name != "space":
                words = words_of(block[start:here]) if name == "unspaced" else [here - start]
                for length in words:
                    classes = {kind for kind, _ in sorts[start : start + length]}
                    yield at + start, at + start + length, classes
                    start += length
            start = here
        at += len(block)


def sort(kind, character):
    if kind == ch.SPACE:
        return "space"
    if kind == ch.IDEOGRAPH:
        return "ideograph"
    if kind == ch.CASELESS and letters_per_word(character):
        return "unspaced"
    return "word" if kind <= ch.OTHER_WORD else "other"


def letters_per_word(character):
    """Of a script without spaces; 0 for other scripts."""
    if "\u0e00" <= character <= "\u0eff":
        return Fraction(4)
    blocks = (
        ("\u0f00", "\u109f"),
        ("\u1780", "\u17ff"),
        ("\ua9e0", "\ua9ff"),
        ("\uaa60", "\uaa7f"),
    )
    return Fraction(7, 2) * any(first <= character <= last for first, last in blocks)


def words_of(run):
    """Lengths of the words in a run, as equal in letters as they can be."""
    shares = [
        1 / letters_per_word(c) if unicodedata.category(c) in ("Lo", "Lm") else Fraction(0)
        for c in run
    ]
    n_words = max(int(sum(shares) + Fraction(1, 2)), 1)
    per_word = sum(shares) / n_words
    begins, seen = [0], Fraction(0)
    for position, share in enumerate(shares):
        seen += share
        if share and seen > len(begins) * per_word:
            begins.append(position)
    return [end - start for start, end in pairwise([*begins, len(run)])]


UNSPACED = st.text(st.sampled_from("กขคงเแาีิ้ຂກລາີ່བོདྱཡིག་ကခဂငာိုျ့ខមកេ្ា"), min_size=1, max_size=60)
TEXTS = st.one_of(UNSPACED, WILD)


def n_words(text):
    _, tokens = tokens_of(text)
    return int(tokens.word.sum())


@settings(max_examples=100, deadline=None, derandomize=True)
@given(TEXTS, TEXTS)
def test_a_space_adds_words_up(left, right):
    assert n_words(f"{left} {right}") == n_words(left) + n_words(right)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(UNSPACED, UNSPACED)
def test_more_text_has_no_fewer_words(text, more):
    assert (
        max(n_words(text), n_words(more)) <= n_words(text + more) <= n_words(f"{text} {more}") + 1
    )


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.sampled_from("ก ລ བ က ខ".split()), st.integers(4, 40), st.integers(2, 9))
def test_a_text_said_again_has_as_many_words_more(letter, length, times):
    once, again = n_words(letter * length), n_words(letter * length * times)
    assert abs(again - times * once) <= times / 2 + 1


@pytest.mark.slow
@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data(), split=st.sampled_from(("tag", "block")))
def test_tokens_of_tables(data, split):
    table = segment(record(data.draw(strategies.batch())), split)
    tokens = table.tokens
    assert (tokens.start < tokens.end).all()
    assert (tokens.end[:-1] <= tokens.start[1:]).all()
    owner = np.repeat(np.arange(len(table)), np.diff(tokens.block_offsets))
    assert len(owner) == len(tokens.start), "every token stands in a block"
    assert (table.start[owner] <= tokens.start).all()
    assert (tokens.end <= table.end[owner]).all()
    covered = np.zeros(len(table.chars), dtype=bool)
    for start, end in zip(tokens.start, tokens.end, strict=True):
        covered[start:end] = True
    seen = ch.class_table()[table.chars] != ch.SPACE
    for start, end in zip(table.start, table.end, strict=True):
        assert covered[start:end].tolist() == seen[start:end].tolist()
    assert tokens.per_segment(tokens.word).sum() == tokens.word.sum()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("English", "Bring your own cup to the market tomorrow, and the tea is free."),
        ("Thai", "พรุ่งนี้นำแก้วของคุณเองมาที่ตลาด แล้วจะได้ดื่มชาฟรี"),
        ("Lao", "ມື້ອື່ນເອົາຈອກຂອງເຈົ້າມາທີ່ຕະຫຼາດ ແລ້ວຈະໄດ້ດື່ມຊາຟຣີ"),
        ("Khmer", "ស្អែកនេះសូមយកពែងរបស់អ្នកមកផ្សារ ហើយអ្នកនឹងបានតែដោយឥតគិតថ្លៃ។"),
        ("Burmese", "မနက်ဖြန် ဈေးကို ကိုယ့်ခွက်ယူလာပါ၊ လက်ဖက်ရည် အခမဲ့ သောက်ရပါမယ်။"),
        ("Tibetan", "སང་ཉིན་ཁྲོམ་ལ་རང་གི་དཀར་ཡོལ་འཁྱེར་ཤོག ཇ་རིན་མེད་དུ་འཐུང་ཆོག"),
    ],
)
def test_a_sentence_has_about_as_many_words_in_every_script(language, text):
    assert 9 <= n_words(text) <= 18, (language, n_words(text))
