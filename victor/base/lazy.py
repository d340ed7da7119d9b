"""What is made when it is first used: properties, patterns, names of packages, other packages.

A short run needs few of them, and pays for each that is made before it is needed.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, AnyStr, Final, cast

from victor.base.errors import ConfigError

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  # it is used as a decorator
        """`functools.cached_property` without the lock of Python 3.11.

        That lock is one for a property of all objects: a thread that reads the text of a small
        page waits for the one that renders a large page, and a process that is forked meanwhile
        waits for ever. Here threads that ask at the same time may each compute the value; all of
        them get the one that was ready first.
        """

        def __get__(self, instance: object, owner: type | None = None) -> object:
            """The value; of a class, the property itself."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


__all__ = ["cached_property", "is_installed", "load", "loader", "pattern", "wait_for_modules"]


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""A regular expression that is compiled when one of its methods is asked for.

    To compile one takes up to a millisecond.

    >>> pattern(r"\d+").findall("4 mills, 12 bees")
    ['4', '12']
    """
    return cast("re.Pattern[AnyStr]", _Pattern(source, flags))


class _Pattern:
    """Stands for a compiled pattern."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the pattern has)
        """An attribute of the compiled pattern, which from then on is one of this object, too."""
        value = getattr(re.compile(self._source, self._flags), name)
        self.__dict__[name] = value
        return value


# --- Modules --------------------------------------------------------------------------------------


def loader(
    package: str, modules: Mapping[str, str], needs: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and the ``__dir__`` of a package that loads its names on first use.

    Args:
        package: name of the package.
        modules: module to the names that the package offers of it, separated by spaces;
            ``curve=sweep`` offers `curve` of the module as `sweep`.
        needs: name to the optional package that its module imports. Where that is not installed,
            `dir` leaves the name out: shells load each name that they complete.
    """
    homes = {
        offered.rpartition("=")[2]: (module, offered.partition("=")[0])
        for module, names in modules.items()
        for offered in names.split()
    }

    def get(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, inner = homes[name]
        value = getattr(importlib.import_module(module), inner)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        missing = {name for name, needed in (needs or {}).items() if find_spec(needed) is None}
        return sorted({*sys.modules[package].__all__} - missing)

    return get, names


def load(module: str, *, extra: str, task: str = "this") -> ModuleType:
    """Import a module of a package that only some commands need.

    Args:
        module: dotted name, as imported.
        extra: the extra of this package that installs it.
        task: what needs it, as the message begins.

    Raises:
        ConfigError: it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
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


_LONGEST: Final = 10.0
"""Seconds to wait; a module that takes longer may wait for the thread that forks."""


def wait_for_modules() -> None:
    """Wait until no other thread is loading a module.

    A child that is forked meanwhile has the lock of the module and no thread that would give it
    back: it waits for ever where it needs the module, too.
    """
    end = time.monotonic() + _LONGEST
    while _is_loading_elsewhere() and time.monotonic() < end:
        time.sleep(0.001)


def _is_loading_elsewhere() -> bool:
    """Does another thread hold the lock of a module; False where Python has none that we know."""
    locks = dict(getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {}))
    owners = {getattr(reference(), "owner", None) for reference in locks.values()}
    return not owners <= {None, threading.get_ident()}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=wait_for_modules)
