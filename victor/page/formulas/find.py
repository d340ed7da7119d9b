"""Where formulas stand in the markup of a page, and their TeX.

A page shows a formula several times: as MathML, as text or glyphs for browsers, as TeX for
programs. All drawings of one are one formula. Its TeX is what the page itself says, in this order:
the script that MathJax 2 draws; an attribute (``data-math``, ``data-tex``, ``data-latex``, that of
Temml); an ``<annotation>`` (KaTeX, MediaWiki, LaTeXML) or ``alttext``; else it is made of MathML,
or of what MathJax draws.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.page.formulas.images import image_tex, is_balanced, is_tex, tidy
from victor.page.formulas.mathml import tex_of
from victor.page.formulas.trees import Node, of_chtml, of_svg, tree
from victor.page.markup.full_record import Kind, Markup, record_full
from victor.page.parsing.events import is_tex as is_script
from victor.page.parsing.tags import PARTING, VOID, tag_id

_DRAWN: Final = frozenset(
    "katex katex-display katex-block mwe-math-element MathJax MathJax_Display MathJax_Preview "
    "MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split()
)
"""Classes of the elements that hold all drawings of one formula."""
_MATHJAX_2: Final = frozenset(name for name in _DRAWN if name.startswith(("MathJax", "MJXc")))
_DISPLAY: Final = frozenset(
    "katex-display katex-block MathJax_Display MathJax_SVG_Display MJXc-display math-block "
    "math-display js-display-math mwe-math-fallback-image-display".split()
)
_ELEMENTS: Final = frozenset({"math", "mjx-container", "math-renderer"})
_ATTRIBUTES: Final = ("data-math", "data-tex", "data-latex")
_NAMES: Final = re.compile(r"math|tex\b|katex|formula|equation", re.IGNORECASE)
"""What classes of formulas hold."""
_LARGEST: Final = 20_000
"""Tags and texts of a formula; what is larger is a part of the page."""
_LONGEST: Final = 80_000
"""Characters of MathML in an attribute."""
_LONGER, _TITLE = 4, 100
"""Characters that draw a formula are at most so many times those of its TeX, and some more."""
_NOTED: Final = frozenset({"annotation"})
_MATH: Final = frozenset({"math"})
_MATHJAX: Final = frozenset({"mjx-math"})
_WRAPPERS: Final = frozenset({"span", "div"})
_SVG: Final = frozenset({"svg"})
_PARTS: Final = frozenset({"p", "li", "td", "article", "section", "main", "body", "h1", "h2", "h3"})
"""Elements that stand in no formula."""


class Formula(NamedTuple):
    """A formula on a page.

    Attributes:
        open, close: ordinals of the tags that it begins and ends with on its page; the same for
            one that is a single tag.
        tex: on one line, without dollar signs around it.
        display: it has lines of its own.
        before, after: white space beside it, as one space or the newline of a ``<br>``.
    """

    open: int
    close: int
    tex: str
    display: bool
    before: str = ""
    after: str = ""


class _Drawing(Struct):
    """Rows of a formula in the record of its page, the last included."""

    start: int
    end: int
    tex: str
    display: bool
    is_of_mathjax_2: bool = False
    """A script with its source may follow."""


def formulas(markup: Markup, *, in_classes: bool = True, in_images: bool = True) -> list[Formula]:
    """The formulas of a page in order, none in another.

    Args:
        markup: the record of the page.
        in_classes: look at the attributes of all elements, which takes most of the time.
        in_images: look at images.
    """
    drawings = _Finder(markup, in_classes=in_classes, in_images=in_images).all()
    spaces = _spaces(markup, drawings)
    return [
        _formula(markup, drawing, *space) for drawing, space in zip(drawings, spaces, strict=True)
    ]


class _Finder:
    """Finds the formulas in the record of one page."""

    def __init__(self, markup: Markup, *, in_classes: bool, in_images: bool) -> None:
        self._markup, self._in_classes, self._in_images = markup, in_classes, in_images
        self._kinds: list[int] = markup.kind.tolist()
        self._dropped: list[bool] = markup.dropped.tolist()
        self._drawings: list[_Drawing] = []

    def all(self) -> list[_Drawing]:
        """All that have TeX."""
        end = -1
        for row in np.flatnonzero(self._markup.kind == Kind.START).tolist():
            if row <= end or self._dropped[row]:
                continue
            drawing = self._read(row)
            if drawing is not None:
                self._add(drawing)
                end = drawing.end
        return [drawing for drawing in self._drawings if drawing.tex]

    def _read(self, row: int) -> _Drawing | None:
        """The formula that begins with a start tag, if one does."""
        name = self._markup.texts[row]
        if name == "img":
            return self._read_image(row) if self._in_images else None
        if name == "script":
            return self._read_script(row)
        if self._in_classes or name.rpartition(":")[2] in _ELEMENTS:
            return self._read_element(row, name)
        return None

    def _read_image(self, row: int) -> _Drawing | None:
        attributes = self._markup.attributes[row]
        tex = image_tex(attributes)
        return _Drawing(row, row, tex, _is_display("img", attributes)) if tex else None

    def _read_script(self, row: int) -> _Drawing | None:
        attributes = self._markup.attributes[row]
        if not is_script("script", attributes):
            return None
        end = self._end(row)
        is_display = "mode=display" in attributes["type"].lower()
        return _Drawing(row, end, tidy(self._text(row, end)), is_display)

    def _read_element(self, row: int, name: str) -> _Drawing | None:
        attributes = self._markup.attributes[row]
        classes = _classes(attributes)
        tex, display = _attribute_tex(attributes, classes), False
        is_math = name.rpartition(":")[2] in _ELEMENTS
        if not (is_math or tex or not _DRAWN.isdisjoint(classes)):
            return None
        end = self._end(row)
        if not self._is_one(row, end, tex, is_math=is_math):
            return None
        if not tex:
            tex, display = _tex(tree(self._markup, row, end + 1).children[0])
        is_of_mathjax_2 = not _MATHJAX_2.isdisjoint(classes)
        if not tex and not is_of_mathjax_2:
            return None
        return _Drawing(row, end, tex, display or _is_display(name, attributes), is_of_mathjax_2)

    def _end(self, row: int) -> int:
        """The row of the end tag of an element; that of the start tag where it is void."""
        if self._markup.texts[row] in VOID:
            return row
        depth = 0
        for at in range(row, len(self._kinds)):
            if self._kinds[at] == Kind.START:
                depth += self._markup.texts[at] not in VOID
            elif self._kinds[at] == Kind.END:
                depth -= 1
                if not depth:
                    return at
        return len(self._kinds) - 1

    def _is_one(self, row: int, end: int, tex: str, *, is_math: bool) -> bool:
        """Does an element hold one formula and nothing else."""
        names = [
            self._markup.texts[at]
            for at in range(row + 1, min(end, row + _LARGEST) + 1)
            if self._kinds[at] == Kind.START and not self._dropped[at]
        ]
        if end - row > _LARGEST or not _PARTS.isdisjoint(names):
            return False
        if is_math or names.count("math") == 1:
            return True
        return not names.count("math") and (
            not tex or len(self._text(row, end)) <= _LONGER * len(tex) + _TITLE
        )

    def _text(self, row: int, end: int) -> str:
        """Text in an element that is not dropped."""
        rows = range(row + 1, end)
        return "".join(
            self._markup.texts[at]
            for at in rows
            if self._kinds[at] == Kind.TEXT and not self._dropped[at]
        )

    def _add(self, drawing: _Drawing) -> None:
        """Put a formula after the others; what MathJax 2 drew of it stands just before it."""
        is_source = self._markup.texts[drawing.start] == "script"
        while self._drawings and self._drawings[-1].is_of_mathjax_2 and self._are_beside(drawing):
            if not is_source and self._drawings[-1].tex:
                break
            before = self._drawings.pop()
            drawing.start = before.start
            drawing.display |= before.display
        self._drawings.append(drawing)

    def _are_beside(self, drawing: _Drawing) -> bool:
        """Is there nothing between the last formula and one after it."""
        between = range(self._drawings[-1].end + 1, drawing.start)
        return all(
            self._kinds[at] == Kind.COMMENT
            or (self._kinds[at] == Kind.TEXT and self._markup.texts[at].isspace())
            for at in between
        )


def _classes(attributes: Mapping[str, str]) -> list[str]:
    return attributes.get("class", "").split()


def _attribute_tex(attributes: Mapping[str, str], classes: list[str]) -> str:
    """TeX in an attribute of an element that is a formula."""
    if "hurmet-tex" in classes:
        return tidy(attributes.get("data-entry", ""))
    for name in _ATTRIBUTES:
        tex = tidy(attributes[name]) if name in attributes else ""
        if tex and is_balanced(tex) and (is_tex(tex) or any(map(_NAMES.search, classes))):
            return tex
    return ""


def _is_display(name: str, attributes: Mapping[str, str]) -> bool:
    """Does an element say that its formula has lines of its own."""
    classes = _classes(attributes)
    shown = attributes.get("display", "").lower()
    if shown in ("block", "true") or not _DISPLAY.isdisjoint(classes):
        return True
    return "hurmet-tex" in classes and name in ("p", "div")


def _tex(root: Node) -> tuple[str, bool]:
    """TeX of a formula by what it holds, and whether that has lines of its own."""
    nodes = [root, *root.inside(_MATH | _MATHJAX | _WRAPPERS)]
    display = any(_is_display(node.name, node.attributes) for node in nodes)
    if root.name == "math-renderer":
        return tidy(root.token()), display or root.token().startswith("$$")
    return next((tex for tex in _sources(root, display=display) if tex), ""), display


def _sources(root: Node, *, display: bool) -> Iterator[str]:
    """TeX of a formula, the best first."""
    for node in [root, *root.inside(_MATH | _MATHJAX)]:
        yield next((tidy(node.attributes[n]) for n in _ATTRIBUTES if n in node.attributes), "")
    maths = [root] if root.name == "math" else [*root.inside(_MATH, beyond=False)]
    yield tidy(" ".join(node.token() for node in root.inside(_NOTED) if _is_tex_note(node)))
    for math in maths:
        yield tidy(math.attributes.get("alttext", ""))
    for math in maths:
        yield tex_of(math, display=display)
    for node in [root, *root.inside(_WRAPPERS)]:
        source = node.attributes.get("data-mathml", "")
        if source and len(source) <= _LONGEST:
            record = record_full(source.encode("utf-8", "replace"))
            yield tex_of(tree(record, 0, len(record.kind)), display=display)
    for node in root.inside(_MATHJAX, beyond=False):
        yield tex_of(of_chtml(node), display=display)
    for node in root.inside(_SVG, beyond=False):
        yield tex_of(of_svg(node), display=display)


def _is_tex_note(annotation: Node) -> bool:
    return "tex" in annotation.attributes.get("encoding", "tex").lower()


def _spaces(markup: Markup, drawings: list[_Drawing]) -> Iterator[tuple[str, str]]:
    """White space before and after each formula."""
    ends = [-1, *(drawing.end for drawing in drawings)]
    starts = [*(drawing.start for drawing in drawings), len(markup.kind)][1:]
    for drawing, end, start in zip(drawings, ends, starts, strict=False):
        before = _space(markup, range(drawing.start - 1, end, -1), -1)
        after = _space(markup, range(drawing.end + 1, start), 0)
        yield before, after or _last_space(markup, drawing)


def _space(markup: Markup, rows: range, end: int) -> str:
    """White space up to the next text, given which end of that is nearer."""
    space = ""
    for row in rows:
        text = markup.texts[row]
        if markup.kind[row] == Kind.TEXT and not markup.dropped[row]:
            space = space or (" " if text[end].isspace() else "")
            if not text.isspace():
                return space
        elif markup.kind[row] == Kind.START and text == "br":
            space = "\n"
        elif markup.kind[row] != Kind.COMMENT and _parts(text):
            return space
    return space


def _last_space(markup: Markup, drawing: _Drawing) -> str:
    """White space before the end tag of an element that holds a drawing."""
    is_blank = markup.kind[drawing.end - 1] == Kind.TEXT and markup.texts[drawing.end - 1].isspace()
    is_math = markup.texts[drawing.start] == "math"
    return " " if is_blank and not is_math and drawing.start < drawing.end else ""


def _parts(name: str) -> bool:
    return tag_id(name) in _PARTING_IDS


_PARTING_IDS: Final = frozenset(map(tag_id, PARTING))


def _formula(markup: Markup, drawing: _Drawing, before: str, after: str) -> Formula:
    first, last = int(markup.tag[drawing.start]), int(markup.tag[drawing.end])
    if drawing.start == drawing.end and markup.alt_text:
        last = first + 1  # an image with the end that it has there
    return Formula(first, last, _ended(drawing.tex), drawing.display, before, after)


def _ended(tex: str) -> str:
    """TeX without a backslash at its end that has lost its space: it would hide the delimiter."""
    return tex[:-1].rstrip() if (len(tex) - len(tex.rstrip("\\"))) % 2 else tex
