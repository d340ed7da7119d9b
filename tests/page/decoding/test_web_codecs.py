"""Decoders of the Encoding Standard: what they have beyond Python's."""

import hashlib

import pytest

from victor.page.decoding.web_codecs import decode_as

MANY = 10_000


def differences(codec, python):
    """Pairs of bytes that Python reads otherwise, as what browsers read."""
    pairs = [bytes((lead, trail)) for lead in range(0x80, 256) for trail in range(0x80, 256)]
    texts = [(decode_as(pair, codec), pair.decode(python, "replace")) for pair in pairs]
    return {
        pair: text
        for pair, (text, other) in zip(pairs, texts, strict=True)
        if text != other and "\ufffd" not in text
    }


@pytest.mark.parametrize(
    ("codec", "python", "n", "digest"),
    [
        ("euc-jp", "euc_jp", 463, "5903b114eb1a8e4b"),
        ("big5", "big5hkscs", 5, "a475cd7c6dafd987"),
    ],
)
def test_characters_that_python_has_not(codec, python, n, digest):
    """Chromium reads them so, as `test_encoding_cases` shows."""
    found = differences(codec, python)
    text = "".join(f"{pair.hex()}{character}" for pair, character in sorted(found.items()))
    assert (len(found), hashlib.sha256(text.encode()).hexdigest()[:16]) == (n, digest)


@pytest.mark.parametrize(
    ("n_signs", "n_letters", "sign"),
    [
        (MANY - 1, 0, "€"),
        (MANY, 3 * MANY, "\ufffd"),  # a quarter of the text
        (MANY, 3 * MANY + 1, "€"),
    ],
)
def test_what_is_nothing_but_errors_is_not_read_twice(n_signs, n_letters, sign):
    # Python has no euro sign in code page 936.
    assert decode_as(b"\x80" * n_signs + b"a" * n_letters, "gbk")[0] == sign


@pytest.mark.parametrize(
    ("page", "codec", "text"),
    [
        (b"\x80", "gb18030", "€"),
        (b"\xff", "gb18030", "\ufffd"),
        (b"\x80\xff\x80a", "gbk", "€\ufffd€a"),
        (b"\xca\xe0", "windows-1255", "\u05baא"),
        (b"\xd9\xe0", "windows-1255", "\ufffdא"),
        (b"\xa3\xe1\xa3\xe1", "big5", "€€"),
        (b"\x80\x81a", "big5", "\ufffda"),
        (b"\xa9\xa1a", "euc-jp", "\ufffda"),
        (b"\xa9\x7fa", "euc-jp", "\ufffd\x7fa"),
        (b"\xa9\x80a", "euc-jp", "\ufffda"),
        ("\ue5e5".encode("gb18030"), "gbk", "\u3000"),
        (b"\xae\xbe", "koi8-u", "ўЎ"),
    ],
)
def test_signs_that_python_reads_otherwise(page, codec, text):
    assert decode_as(page, codec) == text
