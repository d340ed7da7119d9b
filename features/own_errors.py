"""What goes wrong in feature modules of users, in one line with file and line number."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from victor.config.own_modules import OwnModule
from victor.errors import FeatureError, PageError, VictorError, nearest
from victor.page.blocks import BlockTable

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
            return "; the texts are block_texts(table), of victor.page.texts"
        return nearest(str(error.name), (n for n in dir(BlockTable) if not n.startswith("_")))
    if isinstance(error, TypeError) and re.search(r"'(method|function)'", str(error)):
        named = re.findall(r"\.([A-Za-z]\w*)\b(?!\s*\()", source)
        methods = (name for name in named if callable(getattr(BlockTable, name, None)))
        called = next(methods, None)
        return f"; {called} is a method: write {called}(...)" if called else "; call it, with ()"
    return ""
