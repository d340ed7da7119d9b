"""`victor language`: identify the language of text, and train language profiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click

from victor.cli.commands import (
    AT_LEAST_1,
    CORPUS,
    NEW_FOLDER,
    Group,
    OneOf,
    Options,
    command,
    option,
)
from victor.cli.pages import read_bytes
from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.fasttext import FastTextDetector
from victor.language.profiles import load_profiles, train

METHODS: Final = ("beesley", "cavnar", "fasttext")


@click.group(
    cls=Group,
    examples=(
        "victor language identify text.txt",
        "victor language train cs text.txt -o profiles/",
    ),
)
def language_group() -> None:
    """Identify the language of text by n-grams, and train profiles from plain text."""


class _Identified(Options):
    method: str = option("-m --method", "Method:", OneOf(METHODS), "beesley")
    profiles: Path | None = option(
        "-p --profiles", "Folder of profiles, not the shipped ones.", CORPUS
    )
    best: int = option("-n --best", "Languages to print.", AT_LEAST_1, 3)


@command(
    "victor language identify text.txt",
    "victor clean page.html | victor language identify -n 1",
    takes=_Identified,
    group=language_group,
)
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
def identify_command(files: tuple[str, ...], options: _Identified) -> None:
    """Print the most likely languages of each file, or of standard input."""
    ranked = _ranking(options)
    for name in files or ("-",):
        found = ranked(read_bytes(name).decode("utf-8", "replace"))
        click.echo("\t".join([name, *(f"{language} {score:.3f}" for language, score in found)]))


def _ranking(options: _Identified) -> Callable[[str], Sequence[tuple[str, float]]]:
    if options.method == "fasttext":
        detector = FastTextDetector()
        return lambda text: [detector.detect(text)]
    profiles = load_profiles(options.profiles)
    kind = BeesleyIdentifier if options.method == "beesley" else CavnarIdentifier
    identifier = kind(profiles)
    return lambda text: identifier.identify(text)[: options.best]


class _Trained(Options):
    output: Path = option("-o --output", "Folder for the profile.", NEW_FOLDER, required=True)
    source: str = option("--source", "Where the text comes from; kept in the profile.", default="")
    licence: str = option("--licence", "Licence of the text; kept in the profile.", default="")


@command(
    "victor language train cs text.txt -o profiles/",
    takes=_Trained,
    group=language_group,
)
@click.argument("language")
@click.argument("texts", nargs=-1, required=True, type=click.Path(exists=True))
def train_command(language: str, texts: tuple[str, ...], options: _Trained) -> None:
    """Make the profile of LANGUAGE from plain TEXTS, a sentence or paragraph a line."""
    lines = [
        line for name in texts for line in read_bytes(name).decode("utf-8", "replace").splitlines()
    ]
    profile = train(language, lines, source=options.source, licence=options.licence)
    click.echo(profile.save(options.output))
