"""Where decoding decides by a number: an input on both sides of each."""

import cchardet
import pytest

from victor.page.decoding.decode import decode, wide_encoding

HEAD = 4096
RUSSIAN = "съешь".encode("cp1251")
NO_CHARACTER = b"\x98"  # in windows-1251


def found(page, declared=None):
    decoded = decode(page, declared=declared)
    return decoded.encoding, decoded.reason


# --- Unicode ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_before", "expected"), [(HEAD - 1, ("utf-16le", "bom")), (HEAD, ("utf-8", "utf-8"))]
)
def test_a_zero_byte_in_the_head_bears_out_a_wide_mark(n_before, expected):
    page = b"<html>".ljust(n_before) + b"\0"
    assert found(b"\xff\xfe" + page) == expected


@pytest.mark.parametrize(
    ("blanks", "expected"),
    [(HEAD - 6, ("utf-16le", "detected")), (HEAD - 5, ("utf-8", "bom"))],
)
def test_the_tag_that_tells_of_wide_text_behind_a_narrow_mark_is_in_the_head(blanks, expected):
    page = (" " * blanks + "<html>" + "a" * HEAD).encode("utf-16-le")
    assert found(b"\xef\xbb\xbf" + page.replace(b"a", b">", 2)) == expected


SEQUENCE, ERROR = "ŀ".encode(), b"\xff "


@pytest.mark.parametrize(
    ("start", "n_valid", "n_errors", "is_utf8"),
    [
        (b"", 3, 1, True),
        (b"", 2, 1, False),
        (b"<meta charset=utf-8>", 1, 1, True),
        (b"<meta charset=utf-8>", 1, 2, False),
        (b"\xef\xbb\xbf", 1, 1, True),
        (b"\xef\xbb\xbf", 1, 2, False),
    ],
)
def test_sequences_for_each_error_of_utf8(start, n_valid, n_errors, is_utf8):
    page = start + SEQUENCE * n_valid + b" " + ERROR * n_errors
    assert (found(page)[0] == "utf-8") is is_utf8


@pytest.mark.parametrize(
    ("page", "encoding"), [(b"\xc5", "windows-1252"), (b"\xc5\x99 \xc5", "utf-8"), (b"\xff", None)]
)
def test_a_cut_sequence_is_utf8_if_there_is_a_whole_one(page, encoding):
    assert found(page)[0] == (encoding or "windows-1252")


def test_a_replacement_character_of_the_page_is_no_error():
    page = "\ufffd\ufffd\ufffd".encode()
    assert found(page + b"\xff ") == ("utf-8", "utf-8-damaged")
    assert found(page[3:] + b"\xff ")[0] != "utf-8"


PAGE = (
    "<!DOCTYPE html><html><head><title>Přívoz</title></head><body><p>Žádný úředník nikdy nezjistil,"
    " kolik lidí a zvířat se na ni doopravdy vejde.</p></body></html>"
)


@pytest.mark.parametrize("zeros", [b"a\0" * 5_000, b"\0a" * 5_000, b"a\0\0\0" * 5_000])
@pytest.mark.parametrize("before", [False, True])
def test_zero_bytes_do_not_make_a_narrow_page_wide(zeros, before):
    """Its tags are one byte a character, which no UTF-16 writes."""
    page = zeros + PAGE.encode() if before else PAGE.encode() + zeros
    assert "Žádný úředník nikdy nezjistil" in decode(page).text


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        # One character in four has to be ASCII, one in twenty may have a zero byte elsewhere.
        (b"a\0" * 25 + b"ab" * 75, "utf-16le"),
        (b"a\0" * 24 + b"ab" * 76, None),
        (b"a\0" * 95 + b"\0a" * 5, "utf-16le"),
        (b"a\0" * 94 + b"\0a" * 6, None),
        (b"a\0" * 18 + b"\0a", None),
        (b"a\0" * 2, "utf-16le"),
        (b"a\0", None),
        (b"", None),
        (b"a\0" * 9 + b"<html>", None),
        (b"a\0" * 9 + b"<htm>", "utf-16le"),
    ],
)
def test_zero_bytes_of_utf16(page, encoding):
    assert wide_encoding(page) == encoding


@pytest.mark.parametrize(("n", "encoding"), [(1 << 14, "utf-16le"), ((1 << 14) - 1, None)])
def test_the_first_bytes_decide(n, encoding):
    # A quarter of the first 65,536 bytes, whatever follows.
    assert (
        wide_encoding(b"a\0" * (n // 2) + b"ab" * ((1 << 15) - n // 2) + b"\0a" * 9999) == encoding
    )


@pytest.mark.parametrize(("n", "encoding"), [(25, "utf-16be"), (24, None)])
def test_zero_bytes_of_utf16_in_the_other_order(n, encoding):
    assert wide_encoding(b"\0a" * n + b"ab" * (100 - n)) == encoding


# --- Seven bits ------------------------------------------------------------------------------


@pytest.mark.parametrize(("beyond", "name"), [(0, "hz-gb-2312"), (1, "utf-8")])
def test_a_seven_bit_label_is_looked_for_in_the_head(beyond, name):
    label = b"<meta charset=hz-gb"
    page = b"<title>" + b"a" * (HEAD + beyond - len(b"<title></title>" + label))
    assert found(page + b"</title>" + label + b"-2312> ~{VPND~}")[0] == name


@pytest.mark.parametrize(("n_kana", "name"), [(9, "utf-8"), (10, "iso-2022-jp")])
def test_one_error_in_ten_characters_is_no_seven_bit_text(n_kana, name):
    # The pair 7F 7F is none; it counts as a character, too.
    page = b"\x1b$B" + b'$"' * n_kana + b"\x7f\x7f" + b"\x1b(B"
    assert found(page)[0] == name


@pytest.mark.parametrize(
    ("escape", "name"),
    [
        (b"\x1b$B", "iso-2022-jp"),
        (b"\x1b$@", "iso-2022-jp"),
        (b"\x1b(I", "utf-8"),
        (b"$B", "utf-8"),
    ],
)
def test_escapes_of_japanese(escape, name):
    assert found(escape + b'$"' * 9 + b"\x1b(B")[0] == name


# --- Legacy encodings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("few", "n", "is_mixed"),
    [("utf-8", 6, True), ("utf-8", 5, False), ("cp1250", 3, True), ("cp1250", 2, False)],
)
def test_a_few_characters_of_either_kind_make_a_mixed_page(few, n, is_mixed):
    many = "utf-8" if few == "cp1250" else "cp1250"
    words = ["xřx".encode(few)] * n + ["xřx".encode(many)] * 9
    assert (found(b" ".join(words))[1] == "utf-8-mixed") is is_mixed


@pytest.mark.parametrize(
    ("n_letters", "n_others", "is_latin"),
    [
        (20, 0, True),  # twenty letters of one language
        (19, 0, False),
        (19, 1, True),  # 95 of 100
        (18, 1, False),
        (18, 2, False),
    ],
)
def test_a_label_of_another_script_on_a_page_that_is_plainly_latin(n_letters, n_others, is_latin):
    page = b" ".join([b"x\xe9x"] * n_letters + [b"x\xd7x"] * n_others)
    assert (found(page, "windows-1251")[0] == "windows-1252") is is_latin


@pytest.mark.parametrize(("n_bad", "reason"), [(7, "declared-http"), (8, "detected")])
def test_six_errors_in_a_hundred_speak_against_a_label(n_bad, reason):
    # One more: the page may be cut inside its last character.
    page = RUSSIAN * 20
    assert found(page[n_bad:] + NO_CHARACTER * n_bad, "windows-1251")[1] == reason


@pytest.mark.parametrize(
    ("name", "page", "expected"),
    [
        ("KOI8-R", b"\xc1\xc2\xc3\xc4" * 3, ("koi8-u", "detected")),
        # The detector is not believed if there are five letters only.
        ("WINDOWS-1251", b" x\xe9x" * 4 + b" x\xd7x", ("windows-1252", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 5 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 9 + b" x\xd7x", ("windows-1252", "detected")),  # nine of ten
        ("WINDOWS-1251", b" x\xe9x" * 8 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", RUSSIAN * 16 + NO_CHARACTER * 27, ("windows-1251", "detected")),
        ("WINDOWS-1251", RUSSIAN * 16 + NO_CHARACTER * 29, ("windows-1252", "fallback")),
        (None, b"\xc1\xc2\xc3\xc4" * 3, ("windows-1252", "fallback")),
        (None, b" x\xe9x" * 9, ("windows-1252", "fallback")),
        ("WINDOWS-1252", b" x\xe9x" * 9, ("windows-1252", "detected")),
        ("WINDOWS-1250", b" \x93 ", ("windows-1252", "detected")),  # a quote is the same in both
    ],
)
def test_what_becomes_of_a_guess(monkeypatch, name, page, expected):
    monkeypatch.setattr(cchardet, "detect", lambda _: {"encoding": name})
    assert found(page) == expected
