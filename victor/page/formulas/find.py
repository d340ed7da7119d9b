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
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

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
_NOTED: Final = frozenset({"annotation"})
_MATH: Final = frozenset({"math"})
_CONTAINERS: Final = frozenset({"mjx-math"})
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


@dataclass(slots=True)
class _Found:
    """Rows of a formula in the record of its page, the last included."""

    start: int
    end: int
    tex: str
    display: bool
    is_drawing: bool = False
    """MathJax 2 drew it, so that a script may follow."""


def formulas(markup: Markup, *, in_classes: bool = True, in_images: bool = True) -> list[Formula]:
    """The formulas of a page in order, none in another.

    Args:
        markup: the record of the page.
        in_classes: look at the attributes of all elements, which takes most of the time.
        in_images: look at images.
    """
    found = _Finder(markup, in_classes=in_classes, in_images=in_images).all()
    return [
        _formula(markup, each, *beside)
        for each, beside in zip(found, _beside(markup, found), strict=True)
    ]


class _Finder:
    """Finds the formulas in the record of one page."""

    def __init__(self, markup: Markup, *, in_classes: bool, in_images: bool) -> None:
        self._markup, self._in_classes, self._in_images = markup, in_classes, in_images
        self._kinds: list[int] = markup.kind.tolist()
        self._dropped: list[bool] = markup.dropped.tolist()
        self._found: list[_Found] = []

    def all(self) -> list[_Found]:
        """All that have TeX."""
        end = -1
        for row in np.flatnonzero(self._markup.kind == Kind.START).tolist():
            if row <= end or self._dropped[row]:
                continue
            formula = self._read(row)
            if formula is not None:
                self._add(formula)
                end = formula.end
        return [formula for formula in self._found if formula.tex]

    def _read(self, row: int) -> _Found | None:
        """The formula that begins with a start tag, if one does."""
        name = self._markup.texts[row]
        is_math = name.rpartition(":")[2] in _ELEMENTS
        if not (
            is_math or name == "script" or (self._in_images if name == "img" else self._in_classes)
        ):
            return None
        attributes = self._markup.attributes[row]
        if name == "img":
            tex = image_tex(attributes)
            return _Found(row, row, tex, _is_display(name, attributes)) if tex else None
        if is_script(name, attributes):
            end = self._end(row)
            is_display = "mode=display" in attributes["type"].lower()
            return _Found(row, end, tidy(self._text(row, end)), is_display)
        if not attributes and not is_math:
            return None
        classes = _classes(attributes)
        given = _given(attributes, classes)
        if not (is_math or given or not _DRAWN.isdisjoint(classes)):
            return None
        end = self._end(row)
        if not is_math and not self._is_one(row, end, given):
            return None
        root = tree(self._markup, row, end + 1).children[0]
        tex, display = (given, False) if given else _tex(root)
        is_drawing = not _MATHJAX_2.isdisjoint(classes)
        if not tex and not is_drawing:
            return None
        return _Found(row, end, tex, display or _is_display(name, attributes), is_drawing)

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

    def _is_one(self, row: int, end: int, given: str) -> bool:
        """Does an element hold one formula and nothing else."""
        if end - row > _LARGEST:
            return False
        names = [
            self._markup.texts[at]
            for at in range(row + 1, end + 1)
            if self._kinds[at] == Kind.START and not self._dropped[at]
        ]
        if names.count("math") > 1 or not _PARTS.isdisjoint(names):
            return False
        return not given or "math" in names or len(self._text(row, end)) <= 4 * len(given) + 100

    def _text(self, row: int, end: int) -> str:
        """Text in an element that is not dropped."""
        rows = range(row + 1, end)
        return "".join(
            self._markup.texts[at]
            for at in rows
            if self._kinds[at] == Kind.TEXT and not self._dropped[at]
        )

    def _add(self, formula: _Found) -> None:
        """Put a formula after the others; what MathJax 2 drew of it stands just before it."""
        is_source = self._markup.texts[formula.start] == "script"
        while self._found and self._found[-1].is_drawing and self._are_beside(formula):
            if not is_source and self._found[-1].tex:
                break
            before = self._found.pop()
            formula.start = before.start
            formula.display |= before.display
        self._found.append(formula)

    def _are_beside(self, formula: _Found) -> bool:
        """Is there nothing between the last formula and one after it."""
        between = range(self._found[-1].end + 1, formula.start)
        return all(
            self._kinds[at] == Kind.COMMENT
            or (self._kinds[at] == Kind.TEXT and self._markup.texts[at].isspace())
            for at in between
        )


def _classes(attributes: Mapping[str, str]) -> list[str]:
    return attributes.get("class", "").split()


def _given(attributes: Mapping[str, str], classes: list[str]) -> str:
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
    display = _is_display(root.name, root.attributes) or any(
        _is_display(each.name, each.attributes) for each in root.inside(_MATH | _CONTAINERS)
    )
    classes = [*root.inside(frozenset({"span", "div"}))]
    display |= any(not _DISPLAY.isdisjoint(_classes(each.attributes)) for each in classes)
    if root.name == "math-renderer":
        return tidy(root.token()), display or root.token().startswith("$$")
    return next((tex for tex in _sources(root, display=display) if tex), ""), display


def _sources(root: Node, *, display: bool) -> Iterator[str]:
    """TeX of a formula, the best first."""
    for each in [root, *root.inside(_MATH | _CONTAINERS)]:
        yield next((tidy(each.attributes[n]) for n in _ATTRIBUTES if n in each.attributes), "")
    maths = [root] if root.name == "math" else [*root.inside(_MATH)]
    notes = [each for each in root.inside(_NOTED) if _is_tex_note(each)]
    yield tidy(" ".join(each.token() for each in notes))
    for math in maths:
        yield tidy(math.attributes.get("alttext", ""))
    for math in maths:
        yield tex_of(math, display=display)
    for each in [root, *root.inside(frozenset({"span", "div"}))]:
        source = each.attributes.get("data-mathml", "")
        if source and len(source) <= _LARGEST * 4:
            full = record_full(source.encode("utf-8", "replace"))
            yield tex_of(tree(full, 0, len(full.kind)), display=display)
    for drawing in root.inside(_CONTAINERS):
        yield tex_of(of_chtml(drawing), display=display)
    for drawing in root.inside(_SVG):
        yield tex_of(of_svg(drawing), display=display)


def _is_tex_note(annotation: Node) -> bool:
    return "tex" in annotation.attributes.get("encoding", "tex").lower()


def _beside(markup: Markup, found: list[_Found]) -> Iterator[tuple[str, str]]:
    """White space before and after each formula."""
    ends = [-1, *(formula.end for formula in found)]
    starts = [*(formula.start for formula in found), len(markup.kind)]
    for number, formula in enumerate(found):
        before = range(formula.start - 1, ends[number], -1)
        after = range(formula.end + 1, starts[number + 1])
        space = _space(markup, after, 0)
        yield _space(markup, before, -1), space or _last_space(markup, formula)


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


def _last_space(markup: Markup, formula: _Found) -> str:
    """White space before the end tag of an element that holds a formula."""
    is_blank = markup.kind[formula.end - 1] == Kind.TEXT and markup.texts[formula.end - 1].isspace()
    is_math = markup.texts[formula.start] == "math"
    return " " if is_blank and not is_math and formula.start < formula.end else ""


def _parts(name: str) -> bool:
    return tag_id(name) in _PARTING_IDS


_PARTING_IDS: Final = frozenset(map(tag_id, PARTING))


def _formula(markup: Markup, found: _Found, before: str, after: str) -> Formula:
    first, last = int(markup.tag[found.start]), int(markup.tag[found.end])
    if found.start == found.end and markup.alt_text:
        last = first + 1  # an image with the end that it has there
    return Formula(first, last, _ended(found.tex), found.display, before, after)


def _ended(tex: str) -> str:
    """TeX without a backslash at its end that has lost its space: it would hide the delimiter."""
    return tex[:-1].rstrip() if (len(tex) - len(tex.rstrip("\\"))) % 2 else tex
