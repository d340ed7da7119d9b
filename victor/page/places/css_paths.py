"""CSS paths to elements, the same in the tree of libxml2 and in that of a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from victor.page.markup.elements import MarkupElements
from victor.page.parsing.tags import DROPPED, VOID

_MOST_STEPS: Final = 48
"""Steps of a path at most; what lies deeper under the next element to begin at has none."""
_NO_STEPS: Final = DROPPED | VOID
"""Elements that no path leads through."""
_OPEN_VOIDS: Final = frozenset("bgsound command embed keygen source spacer track wbr".split())
"""Void elements that hold what follows in the tree of libxml2 and in no browser."""
_LONE: Final = frozenset({"main", "article", "header", "footer", "body"})
"""Elements to begin at that need no ``id`` if the page has one of the name."""


class CssPaths:
    """Writes CSS paths to the elements of one page.

    A path goes down child by child, for CSS cannot count elements in the order of the document.
    Browsers give the rows of a table a ``tbody``. So a path to them is two, with a comma between;
    each tree has elements of one of them.

    Args:
        elements: of the page.
        ids: of the elements that a path may begin at.
        shaky: names of elements that the trees may have other numbers of; None if they may hold
            each other in other ways, so that no path can go down.
    """

    def __init__(
        self, elements: MarkupElements, ids: Mapping[int, str], shaky: frozenset[str] | None
    ) -> None:
        self._shaky = shaky
        self._names = elements.names
        self._parent: list[int] = elements.parent.tolist()
        count = Counter(elements.names)
        self._start = [name if name in _LONE and count[name] == 1 else "" for name in self._names]
        for element, value in ids.items():
            self._start[element] = f"#{value}"
        self._number, self._with_body, self._behind_void = self._numbers()

    def of(self, element: int) -> str | None:
        """The path to an element, None where there is no short one that holds in both trees."""
        names: list[str] = []
        in_browser: list[str] = []
        while not self._start[element]:
            above = self._parent[element]
            name = self._names[element]
            if above < 0 or len(names) == _MOST_STEPS or name in _NO_STEPS:
                return None
            if self._shaky is None or name in self._shaky or element in self._behind_void:
                return None
            names.append(f"{name}:nth-of-type({self._number[element]})")
            in_browser.append(names[-1])
            if name == "tr" and self._names[above] == "table":
                if above in self._with_body:
                    return None
                in_browser.append("tbody:nth-of-type(1)")
            element = above
        start = self._start[element]
        paths = [" > ".join([start, *reversed(steps)]) for steps in (names, in_browser)]
        return ", ".join(dict.fromkeys(paths))

    def _numbers(self) -> tuple[list[int], set[int], set[int]]:
        """Numbers among those of a name; tables with a ``tbody``; elements behind an open void."""
        so_far: Counter[tuple[int, str]] = Counter()
        numbers: list[int] = []
        with_body, with_void, behind_void = set[int](), set[int](), set[int]()
        for name, above in zip(self._names, self._parent, strict=True):
            if above in with_void:
                behind_void.add(len(numbers))
            so_far[above, name] += 1
            numbers.append(so_far[above, name])
            if name == "tbody":
                with_body.add(above)
            if name in _OPEN_VOIDS:
                with_void.add(above)
        return numbers, with_body, behind_void
