"""Bytes to text: every way to the encoding, lying labels, damage, and never an exception."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from victor.page.decoding.decode import Decoded, decode

CZECH = (
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Nechť již hříšné saxofony ďáblů rozezvučí síň "
    "úděsnými tóny waltzu, tanga a quickstepu. Šťastná žába Žofie."
)
SLOVAK = (
    "Kŕdeľ šťastných ďatľov učí pri ústí Váhu mĺkveho koňa obhrýzať kôru a žrať čerstvé mäso. "
    "Ľuboš ľúbi Ľubicu, lebo je veľmi milá."
)
POLISH = (
    "Pchnąć w tę łódź jeża lub ośm skrzyń fig. Zażółć gęślą jaźń, "
    "a potem odpocznij chwilę w cieniu świerków."
)
FRENCH = (
    "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis. "
    "Là-bas, l’élève a déjà mangé où le garçon fêtait Noël."
)
DANISH = "Høj bly gom vandt fræk sexquiz på wc. Rødgrød med fløde er lækker, sagde Søren på øen."
RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей же чаю. Пёс лает на соседей."
JAPANESE = "今日はとても天気がいいので、友だちと公園へ散歩に行きました。カタカナもあります。"
KOREAN = (
    "오늘은 날씨가 아주 좋아서 친구들과 함께 공원에 산책하러 갔습니다. 저녁에는 집에 와서 "
    "어머니와 함께 맛있는 음식을 먹었습니다."
)
CHINESE = "今天天气很好，我们一起去公园散步，看到很多人在湖边唱歌跳舞。"
CENTRAL = ("windows-1250", "iso-8859-2")
PYTHON = {"windows-1250": "cp1250", "windows-1252": "cp1252", "iso-8859-2": "iso8859-2"}
SURROGATE = re.compile("[\ud800-\udfff]")


def page(text, encoding, *, label=None):
    """A small page in an encoding, with or without a `meta` element that names one."""
    meta = f'<meta charset="{label}">' if label else ""
    markup = f"<html><head>{meta}</head><body><p>{text}</p></body></html>"
    return markup.encode(PYTHON.get(encoding, encoding))


def read(text, encoding, *, label=None, declared=None):
    """Decode such a page; its paragraph, the encoding found, the reason."""
    found = decode(page(text, encoding, label=label), declared=declared)
    return re.search("<p>(.*)</p>", found.text, re.DOTALL)[1], found.encoding, found.reason


# --- Unicode ---------------------------------------------------------------------------------


def test_text_is_returned_as_it_is():
    assert decode(CZECH) == Decoded(CZECH, "unicode", "text")


def test_a_mark_left_in_text_is_removed():
    assert decode("\ufeff<p>a").text == "<p>a"


def test_lone_surrogates_are_replaced_and_pairs_joined():
    assert decode("a\ud800b\udc80c\ud83d\ude00").text == "a\ufffdb\ufffdc\U0001f600"


@pytest.mark.parametrize("label", [None, "windows-1250", "iso-8859-1", "shift_jis", "utf-16"])
def test_valid_utf8_beats_every_label(label):
    assert read(CZECH, "utf-8", label=label, declared=label) == (CZECH, "utf-8", "utf-8")


def test_empty_input():
    assert decode(b"") == Decoded(b"", "utf-8", "utf-8")
    assert decode("") == Decoded("", "unicode", "text")


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16le"),
        (b"\xfe\xff", "utf-16be"),
        (b"\xff\xfe\0\0", "utf-32le"),
        (b"\0\0\xfe\xff", "utf-32be"),
    ],
)
def test_byte_order_mark_beats_labels(bom, encoding):
    marked = bom + CZECH.encode(encoding)
    assert decode(marked, declared="windows-1250") == Decoded(CZECH, encoding, "bom")


def test_utf8_mark_before_a_legacy_page_is_not_believed():
    legacy = page(CZECH, "windows-1250", label="windows-1250")
    found = decode(b"\xef\xbb\xbf" + legacy)
    assert found == Decoded(legacy.decode("cp1250"), "windows-1250", "declared")


def test_zero_bytes_alone_are_not_utf16():
    assert decode(b"a\0\0b\0cc" * 9).encoding == "utf-8"
    assert decode(b"\0").text == "\0"


@pytest.mark.parametrize("label", [None, "utf-8", "windows-1250"])
def test_one_broken_sequence_does_not_spoil_a_utf8_page(label):
    good = page(CZECH * 300, "utf-8", label=label)
    middle = good.index("ů".encode(), len(good) // 2)
    found = decode(good[:middle] + b"\xff" + good[middle:])
    assert (found.encoding, found.reason) == ("utf-8", "utf-8-damaged")
    assert found.text.replace("\ufffd", "", 1) == good.decode()


def test_utf8_cut_inside_its_last_character():
    found = decode("Žluťoučký kůň".encode()[:-1])
    assert found == Decoded("Žluťoučký ků\ufffd", "utf-8", "utf-8-damaged")


def test_a_single_legacy_letter_at_the_end_is_not_cut_utf8():
    assert decode("café".encode("cp1252")).text == "café"


MARKUP = "<!DOCTYPE html><html><body><p>{}</p></body></html>"


@pytest.mark.parametrize("order", ["new old", "old new", "new new new old", "new old old old"])
@pytest.mark.parametrize("legacy", ["cp1250", "iso8859-2"])
@pytest.mark.parametrize("text", [CZECH, SLOVAK, POLISH], ids=["cs", "sk", "pl"])
def test_a_page_half_in_utf8_half_in_another_encoding(text, legacy, order):
    encodings = {"new": "utf-8", "old": legacy}
    raw = b"".join(MARKUP.format(text).encode(encodings[part]) for part in order.split())
    found = decode(raw)
    assert found.text == MARKUP.format(text) * len(order.split())
    assert (found.encoding, found.reason) == ("utf-8", "utf-8-mixed")


def test_a_western_page_with_comments_in_utf8():
    raw = MARKUP.format(FRENCH).encode("cp1252") + MARKUP.format(JAPANESE).encode()
    found = decode(raw, declared="iso-8859-1")
    assert found.text == MARKUP.format(FRENCH) + MARKUP.format(JAPANESE)


@pytest.mark.parametrize(
    "encoding", ["cp1251", "koi8-r", "cp932", "euc-jp", "gbk", "cp949", "big5"]
)
def test_other_scripts_are_not_taken_for_two_encodings(encoding):
    text = {"cp932": JAPANESE, "euc-jp": JAPANESE, "cp949": KOREAN}.get(encoding, RUSSIAN)
    text = CHINESE.replace("气", "").replace("边", "") if encoding in ("gbk", "big5") else text
    raw = "".join(f"<p>{word}</p>" for word in [text, *text.split()] * 20).encode(
        encoding, "ignore"
    )
    found = decode(raw, declared=encoding)
    assert found.reason in ("declared-http", "detected")
    assert found.text == raw.decode(encoding)


def test_utf8_cut_in_the_middle_of_characters_is_not_taken_for_two_encodings():
    # As programs do that shorten texts by bytes.
    titles = [
        title.encode()[: size + 20] + b"..." for title in (CZECH, POLISH) for size in range(40)
    ]
    raw = b"<p>" + b"</p>\n<p>".join(titles) + b"</p>" + CZECH.encode() * 9
    found = decode(raw)
    assert found.reason == "utf-8-damaged"
    assert found.text == raw.decode("utf-8", "replace")


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1250"])
def test_a_wide_mark_before_bytes_that_are_not(mark, encoding):
    raw = MARKUP.format(CZECH).encode(encoding)
    assert decode(mark + raw).text == MARKUP.format(CZECH)


def test_wide_text_of_chinese_only_keeps_its_mark():
    # No zero bytes, and the first sign is that of "<p" in ASCII.
    text = "\u703c" + CHINESE.replace("，", "").replace("。", "")
    assert decode(b"\xff\xfe" + text.encode("utf-16-le")).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf8_mark_before_wide_text(encoding):
    raw = b"\xef\xbb\xbf" + MARKUP.format(CZECH).encode(encoding)
    assert decode(raw).text == MARKUP.format(CZECH)


# --- Declarations ----------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["utf-8", "utf-16", "bogus", "x-user-defined", "replacement", ""])
def test_labels_that_cannot_be_right_are_passed_over(label):
    assert read(CZECH, "windows-1250", declared=label)[0] == CZECH


@pytest.mark.parametrize("label", ["hz-gb-2312", "iso-2022-jp", "iso-2022-kr"])
@pytest.mark.parametrize("text", ["a plain page", "1+1=2 ~{ ~user \x1b[31m red"])
def test_ascii_stays_ascii_under_a_seven_bit_label(label, text):
    assert read(text, "ascii", declared=label) == (text, "utf-8", "utf-8")


# --- Central Europe --------------------------------------------------------------------------

LABELS = [None, "windows-1250", "iso-8859-2", "iso-8859-1", "windows-1252", "utf-8"]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("encoding", CENTRAL)
@pytest.mark.parametrize("text", [CZECH, SLOVAK, POLISH], ids=["cs", "sk", "pl"])
def test_central_european_encodings_are_told_apart_whatever_the_label(text, encoding, label):
    found, name, reason = read(text, encoding, label=label)
    assert (found, name) == (text, encoding)
    assert reason == ("declared" if label == encoding else "detected")


@pytest.mark.parametrize("encoding", CENTRAL)
@pytest.mark.parametrize("label", [None, *CENTRAL])
@pytest.mark.parametrize("word", ["šťáva", "žába", "kaše", "příští", "nožem"])
def test_one_word_is_enough_between_the_two(word, label, encoding):
    # Inside a word; at its edge ť and Š may be the » and © of the other encoding.
    assert read(f"Dnes {word} tady, řeka", encoding, label=label)[0] == f"Dnes {word} tady, řeka"


@pytest.mark.parametrize("label", [None, "windows-1252", "iso-8859-1"])
@pytest.mark.parametrize("text", [FRENCH, DANISH], ids=["fr", "da"])
def test_western_pages_stay_western(text, label):
    assert read(text, "windows-1252", label=label)[:2] == (text, "windows-1252")


def test_windows_punctuation_does_not_turn_an_iso_page():
    # Quotes pasted from a word processor are no letters: the letters decide, the quotes are kept.
    iso = "Řekl: {}šťastný žeň, složitá síť, těžší úděl{} a odešel {} pryč."
    raw = iso.encode("iso8859-2").replace(b"{}", b"\x84", 1).replace(b"{}", b"\x93", 1)
    found = decode(raw.replace(b"{}", b"\x96"), declared="iso-8859-2")
    assert found.text == iso.replace("{}", "„", 1).replace("{}", "“", 1).replace("{}", "–")
    assert found.encoding == "iso-8859-2"


# --- Detector and last resort ----------------------------------------------------------------


def test_undefined_bytes_become_replacement_characters():
    # 0x81 is undefined in windows-1252 and must not become a control.
    found = decode(b"na\xefve caf\xe9 \x81 d\xe9j\xe0", declared="windows-1252")
    assert found.text == "naïve café \ufffd déjà"


# --- Any input -------------------------------------------------------------------------------

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


# --- Cost ------------------------------------------------------------------------------------
