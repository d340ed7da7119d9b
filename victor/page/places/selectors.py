"""CSS selectors, read before any page and matched on all elements of a page at once.

A selector becomes a function from the E elements of a page to a column of flags. The column of a
step is made of the one before it by sums over spans of elements and runs of siblings. So the time
is elements times steps however a page is nested, and threads share only what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from reprlib import repr as shortened
from typing import Any, Final

import numpy as np
from cssselect import ExpressionError, SelectorError, parse
from cssselect import parser as css

from victor.base.arrays import Bools, prefix_sums
from victor.base.errors import ConfigError
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import Kind
from victor.page.parsing.tags import SHADOW_ROOT

Test = Callable[[MarkupElements], Bools]
_Relation = Callable[[MarkupElements, Bools], Bools]

_LONGEST: Final = 10_000
"""Characters of a string of selectors."""
_MOST_PARENTHESES: Final = 50
"""In such a string: functions that are nested are read and matched by calls in calls."""
_MOST_PARTS: Final = 100
"""Names, classes, attributes and pseudo-classes of one selector; each is a pass over a page."""
_LARGEST: Final = 2**31
_NO_TEXT: Final = re.compile(r"[\0\ud800-\udfff]")
_WHITE_SPACE: Final = re.compile(r"[ \t\n\f\r]+")


def read(selectors: str) -> list[Test]:
    """What each selector of a string with commas selects.

    Raises:
        ConfigError: cssselect cannot read it; it is beyond the bounds above; it has name spaces,
            pseudo-elements or unknown pseudo-classes.
    """
    try:
        if len(selectors) > _LONGEST:
            raise ExpressionError(f"it is longer than {_LONGEST:,} characters")
        if selectors.count("(") > _MOST_PARENTHESES:
            raise ExpressionError(f"it has more than {_MOST_PARENTHESES} parentheses")
        if _NO_TEXT.search(selectors):
            raise ExpressionError("it holds a NUL or half of a surrogate pair")
        return [_Reader().selector(each) for each in parse(selectors)]
    except (SelectorError, ValueError) as error:
        what = f"{shortened(selectors)} is no CSS selector that can be read"
        raise ConfigError(f"{what}: {str(error)[:200]}") from None


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


class _Reader:
    """Reads one selector, whose parts it counts."""

    def __init__(self) -> None:
        self._n_parts = 0

    def selector(self, selector: css.Selector) -> Test:
        if selector.pseudo_element is not None:
            raise ExpressionError("pages have no pseudo-elements")
        return self._whole(selector.parsed_tree)

    def _whole(self, tree: Any) -> Test:  # noqa: ANN401  (cssselect has no types)
        """A test for a selector with combinators."""
        (_, first), *others = self._steps(tree)

        def test(page: MarkupElements) -> Bools:
            chosen = first(page)
            for combinator, fits in others:
                chosen = _DOWN[combinator](page, chosen) & fits(page)
            return chosen

        return test

    def _having(self, token: Any, tree: Any) -> Test:  # noqa: ANN401
        """A test for elements to which others have a relation, as an argument of ``:has()``."""
        (_, first), *others = self._steps(tree)
        steps = [(token.value, first), *others][::-1]

        def test(page: MarkupElements) -> Bools:
            chosen = np.ones(len(page), dtype=bool)
            for combinator, fits in steps:
                chosen = _UP[combinator](page, chosen & fits(page))
            return chosen

        return test

    def _steps(self, tree: Any) -> list[tuple[str, Test]]:  # noqa: ANN401
        """The tests of a selector from left to right, each with the combinator before it."""
        steps: list[tuple[str, Test]] = []
        while isinstance(tree, css.CombinedSelector):
            steps.append((tree.combinator, self._compound(tree.subselector)))
            tree = tree.selector
        return [("", self._compound(tree)), *reversed(steps)]

    def _compound(self, tree: Any) -> Test:  # noqa: ANN401
        """A test for what is written without combinators, such as ``p.a:first-child``."""
        tests: list[Test] = []
        while not isinstance(tree, css.Element):
            tests.append(self._part(tree))
            tree = tree.selector
        if tree.element or not tests:
            tests.append(partial(_named, tree.element and tree.element.lower()))
        self._n_parts += len(tests)
        if self._n_parts > _MOST_PARTS:
            raise ExpressionError(f"it has more than {_MOST_PARTS} parts")
        _check_namespace(tree)
        return lambda page: np.logical_and.reduce([test(page) for test in tests])

    def _part(self, tree: Any) -> Test:  # noqa: ANN401
        """A test for the last part of a compound, whatever stands before it."""
        match tree:
            case css.Hash():
                return partial(_valued, "id", "=", tree.id)
            case css.Class():
                return partial(_valued, "class", "~=", tree.class_name)
            case css.Attrib():
                return _attribute(tree)
            case css.Function():
                return _function(tree)
            case css.Negation():
                test = self._whole(tree.subselector)
                return lambda page: ~test(page)
            case css.Relation():
                tests = [self._having(token, each.parsed_tree) for token, each in tree.arguments]
            case css.Matching() | css.SpecificityAdjustment():
                tests = [self._whole(each) for each in tree.selector_list]
            case _ if tree.ident in _WRITTEN:
                tests = read(_WRITTEN[tree.ident])
            case _ if tree.ident in _PSEUDO:
                return _PSEUDO[tree.ident]
            case _:
                raise ExpressionError(f"the pseudo-class :{tree.ident} is unknown")
        return lambda page: np.logical_or.reduce([test(page) for test in tests])


def _check_namespace(tree: css.Element | css.Attrib) -> None:
    if tree.namespace not in (None, "*"):
        raise ExpressionError(f"pages have no name space {tree.namespace!r}")


def _named(name: str | None, page: MarkupElements) -> Bools:
    """Elements of a name, all if it is None; a shadow root is a template."""
    names = {name, SHADOW_ROOT} if name == "template" else {name}
    return np.array([name is None or each in names for each in page.names], dtype=bool)


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


def _attribute(tree: css.Attrib) -> Test:
    _check_namespace(tree)
    name, wanted = tree.attrib.lower(), tree.value.value or "" if tree.value is not None else ""
    if tree.operator != "!=":
        return partial(_valued, name, tree.operator, wanted, ignores_case=tree.flag == "i")
    equal = partial(_valued, name, "=", wanted, ignores_case=tree.flag == "i")
    present = partial(_valued, name, "exists", "")
    # Without the attribute nothing is different from an empty value: so cssselect has it.
    return lambda page: ~equal(page) & (present(page) | (wanted != ""))


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


def _function(tree: css.Function) -> Test:
    """A test for a pseudo-class with arguments that are no selectors."""
    if tree.name in _COUNTED:
        step, offset = css.parse_series(tree.arguments)
        if max(abs(step), abs(offset)) >= _LARGEST:
            raise ExpressionError(f"a number in :{tree.name}() is too large")
        return lambda page: _is_of_series(_COUNTED[tree.name](page) + 1, step, offset)
    if tree.name not in _OF_TEXT:
        raise ExpressionError(f"the pseudo-class :{tree.name}() is unknown")
    if tree.argument_types() not in (["STRING"], ["IDENT"]):
        raise ExpressionError(f":{tree.name}() takes one text")
    return partial(_OF_TEXT[tree.name], str(tree.arguments[0].value))


def _is_of_series(number: Any, step: int, offset: int) -> Bools:  # noqa: ANN401
    """Is each number an offset and n times a step, for some n from 0 on."""
    number = number - offset
    rest = number % abs(step) if step else number
    return np.asarray((rest == 0) & (number * step >= 0))


def _containing(part: str, page: MarkupElements) -> Bools:
    """Elements whose text, without that of scripts and the like, holds a part."""
    record = page.record
    shown = ((record.kind == Kind.TEXT) & ~record.dropped).tolist()
    texts = [text if is_shown else "" for text, is_shown in zip(page.texts, shown, strict=True)]
    whole, before = "".join(texts), prefix_sums(np.array([*map(len, texts)], dtype=np.int64))
    at, found = -1, []
    for start in before[page.start].tolist():
        if at < start:
            at = whole.find(part, start)
            at = 2 * len(whole) + 1 if at < 0 else at
        found.append(at + len(part))
    return np.asarray(np.array(found, dtype=np.int64) <= before[page.end])


def _in_language(language: str, page: MarkupElements) -> Bools:
    """Elements in a language, as the nearest ``lang`` on or around them says."""
    chosen = np.zeros(len(page), dtype=bool)
    for element, value in page.valued("lang"):
        is_it = _HOLDS["|="](_lower(value), _lower(language))
        chosen[element : int(page.last[element]) + 1] = is_it
    return chosen


def _empty(page: MarkupElements) -> Bools:
    """Elements that hold neither elements nor text."""
    texts = prefix_sums(page.record.kind == Kind.TEXT)
    return np.asarray((page.last == np.arange(len(page))) & (texts[page.start] == texts[page.end]))


_COUNTED: Final[Mapping[str, Callable[[MarkupElements], Any]]] = {
    "nth-child": lambda page: page.siblings.place - page.siblings.first,
    "nth-last-child": lambda page: page.siblings.stop - page.siblings.place - 1,
    "nth-of-type": lambda page: page.namesakes.place - page.namesakes.first,
    "nth-last-of-type": lambda page: page.namesakes.stop - page.namesakes.place - 1,
}
"""How many siblings come before each element, or after it."""
_OF_TEXT: Final = {"contains": _containing, "lang": _in_language}
_PSEUDO: Final[Mapping[str, Test]] = {
    "root": lambda page: page.parent < 0,
    "scope": lambda page: page.parent < 0,
    "empty": _empty,
    **dict.fromkeys(
        ("visited", "hover", "active", "focus", "target"),
        lambda page: np.zeros(len(page), dtype=bool),
    ),
}
_FIELDS: Final = ":is(button, input, select, textarea)"
_WRITTEN: Final = {
    "first-child": ":nth-child(1)",
    "last-child": ":nth-last-child(1)",
    "first-of-type": ":nth-of-type(1)",
    "last-of-type": ":nth-last-of-type(1)",
    "only-child": ":nth-child(1):nth-last-child(1)",
    "only-of-type": ":nth-of-type(1):nth-last-of-type(1)",
    "link": ":is(a, area, link)[href]",
    "checked": "option[selected], :is(input, command)[checked]:is([type=checkbox], [type=radio])",
    "disabled": f"{_FIELDS}[disabled], :is(fieldset, optgroup, option)[disabled], "
    f"optgroup[disabled] option, "
    f"fieldset[disabled] {_FIELDS}:not(fieldset[disabled] > legend:first-of-type *)",
    "enabled": ":is(button, input, select, textarea, fieldset, optgroup, option):not(:disabled)",
}
"""Pseudo-classes as the selectors that they stand for."""
