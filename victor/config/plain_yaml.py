"""YAML as configurations use it: PyYAML's safe values, no key twice, and nothing without bounds.

YAML of 30 kB takes 60 ms to load, which is an eighth of a short run. So beside the lists of words
of the package lies their content, or what a function makes of it, as JSON with a checksum of the
YAML; where that does not fit, the YAML is read.

    python -m victor.config.plain_yaml FILE.yaml[=MODULE:FUNCTION] ...

writes the JSON anew; a test says when that was forgotten.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final

import msgspec

from victor.base.errors import ConfigError, hint
from victor.base.files import package_folder, write_bytes

CONFIGS: Final = "victor.configs"
TEMPLATES: Final = "victor.templates"  # packages of the shipped files
_MOST_BYTES: Final = 500_000  # of a file; ours have a tenth, and PyYAML takes seconds for so many
_MOST_VALUES: Final = 200_000  # values that a text stands for with all that aliases repeat
_MOST_LEVELS: Final = 50  # tables and lists within one another; ours have five


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
    """The value that a text stands for: tables, lists, strings, numbers, booleans, dates, None.

    Args:
        text: YAML.
        where: where it comes from, for messages.

    Raises:
        ConfigError: it is not YAML, has tags of programs, or a key twice; says in which line.
    """
    import yaml

    try:
        value = yaml.load(text, _loader())
        _check(value)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = [f"line {mark.line + 1}"] if mark else []
        said = ", ".join([*line, *filter(None, (error.context, error.problem))])
        raise ConfigError(f"{where}: {said}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: not plain YAML: {error}") from None
    return value


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


def _check(value: object) -> None:
    """Refuse what is nested too deep, or grows too large once aliases are written out.

    Raises:
        ValueError: it does, or it holds half a surrogate pair, which no message could show.
    """
    count, rest = 0, [(value, 0)]
    while rest:
        part, level = rest.pop()
        count += 1
        if level > _MOST_LEVELS:
            raise ValueError(f"tables and lists are nested more than {_MOST_LEVELS} deep")
        if count > _MOST_VALUES:
            raise ValueError(f"aliases stand for more than {_MOST_VALUES:,} values")
        if isinstance(part, str):
            part.encode()
        elif isinstance(part, dict):
            rest += [(each, level + 1) for pair in part.items() for each in pair]
        elif isinstance(part, list | tuple | set):
            rest += [(each, level + 1) for each in part]


@cache
def _loader() -> type[Any]:
    """PyYAML's safe loader, made when first used, for PyYAML takes long to load."""
    import yaml

    class Loader(yaml.SafeLoader):
        """A key that occurs twice is an error, not a silent loss, and tables are not merged."""

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            """Leave ``<<`` in place, which nothing can construct: merges grow without bounds."""

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

    # PyYAML takes 1e-5 for text.
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+\Z"),
        [*"-+.0123456789"],
    )
    return Loader


@cache
def _dumper() -> type[Any]:
    """PyYAML's safe dumper; it quotes what the loader would take for a number."""
    import yaml

    class Dumper(yaml.SafeDumper):
        yaml_implicit_resolvers = _loader().yaml_implicit_resolvers

        def ignore_aliases(self, data: object) -> bool:
            """Write what occurs twice twice: anchors are for no reader."""
            return True

        def represent_str(self, data: str) -> yaml.ScalarNode:
            """Write code as people read it."""
            style = "|" if "\n" in data else None
            return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    Dumper.add_representer(str, Dumper.represent_str)
    return Dumper


def shipped(package: str) -> tuple[str, ...]:
    """Names of the YAML files of a package, sorted."""
    return tuple(sorted(file.stem for file in package_folder(package).glob("*.yaml")))


def locate(source: object, package: str, directory: Path, where: str) -> Path:
    """The file of a shipped name, or of a path relative to a directory."""
    if not isinstance(source, str | Path):
        raise ConfigError(f"{where}: should be a shipped name or a path, got {shortened(source)}")
    names = shipped(package)
    if source in names:
        return package_folder(package) / f"{source}.yaml"
    path = directory / source
    if not path.is_file():
        raise ConfigError(f"{where}: there is no file {path}{hint(str(source), names)}")
    return path


Make = Callable[[Any], Any]
"""The content of a YAML file to plain data."""


def read_compiled(path: Path, make: Make | None = None) -> Any:  # noqa: ANN401  (plain data)
    """Content of a YAML file of the package, or what a function makes of it.

    Raises:
        ConfigError: the file cannot be read or is not YAML.
    """
    try:
        compiled = msgspec.json.decode(compiled_file(path, make).read_bytes())
        is_current = compiled["checksum"] == zlib.crc32(path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        is_current = False
    return compiled["content"] if is_current else _made(path, make)


def _made(path: Path, make: Make | None) -> Any:  # noqa: ANN401  (plain data)
    return make(read(path)) if make else read(path)


def compiled_file(path: Path, make: Make | None = None) -> Path:
    """The JSON beside a YAML file."""
    return path.with_suffix(f".{make.__name__}.json" if make else ".json")


def write_compiled(path: Path, make: Make | None = None) -> None:
    """Write the JSON of a YAML file beside it."""
    compiled = {"checksum": zlib.crc32(path.read_bytes()), "content": _made(path, make)}
    write_bytes(compiled_file(path, make), msgspec.json.encode(compiled) + b"\n")


if __name__ == "__main__":
    from pkgutil import resolve_name

    for argument in sys.argv[1:]:
        name, _, function = argument.partition("=")
        write_compiled(Path(name), resolve_name(function) if function else None)
