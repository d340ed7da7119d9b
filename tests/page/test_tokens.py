"""Tokens of texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing import characters as ch
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.table.tokens import tokenize


def tokens_of(*blocks):
    """Tokens of blocks that stand side by side without anything between them."""
    chars = "".join(blocks).encode("utf-32-le", "surrogatepass")
    starts = np.cumsum([0, *map(len, blocks)], dtype=np.int64)[:-1]
    return tokenize(np.frombuffer(chars, dtype=np.uint32), starts, starts)


def test_words_and_ends():
    tokens = tokens_of("Ab1 -- c! 東")
    assert tokens.word.tolist() == [True, False, True, False, True]
    assert tokens.first_class.tolist() == [
        ch.UPPER, ch.SYMBOL, ch.LOWER, ch.SENTENCE_END, ch.IDEOGRAPH,
    ]  # fmt: skip
    assert tokens.last_class.tolist() == [
        ch.DIGIT, ch.SYMBOL, ch.LOWER, ch.SENTENCE_END, ch.IDEOGRAPH,
    ]  # fmt: skip


def test_a_token_belongs_to_the_segment_where_it_starts():
    table = parse_pages([b"<p>Hel<b>lo</b> wor<i>l</i>d <u>x</u>"])
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


UNSPACED = st.text(st.sampled_from("กขคงเแาีิ้ຂກລາີ່བོདྱཡིག་ကခဂငာိုျ့ខមកេ្ា"), min_size=1, max_size=60)
TEXTS = st.one_of(UNSPACED, WILD)


def n_words(text):
    return int(tokens_of(text).word.sum())


@given(TEXTS, TEXTS)
def test_a_space_adds_words_up(left, right):
    assert n_words(f"{left} {right}") == n_words(left) + n_words(right)


@given(UNSPACED, UNSPACED)
def test_more_text_has_no_fewer_words(text, more):
    assert (
        max(n_words(text), n_words(more)) <= n_words(text + more) <= n_words(f"{text} {more}") + 1
    )


@given(st.sampled_from("ก ລ བ က ខ".split()), st.integers(4, 40), st.integers(2, 9))
def test_a_text_said_again_has_as_many_words_more(letter, length, times):
    once, again = n_words(letter * length), n_words(letter * length * times)
    assert abs(again - times * once) <= times / 2 + 1


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
