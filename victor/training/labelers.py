"""Labelers that learn from annotated pages: constants by search, or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from victor.config import Section, load_as
from victor.corpus.pages import AnnotatedPage
from victor.errors import ConfigError
from victor.labelers import LABELERS, Labeler
from victor.training.search import search

_MOST_PAGES: Final = 100
"""Pages that constants are searched on, about; evenly chosen."""

Train = Callable[[Sequence[AnnotatedPage]], Labeler]


@dataclass(frozen=True)
class Learnt:
    """What was learnt.

    Attributes:
        labeler: the system.
        save: writes a configuration that gives this labeler, and what it names, to a path.
    """

    labeler: Labeler
    save: Callable[[Path], None]


def trainer(name: str) -> Train:
    """What makes a labeler of that name of annotated pages.

    Raises:
        ConfigError: there is none of that name that learns.
    """
    return lambda pages: learn(name, pages).labeler


def learn(name: str, pages: Sequence[AnnotatedPage]) -> Learnt:
    """Let a labeler learn from annotated pages.

    Raises:
        ConfigError: there is none of that name that learns.
        CorpusError: the pages have nothing to learn from.
    """
    if name not in TRAINERS:
        raise ConfigError(f"labeler {name!r} does not learn; choose of {', '.join(TRAINERS)}")
    return TRAINERS[name](pages)


def _searched(name: str) -> Callable[[Sequence[AnnotatedPage]], Learnt]:
    """Search for the constants of a rule system."""

    def search_in(pages: Sequence[AnnotatedPage]) -> Learnt:
        module: Any = import_module(LABELERS[name])
        start = load_as(module.Settings, name)
        # Constants are few, and every value that is tried means cleaning all pages again.
        step = max(1, len(pages) // _MOST_PAGES)
        found = search(pages[::step], start, module.labeler, module.SPACE)
        return Learnt(module.labeler(found.settings), partial(_write, found.settings))

    return search_in


def _density(pages: Sequence[AnnotatedPage]) -> Learnt:
    """Train the character model beside the shipped constants."""
    from victor.labelers.density import Settings, labeler  # noqa: PLC0415
    from victor.training.density import train  # noqa: PLC0415  (needs scikit-learn)

    settings = load_as(Settings, "density")
    model = train(pages, settings)

    def save(path: Path) -> None:
        beside = path.with_suffix(".density")
        model.save(beside)
        _write(settings.replace(model=str(beside.resolve())), path)

    return Learnt(labeler(settings, model), save)


def _write(settings: Section, path: Path) -> None:
    path.write_text(settings.dump(), encoding="utf-8")


TRAINERS: Final[Mapping[str, Callable[[Sequence[AnnotatedPage]], Learnt]]] = {
    **{name: _searched(name) for name in ("bte", "cetr", "kimatu", "link-quota")},
    "density": _density,
}
"""Those that learn, by name."""
