"""Rows of files: of text files what is given, an arrow, and what comes of it; tables of YAML.

A text file begins with a line that says what its rows are. Several things given are parted by
``¦``; ``⏎`` stands for the end of a line, ``{x*9}`` for x nine times. In YAML, ``!b`` is bytes.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

_REPEATED = re.compile(r"\{([^{}]*)\*(\d+)\}")


def rows_of(folder: Path) -> list[tuple[str, list[str], str]]:
    """The name of the file, what is given, and what comes of it, of all rows of a folder."""
    return [*_rows(folder)]


def _rows(folder: Path) -> Iterator[tuple[str, list[str], str]]:
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_bytes().decode().split("\n")[1:-1]:
            given, _, expected = line.partition(" →")
            yield (
                path.stem,
                [*map(written_out, given.split(" ¦ "))],
                written_out(expected.removeprefix(" ")),
            )


def written_out(written: str) -> str:
    """A text with what is repeated in it, and its ends of lines."""
    return repeated(written).replace("⏎", "\n")


def repeated(written: str) -> str:
    """A text with what is repeated in it."""
    return _REPEATED.sub(lambda run: run[1] * int(run[2]), written)


class _Loader(yaml.CSafeLoader):
    """Knows bytes, too."""


_Loader.add_constructor("!b", lambda _, node: node.value.encode("latin-1"))


def tables(test_file: str) -> dict[str, Any]:
    """The tables of ``rows/<name>.yaml`` beside a file ``test_<name>.py``, by name."""
    file = Path(test_file)
    path = file.parent / "rows" / f"{file.stem.removeprefix('test_')}.yaml"
    return yaml.load(path.read_text("utf-8"), _Loader)


def seen(found: Any, expected: Any) -> Any:
    """Of what was found what a row looks at: some fields, numbers to four digits."""
    if isinstance(expected, dict) and found is not None:
        return {name: seen(found[name], value) for name, value in expected.items()}
    if isinstance(expected, list) and found is not None:
        return [seen(*pair) for pair in zip(found, expected, strict=True)]
    return round(found, 4) if isinstance(expected, float) and found is not None else found
