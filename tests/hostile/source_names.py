"""Every name that the sources know: tags, classes, attributes, keys and words of pages.

They are the constants in the syntax trees of the modules, without docstrings and messages, the
lists of words beside them, and the strings in the C core.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import victor
from victor.page.parsing.tags import NAMES, VOID

_ROOMS: Final = (
    "page", "kinds", "render", "metadata", "labelers", "tables", "kitten", "language", "explain",
)  # fmt: skip
_PACKAGE: Final = Path(victor.__file__).parent
_WORD: Final = re.compile(r"[^\W\d_][\w:.-]{0,30}")
_C_STRING: Final = re.compile(r'"([A-Za-z][\w-]{1,30})"')
_LONGEST: Final = 4_000
"""Characters of a constant that names anything; longer ones are tables of characters."""


@cache
def tags() -> tuple[str, ...]:
    """Names of elements that the parser tells apart, those with a meaning to it."""
    return tuple(name for name in NAMES if re.fullmatch(r"[a-z][\w-]*", name))


@cache
def words() -> tuple[str, ...]:
    """All names, in an order that mixes the rooms and is the same every night."""
    found = {word for text in _constants() for word in _WORD.findall(text)}
    found |= {word for path in _c_files() for word in _C_STRING.findall(path.read_text())}
    by_case = {word.lower(): word for word in sorted(found)}  # none tells them apart
    return tuple(sorted(by_case.values(), key=lambda word: zlib.crc32(word.encode())))


def is_void(tag: str) -> bool:
    """Does an element have no end."""
    return tag in VOID


def _constants() -> Iterator[str]:
    for room in _ROOMS:
        for path in sorted((_PACKAGE / room).rglob("*.py")):
            yield from _constants_of(ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted((_PACKAGE / room).rglob("words.json")):
            yield path.read_text(encoding="utf-8")


def _constants_of(tree: ast.AST) -> Iterator[str]:
    """The strings of a module but docstrings and messages of errors."""
    raised = (node for node in ast.walk(tree) if isinstance(node, ast.Raise))
    messages = {inner for node in raised for inner in ast.walk(node)}
    messages |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in messages:
            value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
            if isinstance(value, str) and len(value) < _LONGEST:
                yield value


def _c_files() -> Iterator[Path]:
    core = _PACKAGE.parent / "core"
    yield from (path for path in sorted(core.rglob("*.[ch]")))
