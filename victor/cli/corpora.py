"""Reading annotated corpora for the commands that train, score and align."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from victor.analysis import Analyzer
from victor.cli.progress import progress
from victor.config import Config, load
from victor.corpus.marked import read_marked_corpus
from victor.corpus.pages import AnnotatedPage, Drift, read_corpus
from victor.dataset import Dataset, analyze


def read(directories: Sequence[Path]) -> Iterator[AnnotatedPage]:
    """Pages of corpora, one after the other; a folder with ``pages/`` holds marked pages."""
    for directory in directories:
        marked = (directory / "pages").is_dir()
        yield from read_marked_corpus(directory) if marked else read_corpus(directory)


def analyzed(directories: Sequence[Path], config: Config) -> tuple[Dataset, Analyzer]:
    """The dataset of some corpora; labels that had to be carried over are reported."""
    analyzer = Analyzer(config)
    pages = list(read(directories))
    with progress("reading pages", len(pages)) as advance:
        dataset = analyze(pages, analyzer, progress=advance)
    report_drift(dataset.drifts)
    return dataset, analyzer


def report_drift(drifts: Iterable[Drift]) -> None:
    """Say how far stored labels fit the pages as they are cut now."""
    moved = list(drifts)
    if moved:
        lost = sum(drift.lost for drift in moved)
        click.echo(
            f"victor: stored labels of {len(moved)} pages do not fit their text any more, "
            f"{lost} pieces of text have none; `victor align --check` lists the pages",
            err=True,
        )


def configuration(source: str, overrides: Sequence[str]) -> Config:
    """A resolved configuration from a name or path and ``a.b=c`` overrides."""
    return load(source, overrides)
