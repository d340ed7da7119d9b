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
    """Chromium reads them so, as all pairs of bytes in it have shown."""
    found = differences(codec, python)
    text = "".join(f"{pair.hex()}{character}" for pair, character in sorted(found.items()))
    assert (len(found), hashlib.sha256(text.encode()).hexdigest()[:16]) == (n, digest)
