"""Run feature modules that are files of their author: what goes wrong there has file and line.

Only the source that the configuration or the model holds is run, in a module of its own that no
other one can import.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args

from victor.base.errors import ConfigError, FeatureError, PageError, VictorError, nearest
from victor.config.modules import OwnModule
from victor.features.base import Column, ColumnValues, Feature, Kind
from victor.page.parsing.events import ATTRIBUTES
from victor.page.table.blocks import BlockTable

ONE_FILE: Final = (
    "a model stores this one file: put what it needs into it, or install that as a package"
)
_LONGEST: Final = 300
"""Characters of what an exception says."""


@contextmanager
def located(module: OwnModule) -> Iterator[None]:
    """Turn whatever the code of a module raises into one line with its file and line number.

    Errors of pages pass, and those of too little memory, which have a remedy of their own.

    Raises:
        FeatureError: the module raised something.
    """
    try:
        yield
    except (PageError, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # whatever it is, the message has to name the module
        raise FeatureError(_message(module, error)) from error


def frame_file(module: OwnModule) -> str:
    """What frames of a module name as their file."""
    return f"<{module.name} {module.sha256[:16]}>"


def typed(value: object) -> str:
    """A value as people name it that is of the wrong type."""
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _message(module: OwnModule, error: BaseException) -> str:
    """One line on what the code of a module raised."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    text = " ".join(text.split())[:_LONGEST]
    line = _line(module, error)
    if isinstance(error, VictorError):
        if text.startswith(module.name):
            return text
    else:
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    source = module.source.splitlines()[line - 1] if line else ""
    where = f"{module.name}, line {line}" if line else module.name
    return f"{where}: {text}{_advice(error, source)}"


def _line(module: OwnModule, error: BaseException) -> int:
    """The line of the module in which an exception arose; 0 if it is not known."""
    line = 0
    if isinstance(error, SyntaxError) and error.filename == frame_file(module):
        line = error.lineno or 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == frame_file(module):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line if line <= len(module.source.splitlines()) else 0


def _advice(error: BaseException, source: str) -> str:
    """The end of a message: what is probably meant, where that is cheap to tell.

    Args:
        error: what was raised.
        source: the line that raised it.
    """
    if isinstance(error, ModuleNotFoundError):
        return f"; {ONE_FILE}"
    if isinstance(error, NameError):
        if error.name == "__file__":
            return "; a model stores this one file and no other: write what it reads into it"
        return nearest(str(error.name), vars(builtins))
    if isinstance(error, AttributeError) and isinstance(error.obj, BlockTable):
        if error.name in ("text", "texts", "block_texts"):
            return "; the texts are block_texts(table), of victor.page.table.texts"
        return nearest(str(error.name), (n for n in dir(BlockTable) if not n.startswith("_")))
    if isinstance(error, TypeError) and re.search(r"'(method|function)'", str(error)):
        attributes = re.findall(r"\.([A-Za-z]\w*)\b(?!\s*\()", source)
        methods = (name for name in attributes if callable(getattr(BlockTable, name, None)))
        called = next(methods, None)
        return f"; {called} is a method: write {called}(...)" if called else "; call it, with ()"
    return ""


class OwnFeature:
    """The feature that a module of a user built; it satisfies `victor.features.base.Feature`.

    Attributes:
        module: the module.
        columns: what it gives.
        attributes: element attributes that it reads.
    """

    def __init__(self, module: OwnModule, feature: Feature) -> None:
        self.module = module
        self.columns: tuple[Column, ...] = _columns(module.name, feature.columns)
        self.attributes: Sequence[str] = getattr(feature, "attributes", ATTRIBUTES)
        self._measure = feature

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column.

        Raises:
            FeatureError: the module fails; says where.
        """
        with located(self.module):
            computed = self._measure(table)
        if not isinstance(computed, Mapping):
            raise FeatureError(
                f"{self.module.name}: it measured {typed(computed)}; want a table of columns, "
                f"e.g. {{{self.columns[0].name!r}: values}}"
            )
        return computed


def built(module: OwnModule) -> OwnFeature:
    """Run a module and its `build`.

    Raises:
        FeatureError: the module fails, or is not a feature module.
        ConfigError: its `build` does not take these parameters.
    """
    build = _run(module).get("build")
    if not callable(build):
        raise FeatureError(
            f"{module.name}: a feature module needs a function build(); it returns "
            "victor.features.base.Measure(columns, compute)"
        )
    check_parameters(module.name, build, module.parameters)
    with located(module):
        feature = build(**module.parameters)
    if not (callable(feature) and hasattr(feature, "columns")):
        raise FeatureError(
            f"{module.name}: build() returned {typed(feature)}; it has to return a "
            "victor.features.base.Measure(columns, compute)"
        )
    return OwnFeature(module, feature)


def check_parameters(name: str, build: Callable[..., object], params: Mapping[str, object]) -> None:
    """Refuse parameters that a function does not take.

    Raises:
        ConfigError: it does not take them; says which it takes.
    """
    signature = inspect.signature(build)
    try:
        signature.bind(**params)
    except TypeError as error:
        parameters = ", ".join(map(str, signature.parameters.values())) or "none"
        raise ConfigError(f"features: {name}: {error}; its parameters are: {parameters}") from None


def _run(module: OwnModule) -> dict[str, Any]:
    """The names that a module defines."""
    with located(module):
        tree = ast.parse(module.source, frame_file(module))
        _check_imports(module, tree)
        code = compile(tree, frame_file(module), "exec", dont_inherit=True)
        namespace = ModuleType(f"victor_own_{module.sha256[:16]}", ast.get_docstring(tree))
        # Dataclasses look their module up while they are made.
        sys.modules[namespace.__name__] = namespace
        try:
            exec(code, namespace.__dict__)
        finally:
            sys.modules.pop(namespace.__name__, None)
    return namespace.__dict__


def _check_imports(module: OwnModule, tree: ast.Module) -> None:
    """Refuse imports of files that lie beside the module: they work here and nowhere else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                where = f"{module.name}, line {node.lineno}"
                raise FeatureError(f"{where}: it imports a file beside it; {ONE_FILE}")
            _check_import(module, node.lineno, str(node.module))
        if isinstance(node, ast.Import):
            for alias in node.names:
                _check_import(module, node.lineno, alias.name)


def _check_import(module: OwnModule, line: int, imported: str) -> None:
    """Refuse an import from a folder that an interpreter looks into only because it started there.

    Raises:
        FeatureError: the import is one.
    """
    name = imported.partition(".")[0]
    try:
        spec = None if name == "victor" else find_spec(name)
    except (ImportError, ValueError):
        return  # running the module tells more
    if spec is None or not spec.has_location or spec.origin is None:
        return
    origin = Path(spec.origin).resolve()
    folder = origin.parent.parent if origin.stem == "__init__" else origin.parent
    if folder in (Path.cwd(), Path(sys.path[0]).resolve()):
        raise FeatureError(f"{module.name}, line {line}: it imports {name}; {ONE_FILE}")


def _columns(name: str, columns: object) -> tuple[Column, ...]:
    """The columns that a module declares, checked."""
    kinds = get_args(Kind)
    if not isinstance(columns, tuple | list) or not columns:
        raise FeatureError(
            f"{name}: columns are {typed(columns)}; want a tuple, e.g. "
            "(Column('shout.share', 'number', 'share of ...'),)"
        )
    for column in columns:
        if not isinstance(column, Column) or not isinstance(column.name, str):
            raise FeatureError(
                f"{name}: a column is {typed(column)}; want victor.features.base.Column"
            )
        if column.kind not in kinds:
            raise FeatureError(
                f"{name}: column {column.name} is of the kind {column.kind!r}; the kinds are "
                f"{', '.join(kinds)}"
            )
    return tuple(columns)
