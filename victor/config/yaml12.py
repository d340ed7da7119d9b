"""YAML as configurations use it: the plain values of YAML 1.2, no tags, no key twice.

PyYAML by itself follows YAML 1.1, where ``no`` is false and ``1e-5`` a string. ruamel.yaml was
tried: it reads 010, 0x1f and 2008-01-01 as numbers and a date, refuses ``<<`` and loads in 40 ms
against 26 ms, so that it would need the same table of scalars.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from victor.base.errors import ConfigError

_TAG: Final = "tag:yaml.org,2002:"
_FLOAT: Final = r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
_MOST_BYTES: Final = 500_000
"""Of a file; ours have a tenth, and PyYAML takes seconds for so many."""
_MOST_VALUES: Final = 200_000
"""Values that a text stands for with all that aliases repeat."""
_MOST_LEVELS: Final = 50
"""Tables and lists within one another; ours have five."""
_SCALARS: Final = (
    ("null", ["~", "n", "N", ""], r"~|null|Null|NULL|"),
    ("bool", [*"tTfF"], r"true|True|TRUE|false|False|FALSE"),
    ("int", [*"-+0123456789"], r"[-+]?(?:0|[1-9][0-9_]*)"),
    ("float", [*"-+.0123456789"], _FLOAT),
)
"""Plain scalars that are not strings: type, first characters, pattern."""


def read(path: Path) -> Any:  # noqa: ANN401  (whatever the file holds)
    """Content of a UTF-8 file; None if it is empty.

    Raises:
        ConfigError: the file cannot be read or is not YAML; says in which line.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe would let us wait
            raise OSError("it is no file")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read, want YAML in UTF-8: {error}") from None
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} has more than {_MOST_BYTES:,} bytes, which no configuration has")
    return parse(text, str(path))


def parse(text: str, where: str) -> Any:  # noqa: ANN401  (whatever the text holds)
    """The value that a text stands for: tables, lists, strings, numbers, booleans, None.

    Args:
        text: YAML.
        where: where it comes from, for messages.

    Raises:
        ConfigError: it is not YAML, has tags, or a key twice; says in which line.
    """
    import yaml

    try:
        return _loader()(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        if (opened := error.context_mark) and "<stream end>" in str(error.problem):
            bracket = text.splitlines()[opened.line][opened.column : opened.column + 1]
            if bracket in ("{", "["):
                raise ConfigError(
                    f"{where}: line {opened.line + 1}, a {bracket} is not closed"
                ) from None
        mark = error.problem_mark or error.context_mark
        line = f" line {mark.line + 1}," if mark else ""
        raise ConfigError(f"{where}:{line} {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, KeyError, RecursionError) as error:
        raise ConfigError(f"{where}: not plain YAML: {error}") from None


def dump(data: object) -> str:
    """Plain data as YAML that `parse` gives back, keys in their order."""
    import yaml

    text: str = yaml.dump(
        data,
        Dumper=_dumper(),
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=100,
    )
    return text


@cache
def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """First character to the types that it may begin, as PyYAML looks them up."""
    rules: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for kind, characters, pattern in _SCALARS:
        rule = (_TAG + kind, re.compile(rf"(?:{pattern})\Z"))
        for character in characters:
            rules.setdefault(character, []).append(rule)
    return rules


@cache
def _loader() -> type[Any]:
    """PyYAML's loader of these values; made when first used, for PyYAML takes long to load."""
    import yaml

    kinds = ["map", "seq", "str", *(kind for kind, _, _ in _SCALARS)]
    tags = [None, *(_TAG + kind for kind in kinds)]  # None: the one that refuses any other tag

    class Loader(yaml.SafeLoader):
        """A key that occurs twice is an error, not a silent loss."""

        yaml_implicit_resolvers = _resolvers()
        yaml_constructors: ClassVar = {tag: yaml.SafeLoader.yaml_constructors[tag] for tag in tags}

        def get_single_node(self) -> yaml.Node | None:
            """The tree, unless it would grow without bounds once aliases are written out."""
            self.has_aliases, self.depth = False, 0
            node = super().get_single_node()
            if self.has_aliases and node is not None:
                _check_size(node, {})
            return node

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            """A node; notes whether it is an alias, and how deep it lies."""
            self.has_aliases |= self.check_event(yaml.AliasEvent)
            self.depth += 1
            if self.depth > _MOST_LEVELS:
                raise ValueError(f"tables and lists are nested more than {_MOST_LEVELS} deep")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

        def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:  # noqa: ANN401
            """Text; escapes may name halves of surrogate pairs, which no message could hold."""
            value = super().construct_scalar(node)
            try:
                value.encode()
            except UnicodeEncodeError:
                message = "text with half a surrogate pair"
                raise yaml.constructor.ConstructorError(
                    None, None, message, node.start_mark
                ) from None
            return value

        def construct_mapping(
            self, node: yaml.MappingNode, deep: bool = False
        ) -> dict[Hashable, Any]:
            """A table whose keys are all different."""
            seen = set()
            for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
                if key.value in seen:
                    message = f"key {key.value!r} occurs twice"
                    raise yaml.constructor.ConstructorError(None, None, message, key.start_mark)
                seen.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader


def _check_size(node: Any, sizes: dict[int, int | None]) -> int:  # noqa: ANN401  (of PyYAML)
    """Count the values below a node, those of aliases every time.

    Raises:
        ValueError: they are too many, or an anchor holds itself.
    """
    size_below = sizes.get(id(node), 0)
    if size_below is None:
        raise ValueError("an anchor that holds itself; write its content out")
    if size_below:
        return size_below
    sizes[id(node)] = None
    size = 1
    for part in node.value if isinstance(node.value, list) else ():
        size += sum(_check_size(each, sizes) for each in (part if type(part) is tuple else (part,)))
        if size > _MOST_VALUES:
            raise ValueError(f"aliases stand for more than {_MOST_VALUES:,} values")
    sizes[id(node)] = size
    return size


@cache
def _dumper() -> type[Any]:
    """PyYAML's dumper; it quotes every string that the loader would take for something else."""
    import yaml

    class Dumper(yaml.SafeDumper):
        yaml_implicit_resolvers = _resolvers()

        def ignore_aliases(self, data: object) -> bool:
            """Write what occurs twice twice: anchors are for no reader."""
            return True

        def represent_str(self, data: str) -> yaml.ScalarNode:
            """Write code as people read it."""
            style = "|" if "\n" in data else None
            return self.represent_scalar(f"{_TAG}str", data, style=style)

    Dumper.add_representer(str, Dumper.represent_str)
    return Dumper
