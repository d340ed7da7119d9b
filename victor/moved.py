"""Names that live in another module: those that packages offer, and those of earlier versions.

Import paths that the documentation once named still work, and warn. A finder at the end of
`sys.meta_path` is asked only for what exists nowhere else, so that no other import pays for this.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, cast

MOVED: Final = {
    "victor.blocks": "victor.page.blocks",
    "victor.columns": "victor.features.base",
    "victor.compare": "victor.explain.compare",
    "victor.crawl.cleaning": "victor.crawl.documents.process",
    "victor.crawl.filters": "victor.crawl.documents.filters",
    "victor.crawl.readers": "victor.sources",
    "victor.crawl.record": "victor.sources.record",
    "victor.crawl.system": "victor.crawl.documents.crawl_spec",
    "victor.tokens": "victor.page.tokens",
}
"""Old name of a module to the one that it has now."""


class _MovedModules:
    """Finds modules under their old names; they hold the names of the new ones."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, cast(Any, self)) if name in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = MOVED[spec.name]
        warnings.warn(f"{spec.name} is {new} now", DeprecationWarning, stacklevel=2)
        module = ModuleType(spec.name)
        module.__dict__.update(vars(import_module(new)))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """All is there already."""


def offered(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package that loads its names when they are first used.

    Args:
        package: name of the package.
        modules: module to the names that the package offers of it, separated by spaces.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load


def install() -> None:
    """Let old names be found, once."""
    if not any(isinstance(finder, _MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(_MovedModules())
