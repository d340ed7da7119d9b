"""Imports of optional packages, with a clear message where one is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from victor.errors import ConfigError


def needed(module: str, extra: str = "crawl") -> ModuleType:
    """A module of an optional package.

    Args:
        module: dotted name, as imported.
        extra: the extra of this package that installs it.

    Raises:
        ConfigError: it is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ConfigError(
            f'{package} cannot be imported ({error}): pip install "victor[{extra}]"'
        ) from None
