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

from victor.errors import ConfigError

_TAG: Final = "tag:yaml.org,2002:"
_FLOAT: Final = r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
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
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{path} cannot be read, want YAML in UTF-8: {error}") from None
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
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
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


@cache
def _dumper() -> type[Any]:
    """PyYAML's dumper; it quotes every string that the loader would take for something else."""
    import yaml

    class Dumper(yaml.SafeDumper):
        yaml_implicit_resolvers = _resolvers()

        def ignore_aliases(self, data: object) -> bool:
            """Write what occurs twice twice: anchors are for no reader."""
            return True

    return Dumper
