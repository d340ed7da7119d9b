"""How often the language of a paragraph is told, and told wrongly, by its length and the score.

    python benchmarks/paragraph_language.py FOLDER

FOLDER has <language>.txt, a sentence a line. Half of the lines, by their checksums, train profiles
of the languages that ship. Of the other half the beginnings of the first 800 lines of each file are
told (in our folder the lines behind them hold untranslated text, too).
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from pathlib import Path

from victor.language import BeesleyIdentifier, load_profiles, train

WORDS = (6, 8, 10, 12, 15)
PROBABILITIES = (0.5, 0.9, 0.99, 0.999)
FIRST = 800

Told = list[tuple[str, float]]


def halves(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Lines to train from and lines to tell, by language."""
    training: dict[str, list[str]] = {}
    held_out: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.txt")):
        lines = file.read_text(encoding="utf-8").splitlines()
        training[file.stem] = [line for line in lines if not zlib.crc32(line.encode()) & 1]
        held_out[file.stem] = [line for line in lines[:FIRST] if zlib.crc32(line.encode()) & 1]
    return training, held_out


def beginnings(lines: list[str], n_words: int) -> list[str]:
    """The first words of each line that has so many."""
    words = (line.split() for line in lines)
    return [" ".join(each[:n_words]) for each in words if len(each) >= n_words]


def wrong(told: Told, language: str, least: float) -> int:
    return sum(name != language and score >= least for name, score in told)


def right(told: Told, language: str, least: float) -> int:
    return sum(name == language and score >= least for name, score in told)


def rows(training: dict[str, list[str]], held_out: dict[str, list[str]]) -> Iterator[str]:
    shipped = [profile.language for profile in load_profiles()]
    identifier = BeesleyIdentifier([train(name, training[name]) for name in shipped])
    for n_words in WORDS:
        told = {
            name: identifier.best(beginnings(lines, n_words)) for name, lines in held_out.items()
        }
        own = [(name, told[name]) for name in shipped]
        others = [name for name in told if name not in shipped]
        total = sum(len(each) for _, each in own)
        for least in PROBABILITIES:
            n_wrong = sum(wrong(each, name, least) for name, each in own)
            n_right = sum(right(each, name, least) for name, each in own)
            czech = f"{wrong(told['cs'], 'cs', least)} of {len(told['cs'])}"
            foreign = ", ".join(
                f"{name} {100 * wrong(told[name], name, least) / len(told[name]):.1f}"
                for name in others
            )
            shares = f"{100 * n_right / total:.1f} | {100 * n_wrong / total:.2f}"
            yield f"| {n_words} | {least} | {shares} | {czech} | {foreign} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    print(
        "| words | least probability | right, % | wrong, % | Czech wrong | without a profile, % |"
    )
    print("|--:|--:|--:|--:|--:|--:|")
    for row in rows(*halves(parser.parse_args().folder)):
        print(row)


if __name__ == "__main__":
    main()
