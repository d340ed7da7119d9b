"""Labelers that learn from annotated pages: constants by search, or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.errors import ConfigError
from victor.labelers import LABELERS, Labeler
from victor.search import search

_MOST_PAGES: Final = 100
"""Pages that constants are searched on, about; evenly chosen."""

Train = Callable[[Sequence[AnnotatedPage]], Labeler]


def trainer(name: str) -> Train:
    """What makes a labeler of that name of annotated pages.

    Raises:
        ConfigError: there is none of that name that learns.
    """
    if name not in TRAINERS:
        raise ConfigError(f"labeler {name!r} does not learn; choose of {', '.join(TRAINERS)}")
    return TRAINERS[name]


def _searched(name: str) -> Train:
    """Search for the constants of a rule system."""

    def train(pages: Sequence[AnnotatedPage]) -> Labeler:
        module: Any = import_module(LABELERS[name])
        start = load_as(module.Settings, name)
        # Constants are few, and every value that is tried means cleaning all pages again.
        step = max(1, len(pages) // _MOST_PAGES)
        found = search(pages[::step], start, module.labeler, module.SPACE)
        labeler: Labeler = module.labeler(found.settings)
        return labeler

    return train


def _density(pages: Sequence[AnnotatedPage]) -> Labeler:
    """Train the character model beside the shipped constants."""
    from victor.density_training import train  # noqa: PLC0415  (needs scikit-learn)
    from victor.labelers.density import Settings, labeler  # noqa: PLC0415

    settings = load_as(Settings, "density")
    return labeler(settings, train(pages, settings))


TRAINERS: Final[Mapping[str, Train]] = {
    **{name: _searched(name) for name in ("bte", "cetr", "kimatu", "link-quota")},
    "density": _density,
}
"""Those that learn, by name."""
