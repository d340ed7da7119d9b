"""Pages whose byte order mark, HTTP header, `meta` elements and bytes agree or contradict.

Every row says what Chromium makes of the page and what Victor does; where the two differ, why. The
rows and the texts stand in `page/decoding/encodings.yaml`: of a row the name, the ASCII `head`, the
`charset` of the `header`, the mark (`bom`, in hexadecimal digits), how the text is `written`, the
key of the `text`, and the `encoding` and the one of the `browser` where they are others.
"""

from pathlib import Path
from typing import NamedTuple

import yaml

_DATA = yaml.safe_load(
    (Path(__file__).parent / "page" / "decoding" / "encodings.yaml").read_text("utf-8")
)
SAMPLES = _DATA["samples"]
"""By the name that the Encoding Standard has for the encoding."""
PROSE = _DATA["prose"]
KINDRED = {name: (each["written"], each["labels"]) for name, each in _DATA["kindred"].items()}
"""Of each prose the encodings that it is written in, and their labels and those of their kin."""
PYTHON, WHY = _DATA["python"], _DATA["why"]
SPECIAL = {
    "koi8-u": {"Ў": b"\xbe"},
    "gbk": {"€": b"\x80"},
    "euc-jp": {"①": b"\xad\xa1", "㈱": b"\xad\xea", "髙": b"\xfc\xe2"},
}
"""Signs that Python's codecs lack; rows of NEC and IBM lie elsewhere in code page 932."""


def encoded(text, encoding):
    """Text as pages of an encoding have it."""
    codec, special = PYTHON.get(encoding, encoding), SPECIAL.get(encoding, {})
    if not special:
        return text.encode(codec)
    return b"".join(special.get(character) or character.encode(codec) for character in text)


class Case(NamedTuple):
    """A page and what becomes of it.

    Attributes:
        name: what is special about it.
        header: `charset` of the HTTP header, or None.
        page: the bytes.
        text: what stands in its only paragraph.
        encoding: what Victor finds; it reads the text right in every row.
        browser: what Chromium finds; None where it guesses by means of its own.
        why: the reason for another result; then Chromium shows something else than the text, or
            nothing that can be compared.
    """

    name: str
    header: str | None
    page: bytes
    text: str
    encoding: str
    browser: str | None
    why: str


def case(
    name, head="", *, header=None, bom="", written="windows-1251", text="windows-1251", **found
):
    """A row; the head is written in the encoding too. `found`: encoding, browser and why."""
    text = {**SAMPLES, **PROSE, **_DATA["texts"]}.get(text, text)
    if written in PYTHON or written in SAMPLES:
        markup = f"{head}<p>".encode() + encoded(text, written) + b"</p>"
    else:
        markup = f"{head}<p>{text}</p>".encode(written)
    encoding = found.get("encoding", written)
    why = WHY.get(found.get("why"), found.get("why", ""))
    page = bytes.fromhex(bom) + markup
    return Case(name, header, page, text, encoding, found.get("browser", encoding), why)


_DECLARED = [
    case(f"{how} {name}", head, header=header, written=name, text=name)
    for name in SAMPLES
    for how, head, header in (("meta", f'<meta charset="{name}">', None), ("header", "", name))
]
_GUESSED = [
    case(f"nothing, {name}", written=name, text=SAMPLES[name] * 3, browser=None, why="guess")
    for name in (
        *("utf-8", "windows-1250", "iso-8859-2", "windows-1251", "shift_jis", "euc-kr"),
        *("windows-1252", "iso-2022-jp"),
    )
]
_MISLABELLED = [
    case(f"{language} in {name} labelled {label}", f"<meta charset={label}>", written=name,
         text=language, browser=label, why="bytes")
    for language, (names, labels) in KINDRED.items()
    for name in names.split()
    for label in labels.split()
    if label != name
]  # fmt: skip
CASES = [*_DECLARED, *(case(**row) for row in _DATA["rows"]), *_GUESSED, *_MISLABELLED]
"""Contradictions about the encoding."""
