"""Which tests run a line of Python: those that can notice a change of it."""

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from coverage import CoverageData

from .changes import Change

MEASURED = ("--cov=victor", "--cov=features", "--cov-context=test", "--cov-report=")
"""Options of pytest that note which test runs which line."""


class Lines:
    """The tests of each line, by the data that a run of the tests left beside the sources."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = CoverageData(str(folder / ".coverage"))
        self._data.read()
        self._of_file = cache(self._read)
        self._sources = [
            path.relative_to(folder).as_posix()
            for room in ("victor", "features")
            for path in sorted((folder / room).rglob("*.py"))
        ]

    def running(self, change: Change) -> set[str]:
        """Tests that run a line of a function; what imports run is not theirs."""
        *around, statement = self._around(change)
        if not any(isinstance(each, ast.FunctionDef) for each in around):
            return set()
        body = getattr(statement, "body", None)
        end = body[0].lineno - 1 if body else statement.end_lineno
        numbers = range(statement.lineno, max(end, statement.lineno) + 1)
        return self._of_lines(change.path, numbers)

    def naming(self, change: Change) -> set[str]:
        """Tests that run lines with the name of what a line only defines."""
        name = _defined(self._around(change)[-1])
        word = re.compile(rf"\b{re.escape(name)}\b")
        found = set[str]()
        for file in [change.path] if name.startswith("_") else self._sources if name else []:
            lines = (self._folder / file).read_text("utf-8").splitlines()
            naming = [number for number, text in enumerate(lines, start=1) if word.search(text)]
            found |= self._of_lines(file, naming)
        return found

    def _around(self, change: Change) -> list[ast.stmt]:
        """The statements that a line belongs to, from outside in, as the walk goes."""
        tree = ast.parse((self._folder / change.path).read_text("utf-8"))
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        return [node for node in statements if node.lineno <= change.line <= node.end_lineno]

    def _of_lines(self, path: str, numbers: Iterable[int]) -> set[str]:
        of_file = self._of_file(path)
        contexts = {each for number in numbers for each in of_file.get(number, ())}
        return {each.rpartition("|")[0] for each in contexts if each}

    def _read(self, path: str) -> dict[int, list[str]]:
        return self._data.contexts_by_lineno(str(self._folder / path))


def _defined(statement: ast.stmt) -> str:
    """The name that a statement gives something, or ""."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
    return ""
