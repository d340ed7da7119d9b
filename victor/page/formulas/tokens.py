"""Identifiers, numbers, operators and texts of MathML as TeX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from victor.page.formulas.pieces import NOTHING, Kind, Piece, joined
from victor.page.formulas.symbols import (
    BARS,
    CLOSING,
    FUNCTIONS,
    INVISIBLE,
    OPENING,
    PRIMES,
    RELATIONS,
    STYLES,
    symbol,
)
from victor.page.formulas.trees import Node

TEXT_ESCAPES: Final = str.maketrans(
    {"\\": "\\textbackslash ", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#",
     "%": "\\%", "_": "\\_", "^": "\\textasciicircum ", "~": "\\textasciitilde ",
     "\u00a0": " "}
)  # fmt: skip


def identifier(node: Node) -> Piece:
    """TeX of an ``<mi>``: a letter, a function, or an upright name of several letters."""
    text, variant = node.token(), node.attributes.get("mathvariant", "")
    if not text:
        return NOTHING
    if text in FUNCTIONS:
        return Piece("\\" + text, Kind.FUNCTION)
    if len(text) == 1 and text in PRIMES:
        return Piece("'" * PRIMES[text], Kind.PRIME)
    if not text.isascii():
        tex = symbols(text)
        is_bold = "bold" in variant and len(text) == 1 and tex.startswith("\\")
        return Piece(f"\\boldsymbol{{{tex}}}" if is_bold else tex) if tex else NOTHING
    command = STYLES.get(variant, "" if len(text) == 1 or variant == "italic" else "mathrm")
    is_name = text.replace(" ", "").isalnum()
    if not command or not is_name:
        return Piece(symbols(text))
    return Piece(f"\\{command}{{{text}}}")


def number(node: Node) -> Piece:
    """TeX of an ``<mn>``."""
    text, variant = node.token(), node.attributes.get("mathvariant", "")
    tex = "\\,".join(map(symbols, text.split()))
    command = STYLES.get(variant) if variant != "normal" else None
    return Piece(f"\\{command}{{{tex}}}" if command and tex else tex) if tex else NOTHING


def operator(node: Node) -> Piece:
    """TeX of an ``<mo>``, which is more than a sign: it says how it stands beside others."""
    text = node.token()
    grows = node.attributes.get("stretchy", "").lower() != "false"
    if text in OPENING:
        return Piece(OPENING[text], Kind.OPEN, grows)
    if text in CLOSING:
        return Piece(CLOSING[text], Kind.CLOSE, grows)
    if text in BARS:
        return _bar(text, node.attributes, grows=grows)
    if text and all(character in PRIMES for character in text):
        return Piece("'" * sum(PRIMES[character] for character in text), Kind.PRIME)
    if text in (",", ";"):
        return Piece(text, Kind.PUNCTUATION)
    if text in FUNCTIONS:
        return Piece("\\" + text, Kind.FUNCTION)
    if len(text) > 1 and text.replace(" ", "").isalpha() and text.isascii():
        return Piece(f"\\operatorname{{{text}}}", Kind.FUNCTION)
    tex = symbols(text)
    if not tex:
        return NOTHING
    return Piece(tex, Kind.INFIX if text[0] in RELATIONS else Kind.ORDINARY)


def _bar(text: str, attributes: Mapping[str, str], *, grows: bool) -> Piece:
    """A bar opens or closes what it says, or stands between two things."""
    role = attributes.get("data-mjx-texclass", "") or attributes.get("form", "").upper()
    kinds = {"OPEN": Kind.OPEN, "CLOSE": Kind.CLOSE, "PREFIX": Kind.OPEN, "POSTFIX": Kind.CLOSE}
    if role in kinds:
        return Piece(BARS[text], kinds[role], grows)
    return Piece(symbol(text), Kind.INFIX if text in RELATIONS else Kind.ORDINARY, grows)


def symbols(text: str) -> str:
    """TeX of a few characters in mathematics."""
    return joined([Piece(symbol(sign)) for sign in text if sign not in INVISIBLE])


def words(node: Node) -> Piece:
    """TeX of an ``<mtext>`` or of text that stands in no element."""
    text = node.token()
    written = node.children[0].text if len(node.children) == 1 else node.text
    # White space at the ends does not count; but one space there was meant.
    if text and written.strip(" ") == text:
        text = written
    text = text.translate(TEXT_ESCAPES)
    if not text:
        return NOTHING
    if text.isspace():
        return Piece("\\ ")
    variant = node.attributes.get("mathvariant", "")
    command = {"bold": "textbf", "italic": "textit", "monospace": "texttt"}.get(variant, "text")
    return Piece(f"\\{command}{{{text}}}")


def string(node: Node) -> Piece:
    """TeX of an ``<ms>``."""
    return Piece(f'\\text{{"{node.token().translate(TEXT_ESCAPES)}"}}')
