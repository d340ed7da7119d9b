"""Names that packages offer of their modules, which load when such a name is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

Loader = tuple[Callable[[str], Any], Callable[[], list[str]]]


def loader(
    package: str, modules: Mapping[str, str], needs: Mapping[str, str] | None = None
) -> Loader:
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

    def load(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, inner = homes[name]
        value = getattr(import_module(module), inner)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        missing = {name for name, needed in (needs or {}).items() if find_spec(needed) is None}
        return sorted({*sys.modules[package].__all__} - missing)

    return load, names
