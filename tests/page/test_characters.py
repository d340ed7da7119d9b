"""Every character has one class."""

import runpy
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from victor.page.parsing import characters as ch

GENERATOR = runpy.run_path(str(Path(__file__).parents[2] / "core/parsing/write_characters.py"))
THEN, NOW = unicodedata.ucd_3_2_0, unicodedata
SAME_UNICODE = unicodedata.unidata_version == ch.UNICODE


def is_settled(character):
    """Is it the same in the Unicode of the tables and in that of this Python, for sure."""
    settled = THEN.category(character) == NOW.category(character) != "Cn"
    return SAME_UNICODE or settled


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        (" \t\n\r\x00\x0c\x7f\x85\xa0\u2003\u3000\u200b\u2028\u2029", ch.SPACE),
        ("\ue000\uf8ff\U000f0000\U0010fffd", ch.SPACE),
        ("aéß\u0131žяαﬁ", ch.LOWER),
        ("AÉŽЯΑǅ", ch.UPPER),
        ("\u0301\u093f\u05b0אبकกᄀʰ", ch.CASELESS),
        ("東京あカー\u3400\uf900\U00020000\U0002ffff", ch.IDEOGRAPH),
        ("0123456789", ch.DIGIT),
        ("_‿٣½²Ⅷ①", ch.OTHER_WORD),
        (".?!…。！？।॥؟།༎။។៕።፧", ch.SENTENCE_END),
        (",:;،、；：၊៖፣፤", ch.PUNCTUATION),
        ("-–—'\"()[]{}<>/\\@#$%^&*+=|~`©€»„•😀\ufffd", ch.SYMBOL),
        ("\u00ad\u200c\u200d\u200e\u2060\ufeff\ufe0f", ch.JOINER),
    ],
)
def test_classes(characters, kind):
    table = ch.class_table()
    assert {character: int(table[ord(character)]) for character in characters} == dict.fromkeys(
        characters, kind
    )


def test_the_table_covers_unicode():
    table = ch.class_table()
    assert len(table) == 0x110000
    assert table.max() < ch.N_CLASSES
    assert set(np.unique(table).tolist()) == set(range(ch.N_CLASSES))


@given(st.characters(exclude_categories=("Cs",)))
def test_letters_are_letters(character):
    assume(is_settled(character))
    kind = ch.class_table()[ord(character)]
    if character.isalpha():
        assert ch.LOWER <= kind <= ch.IDEOGRAPH or ord(character) >= 0x20000
    if character.isspace():
        assert kind == ch.SPACE
    if kind == ch.LOWER:
        assert character.islower() or character.isalpha()


@given(st.characters(exclude_categories=("Cs",), max_codepoint=0x1FFFF))
def test_lower_case(character):
    assume(is_settled(character))
    lowered = chr(ch.lower_table()[ord(character)])
    assert lowered in (character.lower(), character)
    if len(character.lower()) == 1:
        assert lowered == character.lower()


@pytest.mark.skipif(not SAME_UNICODE, reason="this Python has another version of Unicode")
def test_the_generator_writes_the_files_that_ship(tmp_path):
    GENERATOR["write"](tmp_path)
    for name in (ch.CLASS_FILE, ch.LOWER_FILE):
        assert (tmp_path / name).read_bytes() == (ch.DATA / name).read_bytes()
