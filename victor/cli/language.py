"""`victor language`: identify the language of text, and train language profiles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from victor.base.errors import ConfigError
from victor.cli.commands import Group, OneOf
from victor.language import (
    BeesleyIdentifier,
    CavnarIdentifier,
    FastTextDetector,
    Identifier,
    LanguageProfile,
    load_profiles,
    train,
)

METHODS: Final = ("beesley", "cavnar", "fasttext")


@click.group(
    name="language",
    cls=Group,
    examples=(
        "victor language identify text.txt",
        "victor language train cs text.txt -o profiles/",
    ),
)
def command() -> None:
    """Identify the language of text by n-grams, and train profiles from plain text."""


@command.command(
    name="identify",
    examples=(
        "victor language identify text.txt",
        "victor clean page.html | victor language identify -n 1",
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@click.option("-m", "--method", type=OneOf(METHODS), default="beesley", show_default=True,
              help="Beesley (1988), Cavnar and Trenkle (1994), or fastText's model.")  # fmt: skip
@click.option("-p", "--profiles", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder of profiles; the shipped ones by default.")  # fmt: skip
@click.option("-n", "--best", type=click.IntRange(1), default=3, show_default=True,
              help="Languages to print.")  # fmt: skip
def identify(files: tuple[str, ...], *, method: str, profiles: Path | None, best: int) -> None:
    """Print the most likely languages of each file, or of standard input."""
    detector = FastTextDetector() if method == "fasttext" else None
    identifier = None if detector else _identifier(method, load_profiles(profiles))
    for name in files or ("-",):
        text = _read(name)
        if detector is not None:
            ranked = [detector.detect(text)]
        else:
            assert identifier is not None
            ranked = identifier.identify(text)[:best]
        click.echo("\t".join([name, *(f"{language} {score:.3f}" for language, score in ranked)]))


@command.command(
    name="train",
    examples=("victor language train cs text.txt -o profiles/",),
)
@click.argument("language")
@click.argument("texts", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True,
              help="Folder for the profile.")  # fmt: skip
@click.option("--source", default="", help="Where the text comes from; kept in the profile.")
@click.option("--licence", default="", help="Licence of the text; kept in the profile.")
def train_command(
    language: str, texts: tuple[Path, ...], *, output: Path, source: str, licence: str
) -> None:
    """Make the profile of LANGUAGE from plain TEXTS, a sentence or paragraph a line."""
    profile = train(language, list(_lines(texts)), source=source, licence=licence)
    click.echo(profile.save(output))


def _identifier(method: str, profiles: tuple[LanguageProfile, ...]) -> Identifier:
    return BeesleyIdentifier(profiles) if method == "beesley" else CavnarIdentifier(profiles)


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}") from None
    return raw.decode("utf-8", "replace")


def _lines(paths: tuple[Path, ...]) -> Iterator[str]:
    for path in paths:
        yield from _read(str(path)).splitlines()
