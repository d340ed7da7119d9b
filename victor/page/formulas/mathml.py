"""Presentation MathML to TeX (MathML Core, W3C; MathML 3, chapter 3).

Written here because nothing on the package index does it well: the one converter that is not years
old (mathml-to-latex) reads XML only, recurses as deep as a page nests, raises on a script without
its base, and loses alignment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from victor.page.formulas.pieces import NOTHING, TALL, Kind, Piece, joined, with_bars
from victor.page.formulas.symbols import (
    ARROWS,
    BARS,
    CLOSING,
    FUNCTIONS,
    LARGE,
    LIMITED,
    OPENING,
    OVER,
    PRIMES,
    UNDER,
    symbol,
)
from victor.page.formulas.tokens import TEXT_ESCAPES, identifier, number, operator, string, words
from victor.page.formulas.trees import Node

DEEPEST: Final = 60
"""Elements within one another that count; what is deeper stands in the last of them."""
_TOKENS: Final = frozenset({"mi", "mn", "mo", "mtext", "ms", "#text"})
_SCRIPTS: Final = frozenset({"msub", "msup", "msubsup"})
_UNSEEN: Final = frozenset({"annotation", "annotation-xml", "mprescripts", "none", "maligngroup"})
_MATRICES: Final = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix",
    ("‖", "‖"): "Vmatrix", ("∥", "∥"): "Vmatrix", ("∣", "∣"): "vmatrix",
}  # fmt: skip
_ENCLOSED: Final = {
    "top": "overline", "bottom": "underline", "box": "boxed", "roundedbox": "boxed",
    "updiagonalstrike": "cancel", "downdiagonalstrike": "bcancel", "horizontalstrike": "sout",
    "radical": "sqrt",
}  # fmt: skip
_LENGTH: Final = re.compile(r"\s*+(-?\d{0,6}\.?\d{0,6})\s*+(em|ex|px|pt|cm|mm|in)\s*+\Z")
_EMS: Final = {
    "em": 1.0, "ex": 0.43, "px": 1 / 16, "pt": 0.08, "cm": 2.4, "mm": 0.24, "in": 6.0,
}  # fmt: skip
_NAMED_SPACES: Final = {
    "veryverythinmathspace": 0.06, "verythinmathspace": 0.11, "thinmathspace": 0.17,
    "mediummathspace": 0.22, "thickmathspace": 0.28, "verythickmathspace": 0.33,
    "veryverythickmathspace": 0.39,
}  # fmt: skip
_SPACES: Final = ((0.05, ""), (0.2, "\\,"), (0.25, "\\:"), (0.6, "\\;"), (1.5, "\\quad"))
"""Widths in em up to which a command stands for a space."""


def tex_of(root: Node, *, display: bool = False) -> str:
    r"""TeX of a formula, "" for one that holds nothing.

    Its braces are balanced whatever the tree is. Time is linear in the tree, whose depth counts up
    to `DEEPEST`.

    Args:
        root: a ``<math>`` or any of its elements.
        display: the formula has lines of its own, so that it may have a number.

    >>> tex_of(Node("mroot", children=[Node("mn", text="8"), Node("mn", text="3")]))
    '\\sqrt[3]{8}'
    """
    label = _label(root) if display else ""
    return (_tex(root.flattened(DEEPEST)) + label).strip()


def _tex(node: Node) -> str:
    """TeX of an element by itself."""
    return joined(_pieces([node]))


def _piece(node: Node) -> Piece:
    """TeX of an element among others."""
    name = node.name
    if name in _UNSEEN:
        return NOTHING
    read = _READERS.get(name)
    if read is not None:
        return read(node)
    pieces = _pieces(_children(node))
    return pieces[0] if len(pieces) == 1 else Piece(joined(pieces)) if pieces else NOTHING


def _children(node: Node) -> list[Node]:
    """Elements in an element, and texts that are not blank; of several notations the first."""
    inner = [child for child in node.children if child.name != "#text" or child.text.strip()]
    return inner[:1] if node.name == "semantics" else inner


def _only(node: Node) -> Node:
    """What an element holds, if it holds one thing and draws nothing itself."""
    while node.name not in _READERS and len(inner := _children(node)) == 1:
        node = inner[0]
    return node


# --- Rows ----------------------------------------------------------------------------------------


def _pieces(nodes: Sequence[Node]) -> list[Piece]:
    """TeX of elements side by side; brackets around a table or a binomial belong to it."""
    while len(nodes) == 1 and nodes[0].name not in _READERS and nodes[0].name not in _UNSEEN:
        nodes = _children(nodes[0])
    pieces: list[Piece] = []
    at = 0
    while at < len(nodes):
        piece, n_read = _fenced(nodes, at)
        if piece is None:
            piece = _piece(nodes[at])
            if piece.tex.startswith("\\mathrm{") and _is_applied(nodes, at):
                piece = Piece("\\operatorname" + piece.tex[7:], Kind.FUNCTION)
        if piece.kind is not Kind.NOTHING:
            pieces.append(piece)
        at += n_read
    return with_bars(pieces)


def _is_applied(nodes: Sequence[Node], at: int) -> bool:
    return at + 1 < len(nodes) and nodes[at + 1].name == "mo" and nodes[at + 1].token() == "\u2061"


def _fenced(nodes: Sequence[Node], at: int) -> tuple[Piece | None, int]:
    """TeX of brackets with a table or a binomial in them, and how many elements that is."""
    if at + 1 >= len(nodes):
        return None, 1
    opening, inner = _only(nodes[at]), _only(nodes[at + 1])
    if opening.name != "mo" or inner.name not in ("mtable", "mfrac"):
        return None, 1
    closing = _only(nodes[at + 2]) if at + 2 < len(nodes) else None
    ends = closing.token() if closing is not None and closing.name == "mo" else ""
    fence = opening.token(), ends
    if inner.name == "mtable":
        if fence == ("{", ""):
            return Piece(_table(inner, "cases")), 3 if closing and closing.name == "mo" else 2
        if fence in _MATRICES:
            return Piece(_table(inner, _MATRICES[fence])), 3
    elif fence == ("(", ")") and _is_stacked(inner):
        return Piece(f"\\binom{_arguments(inner)}"), 3
    return None, 1


# --- Elements ------------------------------------------------------------------------------------


def _part(node: Node, index: int) -> str:
    """TeX of a child by its position, "" where it is missing."""
    inner = _children(node)
    return _tex(inner[index]) if index < len(inner) else ""


def _arguments(node: Node) -> str:
    return f"{{{_part(node, 0)}}}{{{_part(node, 1)}}}"


def _is_stacked(node: Node) -> bool:
    """Is a fraction without its line."""
    thickness = node.attributes.get("linethickness", "").strip()
    return thickness.startswith("0") and not thickness.strip("0.empxt%")


def _fraction(node: Node) -> Piece:
    if _is_stacked(node):
        return Piece(f"\\genfrac{{}}{{}}{{0pt}}{{}}{_arguments(node)}")
    if node.attributes.get("bevelled", "").lower() == "true":
        return Piece(f"{{{_part(node, 0)}}}/{{{_part(node, 1)}}}")
    return Piece(f"\\frac{_arguments(node)}")


def _square_root(node: Node) -> Piece:
    return Piece(f"\\sqrt{{{joined(_pieces(_children(node)))}}}")


def _root(node: Node) -> Piece:
    index = _part(node, 1)
    if not index:
        return Piece(f"\\sqrt{{{_part(node, 0)}}}")
    return Piece(f"\\sqrt[{f'{{{index}}}' if ']' in index else index}]{{{_part(node, 0)}}}")


def _script(node: Node) -> Piece:
    inner = [*_children(node), *(Node("none") for _ in range(3))]
    has_sub = node.name != "msup"
    sub = inner[1] if has_sub else None
    sup = inner[2] if node.name == "msubsup" else inner[1] if node.name == "msup" else None
    return _with_scripts(inner[0], sub, sup)


def _with_scripts(base: Node, sub: Node | None, sup: Node | None) -> Piece:
    """A base with its indices; those of an empty base stand before what follows."""
    piece = _piece(base)
    below, above = (_in_script(script) if script is not None else "" for script in (sub, sup))
    if not below and not above:
        return piece
    tex = piece.tex or "{}"
    if not _is_atom(_only(base), piece, is_sub=bool(below), is_sup=bool(above)):
        tex = f"{{{tex}}}"
    tex += f"_{{{below}}}" if below else ""
    if above.strip("'"):
        tex += f"^{{{above}}}"
    else:
        tex += above
    kind = piece.kind if piece.kind in _KEPT_KINDS else Kind.ORDINARY
    return Piece(tex, kind)


_KEPT_KINDS: Final = (Kind.FUNCTION, Kind.INFIX)


def _in_script(node: Node) -> str:
    """TeX of an index; primes are signs, and a table is lines above one another."""
    inner = _only(node)
    if inner.name in ("mo", "mi") and (text := inner.token()) and not text.strip("".join(PRIMES)):
        return "'" * sum(PRIMES[sign] for sign in text)
    if inner.name == "mtable":
        return _table(inner, "substack")
    tex = _tex(node)
    return tex if tex.strip("'") else tex.replace("'", "\\prime")


def _is_atom(base: Node, piece: Piece, *, is_sub: bool, is_sup: bool) -> bool:
    """May an index follow a base without braces."""
    if base.name in _SCRIPTS:
        has_sub, has_sup = base.name != "msup", base.name != "msub"
        return not (is_sub and has_sub) and not (is_sup and has_sup)
    if base.name in ("munder", "mover", "munderover"):
        return not piece.tex.startswith(("\\sum", "\\prod")) and "_" not in piece.tex
    if base.name in _TOKENS:
        return piece.kind is not Kind.PRIME
    if base.name in _READERS:
        return base.name in ("msqrt", "mroot", "mfenced", "mtable", "mphantom", "menclose")
    inner = _children(base)
    return bool(inner) and inner[0].token() in OPENING and inner[-1].token() in CLOSING


def _limits(node: Node) -> Piece:
    """Something with what stands below and above it."""
    inner = [*_children(node), *(Node("none") for _ in range(3))]
    base = inner[0]
    under = None if node.name == "mover" else inner[1]
    over = inner[2] if node.name == "munderover" else inner[1] if node.name == "mover" else None
    core = _only(base)
    text = core.token() if core.name in _TOKENS else ""
    if text in LARGE or text in LIMITED & FUNCTIONS or _is_brace(core):
        return _with_scripts(base, under, over)
    if text in ARROWS and core.name == "mo":
        below = f"[{{{_tex(under)}}}]" if under is not None else ""
        return Piece(f"\\{ARROWS[text]}{below}{{{_tex(over) if over else ''}}}", Kind.INFIX)
    if under is not None and over is None and len(text) > 1 and text.isalpha():
        return Piece(f"\\operatorname*{{{text}}}_{{{_in_script(under)}}}", Kind.FUNCTION)
    tex = _over(core, _tex(base), over) if over is not None else _tex(base)
    return Piece(_under(tex, under) if under is not None else tex)


def _is_brace(node: Node) -> bool:
    """Is an element something with a brace above or below it."""
    inner = _children(node) if node.name in ("munder", "mover") else []
    return len(inner) > 1 and _only(inner[1]).token() in ("⏞", "⏟", "︷", "︸")


def _over(base: Node, tex: str, over: Node) -> str:
    sign = _only(over)
    text = sign.token() if sign.name in _TOKENS else ""
    accents = OVER.get(text) if sign.name != "mn" else None
    if accents is None:
        above = _tex(over)
        return f"\\overset{{{above}}}{{{tex}}}" if above else tex
    return f"\\{accents[not (base.name in _TOKENS and len(base.token()) <= 1)]}{{{tex}}}"


def _under(tex: str, under: Node) -> str:
    sign = _only(under)
    accent = UNDER.get(sign.token()) if sign.name in ("mo", "mi", "mtext") else None
    if accent is not None:
        return f"\\{accent}{{{tex}}}"
    below = _in_script(under)
    return f"\\underset{{{below}}}{{{tex}}}" if below else tex


def _multiscripts(node: Node) -> Piece:
    """A base with indices on all sides, in pairs."""
    base, *rest = [*_children(node), Node("none")]
    names = [script.name for script in rest]
    at = names.index("mprescripts") if "mprescripts" in names else len(rest)
    after, before = _pairs(rest[:at]), _pairs(rest[at + 1 :])
    tex = _tex(base)
    if len(tex) > 1 and after and not tex.startswith("\\"):
        tex = f"{{{tex}}}"
    return Piece(before + (tex or "{}") + after.removeprefix("{}"))


def _pairs(scripts: Sequence[Node]) -> str:
    """Indices below and above nothing, or above what stands before them."""
    out: list[str] = []
    for start in range(0, len(scripts), 2):
        pair = [*scripts[start : start + 2], Node("none")][:2]
        below, above = map(_tex, pair)
        both = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
        out.append("{}" + both if both else "")
    return "".join(out)


def _fence(node: Node) -> Piece:
    """Things in brackets (MathML 3)."""
    get = node.attributes.get
    opening, closing = get("open", "(").strip(), get("close", ")").strip()
    inner = _children(node)
    if len(inner) == 1 and (table := _only(inner[0])).name == "mtable":
        if (opening, closing) in _MATRICES:
            return Piece(_table(table, _MATRICES[opening, closing]))
        if (opening, closing) == ("{", ""):
            return Piece(_table(table, "cases"))
    separators = "".join(get("separators", ",").split())
    pieces: list[Piece] = []
    for index, child in enumerate(inner):
        if index and separators:
            sign = separators[min(index, len(separators)) - 1]
            pieces.append(Piece(symbol(sign), Kind.PUNCTUATION))
        pieces.append(_piece(child))
    content = joined([piece for piece in pieces if piece.tex])
    if opening in OPENING and closing in CLOSING and not TALL.search(content):
        return Piece(f"{OPENING[opening]}{content}{CLOSING[closing]}")
    return Piece(f"\\left{_delimiter(opening)}{_separated(content)}\\right{_delimiter(closing)}")


def _separated(content: str) -> str:
    return f" {content} " if content else " "


def _delimiter(text: str) -> str:
    """A sign for one end of brackets that grow; a point draws none."""
    return OPENING.get(text) or CLOSING.get(text) or BARS.get(text) or "."


def _enclosed(node: Node) -> Piece:
    content = joined(_pieces(_children(node)))
    for notation in node.attributes.get("notation", "").split():
        command = _ENCLOSED.get(notation)
        content = f"\\{command}{{{content}}}" if command else content
    return Piece(content) if content else NOTHING


def _phantom(node: Node) -> Piece:
    content = joined(_pieces(_children(node)))
    return Piece(f"\\phantom{{{content}}}") if content else NOTHING


def _action(node: Node) -> Piece:
    """Of several things that take turns, the one that is shown first."""
    inner = _children(node)
    return _piece(inner[0]) if inner else NOTHING


def _space(node: Node) -> Piece:
    width = _width(node.attributes.get("width", ""))
    tex = next((tex for most, tex in _SPACES if width <= most), "\\qquad")
    return Piece(tex) if tex else NOTHING


def _width(written: str) -> float:
    """A width in em, 0 if it is none."""
    sign = -1 if written.startswith("negative") else 1
    named = _NAMED_SPACES.get(written.strip().removeprefix("negative"))
    if named is not None:
        return sign * named
    match = _LENGTH.match(written.lower())
    try:
        return float(match[1]) * _EMS[match[2]] if match else 0.0
    except ValueError:
        return 0.0


# --- Tables --------------------------------------------------------------------------------------


def _rows(node: Node) -> list[list[Node]]:
    """The cells of each row, labels left out."""
    rows = [row for row in _children(node) if row.name in ("mtr", "mlabeledtr")]
    return [_children(row)[row.name == "mlabeledtr" :] for row in rows]


def _table(node: Node, environment: str = "") -> str:
    """A table in its environment; a single cell is what it holds."""
    rows = _rows(node)
    width = max(map(len, rows), default=0)
    lines = [" & ".join(map(_tex, row)) for row in rows]
    # What begins with a bracket would be read as the space after the row before.
    lines = [
        f"{{}}{line}" if line.startswith("[") and at else line for at, line in enumerate(lines)
    ]
    if environment == "substack":
        return f"\\substack{{{_separated_rows(lines)}}}" if len(lines) > 1 else "".join(lines)
    if len(lines) * width <= 1 and not environment:
        return "".join(lines)
    columns = ""
    if not environment:
        environment, columns = _environment(node, width, len(lines))
    return f"\\begin{{{environment}}}{columns} {_separated_rows(lines)} \\end{{{environment}}}"


def _separated_rows(lines: Sequence[str]) -> str:
    return " \\\\ ".join(lines)


def _environment(node: Node, width: int, height: int) -> tuple[str, str]:
    """The environment of a table by the alignment of its columns, and the columns of an array."""
    align = node.attributes.get("columnalign", "").lower().split()
    align = (align + align[-1:] * width)[:width]
    if (
        width > 1
        and all(side == ("right", "left")[n % 2] for n, side in enumerate(align))
        and align
    ):
        return "aligned", ""
    if width == 1 and height > 1 and align[:1] != ["left"]:
        return "aligned" if align[:1] == ["right"] else "gathered", ""
    if any(side in ("left", "right") for side in align):
        letters = "".join({"left": "l", "right": "r"}.get(side, "c") for side in align)
        return "array", f"{{{letters}}}"
    return "matrix", ""


def _label(root: Node) -> str:
    """The number of an equation, where there is one and it is plain."""
    node = _only(root)
    rows = _children(node) if node.name == "mtable" else []
    labels = [
        _children(row)[0].token() for row in rows if row.name == "mlabeledtr" and row.children
    ]
    if len(labels) != 1:
        return ""
    text = labels[0].strip("()[] ").translate(TEXT_ESCAPES)
    return f" \\tag{{{text}}}" if text else ""


_READERS: Final[dict[str, Callable[[Node], Piece]]] = {
    "#text": words,
    "maction": _action,
    "menclose": _enclosed,
    "mfenced": _fence,
    "mfrac": _fraction,
    "mi": identifier,
    "mmultiscripts": _multiscripts,
    "mn": number,
    "mo": operator,
    "mover": _limits,
    "mphantom": _phantom,
    "mroot": _root,
    "ms": string,
    "mspace": _space,
    "msqrt": _square_root,
    "msub": _script,
    "msubsup": _script,
    "msup": _script,
    "mtable": lambda node: Piece(_table(node)),
    "mtext": words,
    "munder": _limits,
    "munderover": _limits,
}
"""How each element is read; all others are rows."""
