"""CSS selectors, read before any page and matched on all elements of a page at once.

What a selector selects of the E elements of a page is a column of flags. The column of a step is
made of the one before it by sums over spans of elements and runs of siblings. So the time is
elements times steps however a page is nested, and threads share only what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from reprlib import repr as shortened
from typing import Any, Final, NamedTuple

import numpy as np
from cssselect import ExpressionError, SelectorError, parse
from cssselect import parser as css

from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.errors import ConfigError
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import Kind, Markup, markup_of
from victor.page.parsing.tags import SHADOW_ROOT
from victor.page.table.blocks import BlockTable

Test = Callable[[MarkupElements], Bools]
_Relation = Callable[[MarkupElements, Bools], Bools]

_LONGEST: Final = 10_000  # characters of a string of selectors
_MOST_PARENTHESES: Final = 50
"""In such a string: functions that are nested are read and matched by calls in calls."""
_MOST_PARTS: Final = 100  # steps of one selector, and names, classes and other parts of a step
_LARGEST: Final = 2**31
_NO_TEXT: Final = re.compile(r"[\0\ud800-\udfff]")
_WHITE_SPACE: Final = re.compile(r"[ \t\n\f\r]+")
_NO_PAGE: Final = MarkupElements.of(Markup.of([], 0, alt_text=False))


class Selected(NamedTuple):
    """What is selected of a page of T tags."""

    text: Bools  # (T,) bool; does the text right after each tag lie in a selected element
    tags: Bools  # (T,) bool; does each tag itself, or is it a selected void element


class Selectors:
    """Some CSS selectors.

    Args:
        selectors: each may have commas; cssselect's documentation says what else.

    Raises:
        ConfigError: one of them is no CSS selector, see `read`.
    """

    def __init__(self, selectors: Sequence[str]) -> None:
        self._tests = [test for selector in selectors for test in read(selector)]

    def on(self, table: BlockTable, page: int, markup: bytes) -> Selected:
        """What is selected on a page.

        Args:
            table: of a batch of pages.
            page: number of the page.
            markup: its UTF-8 bytes.
        """
        record = markup_of(table, page, markup)
        elements = MarkupElements.of(record)
        chosen = ~elements.dropped & np.logical_or.reduce([test(elements) for test in self._tests])
        is_void = elements.start == elements.end
        start, end = record.tag[elements.start], record.tag[elements.end]
        holding, void = chosen & ~is_void, chosen & is_void
        text = _covered(start[holding], end[holding], record.n_tags)
        return Selected(text, text | _covered(start[void], end[void] + 1, record.n_tags))


def _covered(start: Ints, end: Ints, size: int) -> Bools:
    """(size,) is each place in one of some spans, which do not cross."""
    step = np.bincount(start, minlength=size + 1) - np.bincount(end, minlength=size + 1)
    return np.asarray(np.cumsum(step[:-1]) > 0)


def read(selectors: str) -> list[Test]:
    """What each selector of a string with commas selects.

    Raises:
        ConfigError: cssselect cannot read it; it is beyond the bounds above; it has name spaces,
            pseudo-elements, or pseudo-classes or operators that are none of those below.
    """
    try:
        if len(selectors) > _LONGEST:
            raise ExpressionError(f"it is longer than {_LONGEST:,} characters")
        if selectors.count("(") > _MOST_PARENTHESES:
            raise ExpressionError(f"it has more than {_MOST_PARENTHESES} parentheses")
        if _NO_TEXT.search(selectors):
            raise ExpressionError("it holds a NUL or half of a surrogate pair")
        trees = parse(selectors)
        if any(tree.pseudo_element is not None for tree in trees):
            raise ExpressionError("pages have no pseudo-elements")
        tests: list[Test] = [partial(_selected, tree.parsed_tree) for tree in trees]
        for test in tests:
            test(_NO_PAGE)
    except (SelectorError, ValueError) as error:
        what = f"{shortened(selectors)} is no CSS selector that can be read"
        raise ConfigError(f"{what}: {str(error)[:250]}") from None
    return tests


def _selected(tree: Any, page: MarkupElements) -> Bools:  # noqa: ANN401  (cssselect has no types)
    """(E,) is each element one that a selector selects."""
    element, *parts = _parts(tree)[::-1]
    chosen = _named(element, page)
    for part in parts:
        if isinstance(part, css.CombinedSelector):
            chosen = _DOWN[part.combinator](page, chosen) & _selected(part.subselector, page)
        else:
            chosen &= _fits(part, page)
    return chosen


def _having(relation: Any, tree: Any, page: MarkupElements) -> Bools:  # noqa: ANN401
    """(E,) do elements that a selector selects from each element on have a relation to it."""
    chosen = np.ones(len(page), dtype=bool)
    while isinstance(tree, css.CombinedSelector):
        chosen = _UP[tree.combinator](page, chosen & _selected(tree.subselector, page))
        tree = tree.selector
    return _UP[relation](page, chosen & _selected(tree, page))


def _parts(tree: Any) -> list[Any]:  # noqa: ANN401
    """A selector without its last part, without its last two, and so on, down to an element."""
    parts = [tree]
    while not isinstance(parts[-1], css.Element):
        parts.append(parts[-1].selector)
    if len(parts) - (parts[-1].element is None) > _MOST_PARTS:
        raise ExpressionError(f"it has more than {_MOST_PARTS} parts")
    return parts


_DOWN: Final[Mapping[str, _Relation]] = {
    " ": MarkupElements.inside,
    ">": lambda page, chosen: np.append(chosen, False)[page.parent],
    "+": lambda page, chosen: page.siblings.beside(chosen, -1, 0),
    "~": lambda page, chosen: page.siblings.beside(chosen, -len(page), 0),
}
"""Which elements stand to chosen ones as a combinator says."""
_UP: Final[Mapping[str, _Relation]] = {
    " ": MarkupElements.holding,
    ">": lambda page, chosen: np.isin(np.arange(len(page)), page.parent[chosen]),
    "+": lambda page, chosen: page.siblings.beside(chosen, 1, 2),
    "~": lambda page, chosen: page.siblings.beside(chosen, 1, len(page)),
}
"""To which elements chosen ones stand so."""


def _fits(part: Any, page: MarkupElements) -> Bools:  # noqa: ANN401
    """(E,) does each element fit the last part of a selector, whatever stands before it."""
    match part:
        case css.Hash():
            return _valued("id", "=", part.id, page)
        case css.Class():
            return _valued("class", "~=", part.class_name, page)
        case css.Attrib():
            return _with_attribute(part, page)
        case css.Negation():
            return ~_selected(part.subselector, page)
        case css.Relation():
            given = part.arguments
            found = [_having(token.value, tree.parsed_tree, page) for token, tree in given]
        case css.Matching() | css.SpecificityAdjustment():
            found = [_selected(tree, page) for tree in part.selector_list]
        case css.Pseudo() if part.ident in _PSEUDO:
            return _PSEUDO[part.ident](page)
        case css.Function() if part.name in _COUNTED:
            step, offset = css.parse_series(part.arguments)
            return _is_of_series(_COUNTED[part.name](page) + 1, step, offset)
        case css.Function(name="contains") if part.argument_types() in (["STRING"], ["IDENT"]):
            return _containing(str(part.arguments[0].value), page)
        case _:
            name = part.ident if isinstance(part, css.Pseudo) else f"{part.name}()"
            raise ExpressionError(f":{name[:20]} is none of the pseudo-classes {_KNOWN}")
    return np.asarray(np.logical_or.reduce(found))


def _check_namespace(part: css.Element | css.Attrib) -> None:
    if part.namespace not in (None, "*"):
        raise ExpressionError(f"pages have no name space {part.namespace!r}")


def _named(part: css.Element, page: MarkupElements) -> Bools:
    """Elements of a name, all if there is none; a shadow root is a template."""
    _check_namespace(part)
    if part.element is None:
        return np.ones(len(page), dtype=bool)
    name = part.element.lower()
    names = {name, SHADOW_ROOT} if name == "template" else {name}
    return np.array([each in names for each in page.names], dtype=bool)


# --- Attributes ----------------------------------------------------------------------------------

_HOLDS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "exists": lambda value, wanted: True,
    "=": lambda value, wanted: value == wanted,
    "|=": lambda value, wanted: (value + "-").startswith(wanted + "-"),
    "~=": lambda value, wanted: wanted != "" and wanted in _WHITE_SPACE.split(value),
    "^=": lambda value, wanted: wanted != "" and value.startswith(wanted),
    "$=": lambda value, wanted: wanted != "" and value.endswith(wanted),
    "*=": lambda value, wanted: wanted != "" and wanted in value,
}
"""What a value and the wanted one are to each other by an operator."""


def _with_attribute(part: css.Attrib, page: MarkupElements) -> Bools:
    _check_namespace(part)
    if part.operator not in _HOLDS:
        raise ExpressionError(f"the operator {part.operator} is unknown")
    wanted = part.value.value or "" if part.value is not None else ""
    ignores_case = part.flag == "i"
    return _valued(part.attrib.lower(), part.operator, wanted, page, ignores_case=ignores_case)


def _valued(
    name: str, operator: str, wanted: str, page: MarkupElements, *, ignores_case: bool = False
) -> Bools:
    """Elements with an attribute whose value an operator relates to the wanted one."""
    chosen = np.zeros(len(page), dtype=bool)
    fold = _lower if ignores_case else str
    holds, wanted = _HOLDS[operator], fold(wanted)
    for element, value in page.valued(name, "" if ignores_case else wanted):
        chosen[element] = holds(fold(value), wanted)
    return chosen


def _lower(text: str) -> str:
    """A text with its ASCII letters in lower case."""
    return text.encode().lower().decode()


# --- Pseudo-classes ------------------------------------------------------------------------------


def _is_of_series(number: Any, step: int, offset: int) -> Bools:  # noqa: ANN401
    """Is each number an offset and n times a step, for some n from 0 on."""
    if max(abs(step), abs(offset)) >= _LARGEST:
        raise ExpressionError("a number in it is too large")
    number = number - offset
    rest = number % abs(step) if step else number
    return np.asarray((rest == 0) & (number * step >= 0))


def _containing(part: str, page: MarkupElements) -> Bools:
    """Elements whose text, without that of scripts and the like, holds a part."""
    record = page.record
    shown = ((record.kind == Kind.TEXT) & ~record.dropped).tolist()
    texts = [text if is_shown else "" for text, is_shown in zip(record.texts, shown, strict=True)]
    whole, before = "".join(texts), prefix_sums(np.array([*map(len, texts)], dtype=np.int64))
    at, found = -1, []
    for start in before[page.start].tolist():
        if at < start:
            at = whole.find(part, start)
            at = len(whole) if at < 0 else at
        found.append(at + len(part))
    return np.asarray(np.array(found, dtype=np.int64) <= before[page.end])


def _empty(page: MarkupElements) -> Bools:
    """Elements that hold neither elements nor text."""
    texts = prefix_sums(page.record.kind == Kind.TEXT)
    return np.asarray((page.last == np.arange(len(page))) & (texts[page.start] == texts[page.end]))


_COUNTED: Final[Mapping[str, Callable[[MarkupElements], Any]]] = {
    "nth-child": lambda page: page.siblings.before,
    "nth-last-child": lambda page: page.siblings.after,
    "nth-of-type": lambda page: page.namesakes.before,
    "nth-last-of-type": lambda page: page.namesakes.after,
}
"""How many siblings come before each element, or after it."""
_PSEUDO: Final[Mapping[str, Test]] = {
    "root": lambda page: page.parent < 0,
    "empty": _empty,
    "first-child": lambda page: page.siblings.before == 0,
    "last-child": lambda page: page.siblings.after == 0,
    "only-child": lambda page: page.siblings.before + page.siblings.after == 0,
    "first-of-type": lambda page: page.namesakes.before == 0,
    "last-of-type": lambda page: page.namesakes.after == 0,
    "only-of-type": lambda page: page.namesakes.before + page.namesakes.after == 0,
}
_KNOWN: Final = " ".join([*_PSEUDO, *_COUNTED, "not is where has contains"])
