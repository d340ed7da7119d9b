"""Decode pages that are not UTF-8, and ASCII that stands for other text.

The declared encoding counts if the bytes bear it out, else a detector decides. The head is scanned
as the prescan of the HTML standard does it (section 13.2.3.2), with the two differences that
Chromium has: elements whose content is no markup are skipped, and after 1,024 bytes the scan goes
on to the end of the head, where other browsers start anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from victor.page.decoding.decode import AsUtf8, Decoded, ascii_count
from victor.page.decoding.letters import (
    FEWEST,
    LATIN,
    ONE_LANGUAGE,
    Letters,
    likeliest,
    mixed_text,
    read_latin,
    without_controls,
)
from victor.page.decoding.web_codecs import decode_as
from victor.page.plain_data import valid

_SAMPLE = 1 << 14  # bytes that tell the encodings of a script apart
_BEYOND_WHATWG = {  # old pages of Central Europe; the detector knows these, browsers do not
    "cp852": "cp852",
    "ibm437": "cp437",
    "ibm850": "cp850",
    "ibm852": "cp852",
    "ibm855": "cp855",
    "ibm862": "cp862",
    "ibm865": "cp865",
    "maccentraleurope": "mac_latin2",
    "x-mac-ce": "mac_latin2",
}
_DETECTOR_NAMES = {  # KOI8-U has every letter of KOI8-R and the Ukrainian ones
    "koi8-r": "koi8-u",
    "maccyrillic": "x-mac-cyrillic",
    "uhc": "euc-kr",
}
_SEVEN_BIT = {  # label -> name and codec
    "csiso2022jp": ("iso-2022-jp", "iso2022_jp_ext"),
    "csiso2022kr": ("iso-2022-kr", "iso2022_kr"),
    "hz-gb-2312": ("hz-gb-2312", "hz"),
    "iso-2022-jp": ("iso-2022-jp", "iso2022_jp_ext"),
    "iso-2022-kr": ("iso-2022-kr", "iso2022_kr"),
}


def _labels(page: bytes, declared: str | None) -> Iterator[tuple[str, str]]:
    """Declared labels in order of authority: HTTP header, `meta` elements, XML declaration."""
    if declared is not None:
        yield "declared-http", normalized(declared.strip(" \t\r\n\f\"'"))
    for label in declared_labels(page):
        yield "declared", label


def _resolve(label: str) -> str | None:
    """Name of the encoding; None if unknown or if it is Unicode.

    A page whose markup is readable as ASCII is not UTF-16, whatever it says, and what is UTF-8 is
    found without labels.
    """
    if name := _BEYOND_WHATWG.get(label):
        return name
    name = standard_name(label)
    if name is None or name == "replacement" or name.startswith("utf-"):
        return None
    # An encoding for scripts that take the bytes apart; as browsers do with a `meta` element.
    return "windows-1252" if name == "x-user-defined" else name


def standard_name(label: str) -> str | None:
    """What the Encoding Standard calls the encoding of a label; None if that is no label of it."""
    from webencodings import lookup  # rarely needed, so not on import

    encoding = lookup(label)
    return None if encoding is None else str(encoding.name)


def seven_bit(page: bytes, declared: str | None) -> Decoded | None:
    """Decode ASCII bytes that stand for other text, if declared or unmistakable."""
    for reason, label in _labels(page, declared):
        if label in _SEVEN_BIT and (decoded := _shifted(page, label, reason)):
            return decoded
    # One byte is found much faster than three, and hardly any page has it.
    if b"\x1b" in page and (b"\x1b$B" in page or b"\x1b$@" in page):
        return _shifted(page, "iso-2022-jp", "detected")
    return None


def _shifted(page: bytes, label: str, reason: str) -> Decoded | None:
    """Decode 7-bit bytes, or None if that yields nothing but ASCII or many errors."""
    name, codec = _SEVEN_BIT[label]
    text = page.decode(codec, "replace")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return Decoded(text, name, reason) if text.count("\ufffd") * 10 < foreign else None


def not_utf8(page: bytes, declared: str | None) -> Decoded:
    """Decode bytes that are not valid UTF-8 throughout."""
    labels = list(_labels(page, declared))
    says_utf8 = any(standard_name(label) == "utf-8" for _, label in labels)
    as_utf8 = AsUtf8.of(page)
    if of_both := mixed(page, as_utf8, declared):
        return of_both
    if as_utf8.is_utf8(sequences_per_error=1 if says_utf8 else 3):
        return Decoded(as_utf8.text, "utf-8", "utf-8-damaged")
    letters = Letters.of(page)
    for reason, label in labels:
        if decoded := _as_declared(page, letters, label, reason):
            return decoded
    return _as_guessed(page, letters)


def mixed(page: bytes, as_utf8: AsUtf8, declared: str | None) -> Decoded | None:
    """Decode a page of which a part is UTF-8 and another in a Latin encoding."""
    if min(as_utf8.valid, as_utf8.errors) < FEWEST:
        return None
    names = (_resolve(label) for _, label in _labels(page, declared))
    text = mixed_text(page, next((name for name in names if name in LATIN), "windows-1252"))
    return None if text is None else Decoded(text, "utf-8", "utf-8-mixed")


def _as_declared(page: bytes, letters: Letters, label: str, reason: str) -> Decoded | None:
    """Decode by a label, or by the Latin encoding it should have named; None if implausible."""
    name = _resolve(label)
    if name is None:
        return None
    chosen, share = letters.arbitrate(name if name in LATIN else "windows-1252")
    if name not in LATIN:
        if not letters.runs and letters.count >= 20 and share >= 0.95:
            return None
        read = likeliest(_around_letters(page, _SAMPLE), name)
        text = _sound_text(page, read, tolerance=0.06)
        return None if text is None else Decoded(text, read, reason if read == name else "detected")
    if letters.rule_out_latin(share):
        return None
    return Decoded(read_latin(page, chosen), chosen, reason if chosen == name else "detected")


def _as_guessed(page: bytes, letters: Letters) -> Decoded:
    """Decode by the detector, checked against the letters inside words."""
    guess = _detect(page)
    preferred = guess if guess and guess in LATIN else "windows-1252"
    chosen, share = letters.arbitrate(preferred)
    is_latin = not letters.rule_out_latin(share)
    # Few letters mislead the detector into encodings that hardly any page uses.
    settled = is_latin and (share >= ONE_LANGUAGE or letters.count < 6)
    if guess and guess not in LATIN and not settled:
        guess = likeliest(_around_letters(page, _SAMPLE), guess)
        text = _sound_text(page, guess, tolerance=0.25)
        if text is not None:
            return Decoded(text, guess, "detected")
    western = read_latin(page, "windows-1252")
    if not is_latin or (guess is None and chosen == "windows-1252"):
        return Decoded(western, "windows-1252", "fallback")
    text = read_latin(page, chosen)
    # Where it makes no difference, as with quotes and dashes only, name the common encoding.
    return Decoded(text, "windows-1252" if western == text else chosen, "detected")


def _detect(page: bytes) -> str | None:
    """The detector's encoding, or None if it has none that can be used."""
    import cchardet  # rarely needed, so not on import

    name = cchardet.detect(_around_letters(page))["encoding"]
    if name is None:
        return None
    return _resolve(_DETECTOR_NAMES.get(name.lower(), name.lower()))


_FROM_HIGH_BYTE = re.compile(rb"[\x80-\xff][^<>\r\n]*")


def _around_letters(page: bytes, limit: int = 1 << 16) -> bytes:
    """At most `limit` bytes of tag-free text around non-ASCII bytes, wherever they stand."""
    pieces: list[bytes] = []
    size = end = 0
    for match in _FROM_HIGH_BYTE.finditer(page):
        # A word may begin with ASCII letters; a long line may be a script with one such byte.
        left = page[max(end, match.start() - 20) : match.start()].rpartition(b">")[2]
        pieces.append(left + match[0][:1000])
        size += len(pieces[-1]) + 1
        end = match.end()
        if size >= limit:
            break
    return b"\n".join(pieces)[:limit]


_C1_OR_ERROR = re.compile("[\x80-\x9f\ufffd]")


def _sound_text(page: bytes, name: str, *, tolerance: float) -> str | None:
    """Decoded text, or None if errors and C1 controls exceed a share of the high bytes."""
    text = decode_as(page, name)
    bad = len(_C1_OR_ERROR.findall(text))
    high = len(page) - ascii_count(page)
    # One more: a page may be cut inside its last character.
    if bad >= high or bad > tolerance * high + 1:
        return None
    return valid(without_controls(text, "cp1252"))


# --- What a page says of its encoding -------------------------------------------------------------

_SURE: Final = 1024  # bytes that are scanned wherever the head ends
_MOST: Final = 1 << 16
_MARKUP: Final = re.compile(rb"<(?:!--|/?([A-Za-z][^\t\n\f\r />]*+)|[!/?])")
_ATTRIBUTE: Final = re.compile(
    rb"""
    [\t\n\f\r\x20/]*+ ([^\t\n\f\r\x20/>][^\t\n\f\r\x20/>=]*+)
    (?: [\t\n\f\r\x20]*+ = [\t\n\f\r\x20]*+
        (?: "([^"]*+)" | '([^']*+)' | ([^\t\n\f\r\x20>"'][^\t\n\f\r\x20>]*+) | (?=>) | (["']) ) )?
    """,
    re.VERBOSE,
)
"""Name, value in one of three forms; the last group is a quotation mark that nothing ends."""
_CHARSET: Final = re.compile(
    rb"""
    charset [\t\n\f\r\x20]*+ = [\t\n\f\r\x20]*+
    (?: "([^"]*+)" | '([^']*+)' | ([^\t\n\f\r\x20;"'][^\t\n\f\r\x20;]*+) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_XML: Final = re.compile(
    rb"<\?xml\b[^<>]*?[\t\n\f\r ]encoding\s*=\s*[\"']\s*([\w.:+-]+)", re.IGNORECASE
)
_IN_HEAD: Final = frozenset(
    b"html head meta title link base style script noscript object template bgsound".split()
)
_NO_MARKUP: Final = frozenset(b"title script style textarea xmp iframe noembed noframes".split())
_SPACE: Final = " \t\n\f\r"


def declared_labels(page: bytes) -> Iterator[str]:
    """Labels of encodings that a page names, in order of authority, in lower case.

    Browsers take the first that is a label of the Encoding Standard.

    Args:
        page: without byte order mark.
    """
    head = page[:_MOST]
    for value in _meta_labels(head):
        yield normalized(value.decode("latin-1"))
    if xml := _XML.match(head[:_SURE].lstrip()):
        yield normalized(xml[1].decode("latin-1"))


def normalized(label: str) -> str:
    """A label as the standard compares it: without space around it, in lower case."""
    return label.strip(_SPACE).lower()


def _meta_labels(head: bytes) -> Iterator[bytes]:
    at = 0
    while markup := _MARKUP.search(head, at):
        name = (markup[1] or b"").lower()
        if markup.start() >= _SURE and name and name not in _IN_HEAD:
            return
        if not name:
            # "<!-->" is a whole comment.
            end, offset = (b"-->", 2) if markup[0] == b"<!--" else (b">", 1)
            at = head.find(end, markup.start() + offset) + len(end)
            if at < len(end):
                return
            continue
        attributes, at = _attributes(head, markup.end())
        if at < 0:
            return
        if markup[0][1:2] == b"/":
            continue
        if name == b"meta":
            label = _label(attributes)
            if label is not None:
                yield label
        elif name in _NO_MARKUP:
            at = _end_of_element(head, name, at)


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """Attributes of a tag, the first of every name, and where they end; -1 if they do not."""
    attributes: dict[bytes, bytes] = {}
    while attribute := _ATTRIBUTE.match(head, at):
        name, *values, unended = attribute.groups(b"")
        if unended:
            return {}, -1
        attributes.setdefault(name.lower(), b"".join(values))
        at = attribute.end()
    end = head.find(b">", at)
    return attributes, end + 1 if end >= 0 else -1


def _label(attributes: dict[bytes, bytes]) -> bytes | None:
    """The label of a `meta` element, if it has one."""
    if b"charset" in attributes:
        return attributes[b"charset"]
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    charset = _CHARSET.search(attributes.get(b"content", b""))
    return None if charset is None else b"".join(charset.groups(b""))


def _end_of_element(head: bytes, name: bytes, at: int) -> int:
    """Where the content of an element that holds no markup ends, or the head."""
    end = re.compile(rb"</%s[\t\n\f\r />]" % name, re.IGNORECASE).search(head, at)
    return len(head) if end is None else end.start()
