"""Bytes to text: every way to the encoding, lying labels, damage, and never an exception."""

import re

import cchardet
import pytest
from encoding_cases import PROSE, encoded
from hypothesis import example, given
from hypothesis import strategies as st

from victor.page.decoding.decode import Decoded, decode

CZECH = PROSE["cs"]
GREETING, NO_CHARACTER = "съешь".encode("cp1251"), b"\x98"
"""In windows-1251."""
CENTRAL = ("windows-1250", "iso-8859-2")
SURROGATE = re.compile("[\ud800-\udfff]")


def page(text, encoding, *, label=None):
    """A small page in an encoding, with or without a `meta` element that names one."""
    meta = f'<meta charset="{label}">' if label else ""
    markup = f"<html><head>{meta}</head><body><p>{text}</p></body></html>"
    return encoded(markup, encoding)


def read(text, encoding, *, label=None):
    """Decode such a page; its paragraph, the encoding found, the reason."""
    found = decode(page(text, encoding, label=label))
    return re.search("<p>(.*)</p>", found.text, re.DOTALL)[1], found.encoding, found.reason


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (CZECH, CZECH),
        ("\ufeff<p>a", "<p>a"),
        ("a\ud800b\udc80c\ud83d\ude00", "a\ufffdb\ufffdc\U0001f600"),
    ],
    ids=["as it is", "a mark", "lone surrogates and a pair"],
)
def test_text_is_returned_as_text(given, text):
    assert decode(given) == Decoded(text, "unicode", "text")


def test_what_is_said_of_a_decoded_page_leaves_its_markup_out():
    assert repr(decode(b"<p>Bees")) == "Decoded(encoding='utf-8', reason='utf-8')"


@pytest.mark.parametrize("label", [None, "utf-8", "windows-1250"])
def test_one_broken_sequence_does_not_spoil_a_utf8_page(label):
    good = page(CZECH * 300, "utf-8", label=label)
    middle = good.index("ů".encode(), len(good) // 2)
    found = decode(good[:middle] + b"\xff" + good[middle:])
    assert (found.encoding, found.reason) == ("utf-8", "utf-8-damaged")
    assert found.text.replace("\ufffd", "", 1) == good.decode()


@pytest.mark.parametrize("order", ["new old", "old new", "new new new old", "new old old old"])
@pytest.mark.parametrize("legacy", CENTRAL)
@pytest.mark.parametrize("language", ["cs", "sk", "pl"])
def test_a_page_half_in_utf8_half_in_another_encoding(language, legacy, order):
    encodings = {"new": "utf-8", "old": legacy}
    raw = b"".join(page(PROSE[language], encodings[part]) for part in order.split())
    found = decode(raw)
    assert found.text.encode() == page(PROSE[language], "utf-8") * len(order.split())
    assert (found.encoding, found.reason) == ("utf-8", "utf-8-mixed")


@pytest.mark.parametrize(
    ("encoding", "language"),
    [("cp1251", "ru"), ("koi8-r", "ru"), ("cp932", "ja"), ("euc-jp", "ja"), ("gbk", "zh"),
     ("cp949", "ko"), ("big5", "zh-hant")],
)  # fmt: skip
def test_other_scripts_are_not_taken_for_two_encodings(encoding, language):
    words = [PROSE[language], *PROSE[language].split()] * 20
    raw = "".join(f"<p>{word}</p>" for word in words).encode(encoding)
    found = decode(raw, declared=encoding)
    assert found.reason in ("declared-http", "detected")
    assert found.text == raw.decode(encoding)


@pytest.mark.parametrize("pair", [b"\xa2\xa0", b"\xb3\xa0", b"\xb2\xff", b"\xb3\xff"])
def test_cells_that_no_row_of_a_japanese_standard_has(pair):
    raw = "<p>日本語の新聞です".encode("euc-jp") + pair + b" x"
    assert decode(raw, declared="euc-jp").text == "<p>日本語の新聞です\ufffd x"


def test_utf8_cut_in_the_middle_of_characters_is_not_taken_for_two_encodings():
    # As programs do that shorten texts by bytes.
    titles = [
        title.encode()[: size + 20] + b"..." for title in (CZECH, PROSE["pl"]) for size in range(40)
    ]
    raw = b"<p>" + b"</p>\n<p>".join(titles) + b"</p>" + CZECH.encode() * 9
    found = decode(raw)
    assert found.reason == "utf-8-damaged"
    assert found.text == raw.decode("utf-8", "replace")


LABELS = [None, "windows-1250", "iso-8859-2", "iso-8859-1", "windows-1252", "utf-8"]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("encoding", CENTRAL)
@pytest.mark.parametrize("language", ["cs", "sk", "pl"])
def test_central_european_encodings_are_told_apart_whatever_the_label(language, encoding, label):
    reason = "declared" if label == encoding else "detected"
    assert read(PROSE[language], encoding, label=label) == (PROSE[language], encoding, reason)


@pytest.mark.parametrize("encoding", CENTRAL)
@pytest.mark.parametrize("label", [None, *CENTRAL])
@pytest.mark.parametrize("word", ["šťáva", "žába", "kaše", "příští", "nožem"])
def test_one_word_is_enough_between_the_two(word, label, encoding):
    # Inside a word; at its edge ť and Š may be the » and © of the other encoding.
    assert read(f"Dnes {word} tady, řeka", encoding, label=label)[0] == f"Dnes {word} tady, řeka"


@pytest.mark.parametrize("label", [None, "windows-1252", "iso-8859-1"])
@pytest.mark.parametrize("language", ["fr", "da"])
def test_western_pages_stay_western(language, label):
    found = read(PROSE[language], "windows-1252", label=label)
    assert found[:2] == (PROSE[language], "windows-1252")


ANY_LABEL = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.sampled_from(
        "utf-8 utf-16 hz-gb-2312 iso-2022-jp iso-2022-kr big5 gbk euc-jp shift_jis koi8-u "
        "windows-1250 windows-1258 iso-8859-2 iso-8859-15 iso-8859-8-i x-mac-ce macintosh".split()
    ),
)


@given(raw=st.binary(max_size=300), label=ANY_LABEL)
@example(raw=b"\xff\xfe\x00\xd8", label=None)
@example(raw=b"\xff\xfe\x00\x00\x00\xd8\x00\x00", label=None)
@example(raw=b"\xa0\x00\x81", label="x-mac-ce")
def test_any_bytes_give_text_without_surrogates(raw, label):
    assert not SURROGATE.search(decode(raw, declared=label).text)


@given(raw=st.binary(min_size=1, max_size=60), label=ANY_LABEL)
def test_legacy_bytes_leave_no_control_from_the_upper_half(raw, label):
    found = decode(b"<p>\xff" + raw, declared=label)
    if not found.encoding.startswith("utf-"):
        assert not re.search("[\x80-\x9f]", found.text)


@given(text=st.text(st.characters(), max_size=80), surrogates=st.text("\ud800\udbff\udc00\udfff"))
def test_any_text_loses_only_its_surrogates(text, surrogates):
    clean = SURROGATE.sub("", text)
    assert not SURROGATE.search(decode(text + surrogates).text)
    assert decode("a" + clean).text == "a" + clean


@given(
    text=st.text(st.characters(exclude_categories=("Cs",)), max_size=120),
    encoding=st.sampled_from(("utf-8-sig", "utf-16", "utf-32")),
)
def test_any_text_with_a_mark_comes_back(text, encoding):
    if text.startswith("\0") and encoding == "utf-16":
        return  # FF FE 00 00 is the mark of UTF-32
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("zeros", [b"a\0" * 5_000, b"\0a" * 5_000, b"a\0\0\0" * 5_000])
@pytest.mark.parametrize("before", [False, True])
def test_zero_bytes_do_not_make_a_narrow_page_wide(zeros, before):
    """Its tags are one byte a character, which no UTF-16 writes."""
    narrow = f"<!DOCTYPE html><html><body><p>{CZECH}</p></body></html>".encode()
    assert CZECH in decode(zeros + narrow if before else narrow + zeros).text


@pytest.mark.parametrize(
    ("name", "page", "expected"),
    [
        ("KOI8-R", b"\xc1\xc2\xc3\xc4" * 3, ("koi8-u", "detected")),
        # The detector is not believed if there are five letters only.
        ("WINDOWS-1251", b" x\xe9x" * 4 + b" x\xd7x", ("windows-1252", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 5 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 9 + b" x\xd7x", ("windows-1252", "detected")),  # nine of ten
        ("WINDOWS-1251", b" x\xe9x" * 8 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", GREETING * 16 + NO_CHARACTER * 27, ("windows-1251", "detected")),
        ("WINDOWS-1251", GREETING * 16 + NO_CHARACTER * 29, ("windows-1252", "fallback")),
        (None, b"\xc1\xc2\xc3\xc4" * 3, ("windows-1252", "fallback")),
        (None, b" x\xe9x" * 9, ("windows-1252", "fallback")),
        ("WINDOWS-1252", b" x\xe9x" * 9, ("windows-1252", "detected")),
        ("WINDOWS-1250", b" \x93 ", ("windows-1252", "detected")),  # a quote is the same in both
    ],
)
def test_what_becomes_of_a_guess(monkeypatch, name, page, expected):
    monkeypatch.setattr(cchardet, "detect", lambda _: {"encoding": name})
    found = decode(page)
    assert (found.encoding, found.reason) == expected
