"""Contradictions about the encoding: what Victor makes of every row of the table, and Chromium."""

import hashlib
import re

import pytest
from encoding_cases import CASES, PYTHON, SAMPLES, encoded
from webencodings.labels import LABELS

from victor.page.decoding.decode import decode
from victor.page.decoding.legacy_encodings import standard_name
from victor.page.decoding.web_codecs import decode_as

PARAGRAPH = re.compile("<p>([^<]*)</p>$")
NO_TEXT = ("replacement", "utf-16le", "utf-16be", "x-user-defined")


def test_every_row_has_its_own_name():
    assert len(CASES) >= 180
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_row_is_read_right(case):
    found = decode(case.page, declared=case.header)
    assert found.encoding == case.encoding
    assert PARAGRAPH.search(found.text)[1] == case.text


@pytest.mark.parametrize("how", ["meta", "header"])
def test_every_label_of_the_standard_is_known(how):
    for label, encoding in LABELS.items():
        assert standard_name(label) == encoding
        if encoding in NO_TEXT:
            continue
        meta, header = (f'<meta charset="{label}">', None) if how == "meta" else ("", label.upper())
        page = f"{meta}<p>".encode() + encoded(SAMPLES[encoding], encoding) + b"</p>"
        found = decode(page, declared=header)
        assert (found.encoding, PARAGRAPH.search(found.text)[1]) == (encoding, SAMPLES[encoding])


@pytest.mark.parametrize("label", ["utf-7", "utf-32", "cesu-8", "x-mac-ce", "cp932x", "", " "])
def test_others_are_none(label):
    assert standard_name(label) is None


@pytest.fixture(scope="module")
def shown(browser, serve):
    """Encoding and text that Chromium shows of the rows that declare something."""
    routes = {}
    for number, case in enumerate(CASES):
        charset = "" if case.header is None else f"; charset={case.header}"
        routes[f"/{number}"] = 200, {"Content-Type": f"text/html{charset}"}, case.page
    numbers = [number for number, case in enumerate(CASES) if case.browser is not None]
    frames = "".join(f"<iframe src=/{number}></iframe>" for number in numbers)
    routes["/"] = 200, {"Content-Type": "text/html; charset=utf-8"}, frames.encode()
    with serve(routes) as (server, _):
        page = browser.new_page()
        page.goto(server, timeout=120_000)
        rows = page.evaluate(
            """() => [...document.querySelectorAll("iframe")].map(frame => {
                 const shown = frame.contentDocument
                 const text = [...shown.querySelectorAll("p")].pop()?.textContent
                 return [shown.characterSet.toLowerCase(), text]
               })"""
        )
        page.close()
    return dict(zip(numbers, rows, strict=True))


@pytest.mark.slow
def test_chromium_finds_what_the_table_says(shown):
    for number, (encoding, _) in shown.items():
        assert (CASES[number].name, encoding) == (CASES[number].name, CASES[number].browser)


@pytest.mark.slow
def test_chromium_shows_the_same_text_unless_the_table_says_why_not(shown):
    for number, (_, text) in shown.items():
        case = CASES[number]
        assert (case.name, text == case.text) == (case.name, not case.why)
    assert sum(not CASES[number].why for number in shown) >= 140


def test_all_encodings_of_the_standard_have_a_sample():
    assert set(SAMPLES) == set(LABELS.values()) - set(NO_TEXT)
    assert set(PYTHON) <= set(SAMPLES)


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
