"""Questions on tables and lists, answered from versions of the same pages: FIDJI in small.

    python benchmarks/kitten_questions.py PAGES [--show NAME]

PAGES is `annotations/pages`, whose pages the questions of `paper/kitten_questions.tsv` are about.
Falco, Moriceau, Vilnat (2012), table 3, ran a question answering system on six versions of a corpus
and counted the questions whose answer it gave first, or among its three. Here BM25 ranks the lines
of all pages of a version for each question. A line of the page *holds* the answer if the answer
stands in it, and *supports* it if it also has what says that it is the one: names of its row and
column, or the clause before its list. Lines of linear text seldom have both, which is what the
paper's rules are for: the second count says how often they do, the first whether a line is found at
all. Words are compared by their first five letters, since Czech words are inflected.
--show prints the questions that a version supports by none of its first three lines.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from victor.api import Cleaner
from victor.kitten.sentences import whole_page
from victor.kitten.settings import load_settings
from victor.labelers.labeler import build_labeler
from victor.page.decoding.decode import decode, utf8

QUESTIONS = Path(__file__).parent / "paper" / "kitten_questions.tsv"
STEM = 5
K1, B = 1.2, 0.75
"""Constants of BM25 as usual."""
RANKS = (1, 3)
RULES = {
    "tables": ("tables.clauses",),
    "lists": ("lists.drop_links", "lists.drop_bullets", "lists.flatten"),
    "segmentation": ("sentences.split", "sentences.full_stops", "sentences.join_breaks",
                     "sentences.expand_abbreviations", "sentences.drop_options"),
}  # fmt: skip
PAPER = {
    "linear, a row of a table a line": (69, 109),
    "density (paper: BoilerPipe)": (75, 116),
    "Kitten, tables only": (80, 125),
    "Kitten, lists only": (80, 123),
    "Kitten, segmentation only": (86, 126),
    "Kitten, all": (86, 131),
}
"""Questions of 500 that FIDJI answered at the first rank and among three."""


class Line(NamedTuple):
    """A line of a page."""

    page: str
    text: str


class Question(NamedTuple):
    """A question on a page, what a line needs to say beside the answer, and the answer."""

    page: str
    text: str
    needed: tuple[str, ...]
    answer: str

    def is_held_by(self, line: Line) -> bool:
        """Does the answer stand in a line of the page, as whole words."""
        answer = rf"(?<!\w){re.escape(self.answer)}(?!\w)"
        return line.page == self.page and re.search(answer, spaced(line.text)) is not None

    def is_supported_by(self, line: Line) -> bool:
        """Does the line say that this is the answer."""
        return self.is_held_by(line) and all(word in spaced(line.text) for word in self.needed)


def spaced(text: str) -> str:
    """A text without case, with single spaces."""
    return " ".join(text.split()).casefold()


def questions() -> list[Question]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    return [
        Question(
            row["page"],
            row["question"],
            tuple(spaced(word) for word in row["needed"].split(";")),
            spaced(row["answer"]),
        )
        for row in rows
    ]


def stems(text: str) -> list[str]:
    return [word[:STEM] for word in re.findall(r"\w+", text.casefold())]


@dataclass(frozen=True)
class Retriever:
    """BM25 over lines.

    Attributes:
        lines: of all pages.
        counts: occurrences of each stem in each line.
        lengths: stems of each line.
        n_with: lines that have a stem.
    """

    lines: Sequence[Line]
    counts: Sequence[Counter[str]]
    lengths: np.ndarray[tuple[int], np.dtype[np.float64]]
    n_with: Counter[str]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Retriever:
        """Count the stems of all lines."""
        counts = [Counter(stems(line.text)) for line in lines]
        lengths = np.array([each.total() for each in counts], dtype=np.float64)
        return cls(lines, counts, lengths, Counter(stem for each in counts for stem in each))

    def best(self, question: str, n: int) -> list[Line]:
        """The n lines that score highest, the earlier of equal ones first."""
        scores = np.zeros(len(self.lines))
        penalty = K1 * (1 - B + B * self.lengths / self.lengths.mean())
        for stem in {*stems(question)}:
            often = np.array([each[stem] for each in self.counts], dtype=np.float64)
            rarity = np.log1p(
                (len(self.lines) - self.n_with[stem] + 0.5) / (self.n_with[stem] + 0.5)
            )
            scores += rarity * often * (K1 + 1) / (often + penalty)
        return [self.lines[i] for i in np.argsort(-scores, kind="stable")[:n].tolist()]


def versions(folder: Path) -> Iterator[tuple[str, list[Line]]]:
    """Every version of the corpus: its name and its lines."""
    pages = {path.stem: path.read_bytes() for path in sorted(folder.glob("*.html"))}
    yield "linear, a cell of a table a line", by_rules(pages, ())
    yield "linear, a row of a table a line", cleaned(pages, "none")
    yield "density (paper: BoilerPipe)", cleaned(pages, "density")
    for name in RULES:
        yield f"Kitten, {name} only", by_rules(pages, (name,))
    yield "Kitten, all", by_rules(pages, tuple(RULES))


def by_rules(pages: Mapping[str, bytes], groups: Sequence[str]) -> list[Line]:
    """The lines of all pages with some groups of rules on."""
    overrides = tuple(
        f"{rule}={str(name in groups).lower()}" for name, rules in RULES.items() for rule in rules
    )
    settings = load_settings("kitten", overrides)
    texts = {name: whole_page(utf8(page, decode(page)), settings) for name, page in pages.items()}
    return lines_of(texts)


def cleaned(pages: Mapping[str, bytes], labeler: str) -> list[Line]:
    """The lines of all pages as a labeler keeps them."""
    cleaner = Cleaner(build_labeler(labeler))
    return lines_of({name: cleaner.clean(page).text for name, page in pages.items()})


def lines_of(texts: Mapping[str, str]) -> list[Line]:
    return [
        Line(page, line)
        for page, text in texts.items()
        for line in text.splitlines()
        if line.strip()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("--show", help="name of a version whose misses are printed")
    arguments = parser.parse_args()
    asked = questions()
    holding = [question.is_held_by for question in asked]
    supporting = [question.is_supported_by for question in asked]
    print(f"{len(asked)} questions; the paper's figures are of 500 others\n")
    print("| version | held: first | of three | supported: first | of three | paper | |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, lines in versions(arguments.pages):
        retriever = Retriever.of(lines)
        found = [retriever.best(question.text, max(RANKS)) for question in asked]
        hits = [
            sum(any(map(test, best[:n])) for test, best in zip(tests, found, strict=True))
            for tests in (holding, supporting)
            for n in RANKS
        ]
        row = [name, *hits, *PAPER.get(name, ("", ""))]
        print(f"| {' | '.join(map(str, row))} |", flush=True)
        if name == arguments.show:
            misses = (
                (question, best[0].text)
                for question, best in zip(asked, found, strict=True)
                if not any(map(question.is_supported_by, best))
            )
            for question, first in misses:
                print(f"    {question.page}: {question.text} | {first[:120]}")


if __name__ == "__main__":
    main()
