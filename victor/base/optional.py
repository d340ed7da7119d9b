"""Packages that only some commands need: imported on first use, with a clear error if missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from victor.base.errors import ConfigError


def load(module: str, *, extra: str, task: str = "this") -> ModuleType:
    """Import a module of an optional package.

    Args:
        module: dotted name, as imported.
        extra: the extra of this package that installs it.
        task: what needs it, as the message begins.

    Raises:
        ConfigError: it is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        # Of a package that is there and cannot be loaded, the reason is told.
        is_missing = isinstance(error, ModuleNotFoundError) and error.name in (package, module)
        reason = "" if is_missing else f" ({error})"
        raise ConfigError(
            f"{task} needs the package {package}: pip install 'victor-crf[{extra}]'{reason}"
        ) from None


def is_installed(package: str) -> bool:
    """Is a package, or a module of one, there that a command can do without."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package around the module
        return False
