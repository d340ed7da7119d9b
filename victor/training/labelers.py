"""Labelers trained on annotated pages: constants found by search, or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from victor.base.errors import ConfigError
from victor.config import Section, load_as
from victor.corpus.pages import AnnotatedPage
from victor.labelers import Labeler, system
from victor.training.search import search

_MOST_PAGES: Final = 100
"""About how many pages, evenly chosen, constants are searched on."""

Train = Callable[[Sequence[AnnotatedPage]], Labeler]
_Learn = Callable[[Sequence[AnnotatedPage], str | Path, Sequence[str]], "TrainedLabeler"]


@dataclass(frozen=True)
class TrainedLabeler:
    """A labeler after training.

    Attributes:
        labeler: the labeler itself.
        save: writes to a path the configuration of this labeler, and the model that it names.
    """

    labeler: Labeler
    save: Callable[[Path], None]


def trainer(name: str) -> Train:
    """The training of the labeler of a name, as a function of annotated pages.

    The function raises what `learn` raises.
    """
    return lambda pages: learn(name, pages).labeler


def learn(
    name: str,
    pages: Sequence[AnnotatedPage],
    source: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> TrainedLabeler:
    """Train the labeler of a name on annotated pages.

    Args:
        name: one of `TRAINERS`.
        pages: what it learns from.
        source: configuration to start from; None for the shipped one of that name.
        overrides: ``key=value``.

    Raises:
        ConfigError: no labeler of that name can be trained, or the configuration is wrong.
        CorpusError: the pages have nothing to learn from.
    """
    if name not in TRAINERS:
        raise ConfigError(
            f"labeler {name!r} cannot be trained; choose one of {', '.join(TRAINERS)}"
        )
    return TRAINERS[name](pages, source or name, overrides)


def _searched(name: str) -> _Learn:
    """The search for the constants of a rule-based labeler."""

    def train(
        pages: Sequence[AnnotatedPage], source: str | Path, overrides: Sequence[str]
    ) -> TrainedLabeler:
        made = system(name)
        start = load_as(made.settings, source, overrides)
        # There are few constants, and every value that is tried means labelling all pages again.
        step = max(1, len(pages) // _MOST_PAGES)
        settings = search(pages[::step], start, made.labeler, made.space).settings
        return TrainedLabeler(made.labeler(settings), partial(_write, settings))

    return train


def _density(
    pages: Sequence[AnnotatedPage], source: str | Path, overrides: Sequence[str]
) -> TrainedLabeler:
    """Train the character model; the constants stay as they are."""
    from victor.labelers.density import labeler
    from victor.labelers.density.settings import Settings
    from victor.training.density import train  # needs scikit-learn

    settings = load_as(Settings, source, overrides)
    model = train(pages, settings)

    def save(path: Path) -> None:
        model_path = path.with_suffix(".density")
        model.save(model_path)
        _write(settings.replace(model=str(model_path.resolve())), path)

    return TrainedLabeler(labeler(settings, model), save)


def _write(settings: Section, path: Path) -> None:
    path.write_text(settings.dump(), encoding="utf-8")


TRAINERS: Final[Mapping[str, _Learn]] = {
    **{name: _searched(name) for name in ("bte", "cetr", "kimatu", "link-quota")},
    "density": _density,
}
"""The labelers that can be trained, by name."""
