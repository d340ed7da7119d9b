"""Trees of small pieces of a page, and those of MathML that drawings of MathJax are made of."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from victor.page.markup.full_record import Kind, Markup
from victor.page.parsing.tags import VOID

_BLANK: Final = re.compile(r"[ \t\r\n\f]++")
_DEEPEST: Final = 120
"""Elements within one another that are read; MathJax needs up to six for one of MathML."""
_GLYPH: Final = re.compile(r"mjx-c([0-9A-F]{2,6})\Z")
_CODE: Final = re.compile(r"[0-9A-F]{2,6}\Z")
_TOKENS: Final = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_STRUTS: Final = frozenset(
    "mjx-nstrut mjx-dstrut mjx-tstrut mjx-line mjx-spacer mjx-strut mjx-mark mjx-surd mjx-labels "
    "mjx-assistive-mml".split()
)
"""Elements that hold no part of a formula."""
_WIDTH: Final = re.compile(r"(?:\A|;)\s*+width:\s*+(-?[\d.]{1,9}em)")
_ALIGN: Final = re.compile(r"text-align:\s*+(left|right|center)")


class Node(Struct):
    """An element of MathML, or a text of its own.

    Attributes:
        name: lower case; ``#text`` of a text.
        attributes: as written.
        children: elements and texts in it.
        text: of a text.
    """

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def token(self) -> str:
        """All text in it, white space collapsed and gone at the ends; a no-break space stays."""
        parts: list[str] = []
        pending = [self]
        while pending:
            node = pending.pop()
            parts.append(node.text)
            pending += reversed(node.children)
        return _BLANK.sub(" ", "".join(parts)).strip(" ")

    def flattened(self, deepest: int) -> Node:
        """Itself, with what is deeper put into the last element that is not."""
        pending = [(self, 1)]
        while pending:
            node, depth = pending.pop()
            if depth >= deepest:
                node.children = [*node.leaves()]
            pending += ((child, depth + 1) for child in node.children)
        return self

    def leaves(self) -> Iterator[Node]:
        """Elements and texts inside it that hold no others."""
        pending = [*reversed(self.children)]
        while pending:
            inner = pending.pop()
            if inner.children:
                pending += reversed(inner.children)
            else:
                yield inner

    def inside(self, names: frozenset[str], *, beyond: bool = True) -> Iterator[Node]:
        """Elements inside it of some names, and inside these only if `beyond`."""
        pending = [*reversed(self.children)]
        while pending:
            inner = pending.pop()
            if inner.name in names:
                yield inner
                if not beyond:
                    continue
            pending += reversed(inner.children)


def tree(markup: Markup, start: int, stop: int) -> Node:
    """What some rows of a record hold, as elements of a root without a name."""
    root = Node("")
    opened = [root]
    rows = slice(start, stop)
    kinds = markup.kind[rows].tolist()
    for row, kind in enumerate(kinds, start):
        if kind == Kind.START:
            name = markup.texts[row].rpartition(":")[2]
            node = Node(name, markup.attributes[row])
            opened[-1].children.append(node)
            if name not in VOID:
                opened.append(node)
        elif kind == Kind.END and len(opened) > 1:
            opened.pop()
        elif kind == Kind.TEXT:
            opened[-1].children.append(Node("#text", text=markup.texts[row]))
    return root.flattened(_DEEPEST)


def of_chtml(node: Node) -> Node:
    """The MathML of what MathJax 3 or 4 draws by ``mjx-`` elements."""
    name = node.name.removeprefix("mjx-")
    if name in _TOKENS:
        return Node(name, text="".join(_glyphs(node)))
    if name == "mspace":
        width = _WIDTH.search(node.attributes.get("style", ""))
        return Node(name, {"width": width[1] if width else ""})
    if name == "mfrac":
        return Node(name, children=_found(node, "mjx-num", "mjx-den"))
    if name in ("msqrt", "mroot"):
        parts = _found(node, "mjx-box", "mjx-root")
        return Node(name, children=parts if name == "mroot" else parts[:1])
    if name in ("msub", "msup", "msubsup", "munder", "mover", "munderover"):
        return _of_scripts(name, node)
    if name == "mtable":
        rows = node.inside(frozenset({"mjx-mtr", "mjx-mlabeledtr"}), beyond=False)
        return _of_table(map(_of_cells, rows))
    return Node("mrow", children=_parts(node))


def _parts(node: Node) -> list[Node]:
    return [of_chtml(child) for child in node.children if child.name not in _STRUTS]


def _found(node: Node, *names: str) -> list[Node]:
    """A row for the first element of each of some names, none of which stands in another."""
    parts = {part.name: part for part in reversed([*node.inside(frozenset(names), beyond=False)])}
    return [Node("mrow", children=_parts(parts[name]) if name in parts else []) for name in names]


def _of_scripts(name: str, node: Node) -> Node:
    """A base with indices: beside it in an element of their own, else below and above it."""
    names = [child.name for child in node.children]
    at = names.index("mjx-script") if "mjx-script" in names else None
    if at is None:
        base, under, over = _found(node, "mjx-base", "mjx-under", "mjx-over")
        parts = {"munder": [base, under], "mover": [base, over]}.get(name, [base, under, over])
        return Node(name, children=parts)
    base = Node("mrow", children=_parts(Node("", children=node.children[:at])))
    # The upper of two stands first.
    plain = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}.get(name, name)
    return Node(plain, children=[base, *reversed(_parts(node.children[at]))])


def _of_cells(row: Node) -> Node:
    cells = []
    for cell in row.inside(frozenset({"mjx-mtd"}), beyond=False):
        align = _ALIGN.search(cell.attributes.get("style", ""))
        cells.append(Node("mtd", {"align": align[1] if align else ""}, _parts(cell)))
    return Node("mtr", children=cells)


def _of_table(rows: Iterator[Node]) -> Node:
    """A table, aligned as the cells of its first row are."""
    lines = [*rows]
    aligned = [cell.attributes["align"] or "center" for cell in lines[0].children] if lines else []
    return Node("mtable", {"columnalign": " ".join(aligned)}, lines)


def _glyphs(node: Node) -> Iterator[str]:
    """The characters that an element draws: style sheets have them, by the name of a class."""
    pending = [*reversed(node.children)]
    while pending:
        inner = pending.pop()
        codes = (_GLYPH.match(name) for name in inner.attributes.get("class", "").split())
        code = next((match[1] for match in codes if match), "")
        if inner.name == "#text":
            yield inner.text
        elif code:
            yield _character(code)
        else:
            pending += reversed(inner.children)


_SURROGATES: Final = range(0xD800, 0xE000)


def _character(code: str) -> str:
    point = int(code, 16)
    return "" if point in _SURROGATES or point > sys.maxunicode else chr(point)


def of_svg(node: Node) -> Node:
    """The MathML of what MathJax 3 or 4 draws in SVG, where every part names its element."""
    name = node.attributes.get("data-mml-node", "")
    if name in _TOKENS:
        return Node(name, text="".join(_drawn(node)))
    inner = [of_svg(child) for child in _nodes(node)]
    if name in ("msqrt", "mroot"):
        inner = [child for child in inner if child.text != "√"]
        content = Node("mrow", children=inner[-1:])
        return Node(name, children=[content, *inner[:-1]])
    if name == "msubsup" and len(inner) > 2:  # the upper of two stands first
        inner[1:] = inner[:0:-1]
    return Node(name if name and name != "TeXAtom" else "mrow", children=inner)


def _nodes(node: Node) -> Iterator[Node]:
    """The nearest elements inside that are parts of a formula."""
    pending = [*reversed(node.children)]
    while pending:
        inner = pending.pop()
        if "data-mml-node" in inner.attributes:
            yield inner
        else:
            pending += reversed(inner.children)


def _drawn(node: Node) -> Iterator[str]:
    for inner in node.leaves():
        code = inner.attributes.get("data-c", "")
        yield _character(code) if _CODE.match(code) else inner.text
