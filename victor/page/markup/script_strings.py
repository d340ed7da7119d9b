"""Read the strings of JSON and of script state, each with the path of keys that leads to it.

Tokens are read one after the other, without recursion and in linear time; nothing has to be valid.
So a page that is cut off, a trailing comma or an object literal of JavaScript costs nothing but
what cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

Path = int
"""Number of a path in `Paths`."""

_NESTING: Final = r"|(?P<open>[\[{])|(?P<close>[\]}])"
_JSON: Final = re.compile(
    r'"(?P<text>(?:[^"\\]++|\\.)*+)"?(?P<colon>\s*+:)?' + _NESTING, re.DOTALL
)  # fmt: skip
_SCRIPT: Final = re.compile(
    r""""(?P<text>(?:[^"\\\n]++|\\.)*+)(?:"(?P<colon>\s*+:)?|(?P<stray>))"""
    r"""|'(?P<single>(?:[^'\\\n]++|\\.)*+)(?:'(?P<single_colon>\s*+:)?|(?P<single_stray>))"""
    r"|(?P<bare>[A-Za-z_$][\w$]*+)(?P<bare_colon>\s*+:)?" + _NESTING,
    re.DOTALL,
)
"""No string goes over the end of a line, so a stray quotation mark spoils no more than one."""
_KEYS: Final = {"colon": "text", "single_colon": "single", "bare_colon": "bare"}
"""Groups that a key ends with, and the groups that hold it."""
_TEXTS: Final = ("text", "single")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SIGNS: Final = {"b": " ", "f": " ", "n": "\n", "r": "\r", "t": "\t", "v": " ", "0": " "}
_CONTROLS: Final = {code: " " for code in range(32) if chr(code) not in "\t\n\r"}
_STATE: Final = re.compile(r"\s*+(?:[0-9a-f]{1,6}:)?+[A-Z]?[\[{]")
"""How a string begins that holds JSON itself; React numbers its rows."""
_MOST_NESTED: Final = 3
_MOST_LEVELS_BACK: Final = 8
_LONGEST_KEY: Final = 64


class Literal(NamedTuple):
    """One string value.

    Attributes:
        path: number of its path of keys; elements of an array have the path of the array.
        text: with escapes resolved; no surrogates, no control characters but white space.
    """

    path: Path
    text: str


class Paths:
    """Paths of keys, numbered; 0 is the empty one.

    A key that occurs a few levels above leads back there, so that a text has one path however deep
    its sections and marks are nested. Keys with digits count as the same key: they are identifiers.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[Path, str]] = [(0, "")]
        self._numbers: dict[tuple[Path, str], Path] = {}

    def below(self, path: Path, key: str) -> Path:
        """The path that a key leads to."""
        key = key[:_LONGEST_KEY]
        if any(map(str.isdigit, key)):
            key = "#"
        number = self._numbers.get((path, key))
        if number is None:
            number = self._back(path, key)
            if number is None:
                number = len(self._steps)
                self._steps.append((path, key))
            self._numbers[path, key] = number
        return number

    def _back(self, path: Path, key: str) -> Path | None:
        for _ in range(_MOST_LEVELS_BACK):
            if not path:
                return None
            above, step_key = self._steps[path]
            if step_key == key:
                return path
            path = above
        return None

    def above(self, path: Path) -> Path:
        """The path without its last key."""
        return self._steps[path][0]

    def key(self, path: Path) -> str:
        """The last key of a path."""
        return self._steps[path][1]


def read_literals(
    source: str, paths: Paths, *, root: Path = 0, script: bool = False
) -> list[Literal]:
    """All string values of a source, in order, those inside strings that are JSON included.

    Args:
        source: JSON, or script that assigns objects.
        paths: takes the paths.
        root: path of the outermost values.
        script: read it as JavaScript, with its own strings and bare keys.
    """
    values: list[Literal] = []
    waiting: list[tuple[Iterator[Literal], int]] = [(_read(source, paths, root, script), 0)]
    while waiting:
        pending, depth = waiting[-1]
        literal = next(pending, None)
        if literal is None:
            waiting.pop()
        elif depth < _MOST_NESTED and _STATE.match(literal.text):
            inner = _read(literal.text, paths, literal.path, script)
            waiting.append((inner, depth + 1))
        else:
            values.append(literal)
    return values


def _read(source: str, paths: Paths, root: Path, script: bool) -> Iterator[Literal]:
    """String values of one source; those that hold JSON are not opened.

    An array that begins with a dollar sign is an element of React, ``["$", name, key, {…}]``, whose
    name and key are no text.
    """
    stack, current = [root], root
    key: str | None = None
    before: str | None = None
    in_element = False
    for match in (_SCRIPT if script else _JSON).finditer(source):
        kind = match.lastgroup
        if kind not in _TEXTS:
            in_element = False
        elif before == "open" and match[kind] == "$":
            in_element = True
        before = kind
        if kind == "open":
            stack.append(current)
            current, key = current if key is None else paths.below(current, key), None
        elif kind == "close":
            current, key = stack.pop() if len(stack) > 1 else root, None
        elif kind in _KEYS:
            key = match[_KEYS[kind]]
        elif kind in _TEXTS and not in_element:
            path = current if key is None else paths.below(current, key)
            yield Literal(path, unescape(match[kind]))


def unescape(text: str) -> str:
    """Escapes of JSON and JavaScript resolved; half a surrogate pair becomes U+FFFD."""
    if "\\" in text:
        text = _ESCAPE.sub(_character, text)
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.translate(_CONTROLS)


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    return _SIGNS.get(match[3], match[3])
