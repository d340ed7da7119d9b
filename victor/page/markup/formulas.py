"""Where formulas stand in the markup of a page, and the TeX that it carries of them.

A page shows a formula several times: as MathML, as text or glyphs for browsers, as TeX for
programs. All drawings of one are one formula. Its TeX is that of the script that MathJax 2 draws,
of an attribute (``data-math``, ``data-tex``, ``data-latex``, Temml's ``data-entry``), an
``<annotation>`` (KaTeX, MediaWiki, LaTeXML), ``alttext``, or the alternative text of an image. A
formula of which a page carries no TeX is text as any other.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np

from victor.base.arrays import prefix_sums
from victor.page.allowance import Allowance
from victor.page.markup.full_record import Kind, Markup
from victor.page.parsing.events import is_tex as is_script
from victor.page.parsing.tags import VOID

_AROUND: Final = re.compile(
    r"(?:\A|\s)(?:katex(?:-display|-block)?|mwe-math-element|MathJax(?:_\w+)?|MJXc-display)(?!\S)"
)
"""Classes of the elements that hold all drawings of one formula."""
_MATHJAX_2: Final = re.compile(r"(?:\A|\s)M(?:athJax|JXc-display)")
_DISPLAY: Final = re.compile(
    r"(?:\A|\s)(?:katex|math|mjxc|js|mwe)[\w-]*?[_-](?:display|block)", re.IGNORECASE
)
"""Classes of formulas that have lines of their own."""
_ELEMENTS: Final = frozenset({"math", "mjx-container", "math-renderer"})
_ATTRIBUTES: Final = ("data-math", "data-tex", "data-latex", "data-entry")
_NAMES: Final = re.compile(r"math|tex\b|katex|formula|equation", re.IGNORECASE)
"""What the names and classes of formulas hold."""
_PARTS: Final = frozenset({"p", "li", "td", "article", "section", "main", "body", "h1", "h2", "h3"})
"""Elements that stand in no formula."""
_LONGER, _TITLE = 4, 100
"""Characters that draw a formula are at most so many times those of its TeX, and some more."""
_LONGEST: Final = 5000  # characters of a formula
_OF_TEX: Final = frozenset(
    "latex tex texrender mathtex mwe-math-fallback-image-inline mwe-math-fallback-image-display "
    "ql-img-inline-formula ql-img-displayed-equation".split()
)
"""Classes of images that WordPress, QuickLaTeX, MediaWiki and Moodle draw of TeX."""
_PARAMETERS: Final = frozenset({"latex", "tex", "math", "formula", "equation", "eq", "chl"})
"""Names under which services that draw TeX are given it; others take the whole query for it."""
_SETTINGS: Final = re.compile(
    r"\A(?:\\(?:dpi|bg|fg|inline|fn)(?:_[a-z]+|_?\{[^{}]*\}|(?![A-Za-z]))\s*)+"
)
"""How CodeCogs is told the size and the colours of an image."""
_COMMANDS: Final = frozenset(
    "alpha approx bar begin beta binom bmod boldsymbol cap cdot cdots cfrac chi circ cos cup ddot "
    "delta dfrac displaystyle dot ell epsilon equiv eta exists exp forall frac gamma ge geq hat "
    "hbar in infty int kappa lambda langle ldots le left leftarrow leq lfloor lim ln log lvert "
    "mapsto mathbb mathbf mathcal mathfrak mathit mathop mathrm mathsf mathtt mu nabla ne neq nu "
    "oint omega operatorname oplus otimes over overline overset partial perp phi pi pm prime prod "
    "propto psi quad right rightarrow rho sec sigma sim sin sqrt subset subseteq sum sup tan tau "
    "text textbf textstyle tfrac theta tilde times to underline underset upsilon varepsilon varphi "
    "vec widehat xi zeta".split()
)
"""Names of commands, in lower case, that tell that a text is TeX."""
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,24})")
_PATH: Final = re.compile(r"[A-Za-z]:\\|\\\\\w+\\")  # how a file is named on Windows
_DELIMITED: Final = re.compile(
    r"\A(?:\$latex\s++(.*?)\$|\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\Z", re.DOTALL
)
_STYLE: Final = re.compile(r"\A\{\\(?:display|text|script)style\s++(.*)\}\Z", re.DOTALL)
"""What MediaWiki puts around every formula."""


class Formula(NamedTuple):
    """A formula on a page.

    Attributes:
        open, close: ordinals of the tags that it begins and ends with on its page; the same for
            one that is a single tag.
        tex: on one line, without dollar signs around it.
        display: it has lines of its own.
    """

    open: int
    close: int
    tex: str
    display: bool


def formulas(markup: Markup, allowance: Allowance) -> list[Formula]:
    """The formulas of a page in order, none in another; in time linear in the page."""
    reader = _Reader(markup, allowance)
    found: list[tuple[range, Formula]] = []
    for row in allowance.over(reader.begins):
        if found and row in found[-1][0]:
            continue
        rows = reader.extent(row)
        if rows and (tex := reader.begins[row] or reader.tex_inside(rows)):
            while found and found[-1][0].start >= rows.start:
                found.pop()
            found.append((rows, reader.formula(rows, tex)))
    return [formula for _, formula in found]


class _Reader:
    """Reads the formulas in the record of one page; m rows.

    Attributes:
        begins: rows of the start tags that may begin a formula, with the TeX that these carry.
    """

    def __init__(self, markup: Markup, allowance: Allowance) -> None:
        self._markup = markup
        self._kinds: list[int] = markup.kind.tolist()
        self._partner = _partners(markup, allowance)
        self._sources: list[tuple[int, str]] = []
        """Rows of what stands in a formula and has its TeX, and that."""
        self.begins: dict[int, str] = {}
        flags = np.zeros((3, len(self._kinds)), dtype=bool)
        shown = (markup.kind == Kind.START) & ~markup.dropped
        for row in allowance.over(np.flatnonzero(shown).tolist()):
            name, attributes = markup.texts[row].rpartition(":")[2], markup.attributes[row]
            flags[:, row] = name in _PARTS, name == "math", _is_display(attributes)
            self._look(row, name, attributes)
        texts = (markup.kind == Kind.TEXT) & ~markup.dropped
        lengths = np.fromiter(map(len, markup.texts), dtype=np.int64, count=len(texts))
        sums = map(prefix_sums, (*flags, lengths * texts))
        self._n_parts, self._n_maths, self._n_display, self._n_chars = sums

    def _look(self, row: int, name: str, attributes: Mapping[str, str]) -> None:
        """Note what a start tag has to do with formulas."""
        if name == "img":
            tex = image_tex(attributes)
        elif name == "math-renderer" or is_script(name, attributes):
            tex = tidy(self._text_after(row))
        else:
            tex = _attribute_tex(name, attributes)
            source = tex if name.startswith(("math", "mjx-")) else ""
            if name == "annotation" and "tex" in attributes.get("encoding", "tex").lower():
                source = tidy(self._text_after(row))
            if source := source or tidy(attributes.get("alttext", "")):
                self._sources.append((row, source))
        if tex or name in _ELEMENTS or _AROUND.search(attributes.get("class", "")[:_LONGEST]):
            self.begins[row] = tex

    def _text_after(self, row: int) -> str:
        """The text that stands right after a tag."""
        is_text = row + 1 < len(self._kinds) and self._kinds[row + 1] == Kind.TEXT
        return self._markup.texts[row + 1] if is_text else ""

    def extent(self, row: int) -> range:
        """The rows of the formula that begins with a start tag; none if none does."""
        name, end = self._markup.texts[row].rpartition(":")[2], self._partner[row]
        if name == "script":
            return range(self._drawn_before(row), end + 1)
        is_one = name == "img" or self._is_one(range(row, end + 1), self.begins[row], name)
        return range(row, end + 1) if is_one else range(row, row)

    def _is_one(self, rows: range, tex: str, name: str) -> bool:
        """Does an element hold one formula and nothing else."""
        n_parts, n_maths, n_chars = (
            int(sums[rows.stop] - sums[rows.start])
            for sums in (self._n_parts, self._n_maths, self._n_chars)
        )
        if n_parts - (name in _PARTS):
            return False
        if name in _ELEMENTS or n_maths == 1:
            return True
        return not n_maths and (not tex or n_chars <= _LONGER * len(tex) + _TITLE)

    def tex_inside(self, rows: range) -> str:
        """The first TeX in some rows."""
        first = bisect_left(self._sources, (rows.start, ""))
        row, tex = self._sources[first] if first < len(self._sources) else (rows.stop, "")
        return tex if row in rows else ""

    def formula(self, rows: range, tex: str) -> Formula:
        """What some rows are."""
        first, last = self._markup.tag[[rows.start, rows.stop - 1]].tolist()
        if len(rows) == 1 and self._markup.alt_text:
            last = first + 1  # an image with the end that it has there
        is_display = self._n_display[rows.stop] > self._n_display[rows.start]
        return Formula(first, last, tex, bool(is_display))

    def _drawn_before(self, row: int) -> int:
        """The first row of what MathJax 2 has drawn of a script, just before it."""
        first, at = row, row - 1
        while at >= 0:
            if self._kinds[at] == Kind.END and self._is_of_mathjax_2(self._partner[at]):
                first = at = self._partner[at]
            elif not self._is_blank(at):
                break
            at -= 1
        return first

    def _is_of_mathjax_2(self, row: int) -> bool:
        return _MATHJAX_2.search(self._markup.attributes[row].get("class", "")) is not None

    def _is_blank(self, row: int) -> bool:
        kind = self._kinds[row]
        return kind == Kind.COMMENT or (kind == Kind.TEXT and self._markup.texts[row].isspace())


def _partners(markup: Markup, allowance: Allowance) -> list[int]:
    """(m,) the row of the end of each start tag, and the other way round; of all else its own."""
    partners = [*range(len(markup.kind))]
    opened: list[int] = []
    for row, kind in enumerate(allowance.over(markup.kind.tolist())):
        if kind == Kind.START and markup.texts[row] not in VOID:
            opened.append(row)
        elif kind == Kind.END:
            begin = opened.pop()
            partners[begin], partners[row] = row, begin
    return partners


def _attribute_tex(name: str, attributes: Mapping[str, str]) -> str:
    """TeX in an attribute of an element that is a formula."""
    names = f"{name} {attributes.get('class', '')}"
    for attribute in _ATTRIBUTES:
        tex = tidy(attributes[attribute]) if attribute in attributes else ""
        if tex and is_balanced(tex) and (is_tex(tex) or _NAMES.search(names)):
            return tex
    return ""


def _is_display(attributes: Mapping[str, str]) -> bool:
    """Does an element say that its formula has lines of its own."""
    return (
        attributes.get("display", "").lower() in ("block", "true")
        or "mode=display" in attributes.get("type", "").lower()
        or _DISPLAY.search(attributes.get("class", "")[:_LONGEST]) is not None
    )


# --- TeX as pages write it --------------------------------------------------------------------


def tidy(source: str) -> str:
    r"""TeX on one line, without the delimiters and the style that a program put around it.

    >>> tidy("$latex x^2 $"), tidy("{\\displaystyle y}")
    ('x^2', 'y')
    """
    source = " ".join(source.split()) if len(source) <= _LONGEST else ""
    match = _DELIMITED.match(source)
    if match:
        source = next(group for group in match.groups() if group is not None).strip()
    match = _STYLE.match(source)
    source = match[1].strip() if match and is_balanced(match[1]) else source
    # A backslash at the end has lost its space, and would hide the delimiter.
    is_cut = (len(source) - len(source.rstrip("\\"))) % 2
    return source[:-1].rstrip() if is_cut else source


def is_balanced(source: str) -> bool:
    """Do the braces of TeX close one another."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", source):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0


def is_tex(text: str) -> bool:
    r"""Is a text written in TeX: it has a command that mathematics knows.

    >>> is_tex("\\frac{a}{b}"), is_tex("C:\\Users\\me"), is_tex("snake_case")
    (True, False, False)
    """
    return (
        any(name.lower() in _COMMANDS for name in _COMMAND.findall(text))
        and is_balanced(text)
        and not _PATH.match(text)
    )


def image_tex(attributes: Mapping[str, str]) -> str:
    """The TeX that an image has as alternative text or in its address; "" for most images.

    Args:
        attributes: of an ``<img>``.
    """
    alternative = tidy(attributes.get("alt", ""))
    is_drawn = "eeimg" in attributes or not _OF_TEX.isdisjoint(attributes.get("class", "").split())
    if is_tex(alternative) or (alternative and is_drawn and is_balanced(alternative)):
        return alternative
    return _address_tex(attributes.get("src", ""))


def _address_tex(address: str) -> str:
    """TeX in the query or at the end of the path of an address."""
    if len(address) > _LONGEST or not ("\\" in address or "%5c" in address.lower()):
        return ""
    try:
        parts = urlsplit(address)
        named = [value for name, value in parse_qsl(parts.query) if name.lower() in _PARAMETERS]
    except ValueError:
        return ""
    sources = (*named, unquote(parts.query), unquote(parts.path.rpartition("/")[2]))
    texs = (tidy(_SETTINGS.sub("", source.replace("&space;", " "))) for source in sources)
    return next(filter(is_tex, texs), "")
