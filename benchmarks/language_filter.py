"""What the language filter of a crawl accepts and rejects, by true language and annotation.

    python benchmarks/language_filter.py CORPUS [--target cs] [--least P] [--twins FOLDER]
    python benchmarks/language_filter.py --lines FOLDER [--target cs]

CORPUS is a folder that `victor align` wrote: its pages are cleaned by the default model and told by
fastText (full text, and its first 80 characters), beesley (langid1) and cavnar (langid2). FOLDER of
--twins has the same pages in other encodings, named <id>__<encoding>.html. With --lines: half of
the lines of every <language>.txt train profiles of the languages that ship, the other half is
told, in pieces of some number of words; the piece and not the line is accepted or rejected.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from victor.api import load_cleaner
from victor.config import Filter
from victor.corpus.pages import AnnotatedPage, read_corpus
from victor.crawl.documents.document import Outcome
from victor.crawl.documents.filters import LanguageGuess, PageFilter
from victor.crawl.documents.process import process
from victor.labels import Label
from victor.language import (
    BeesleyIdentifier,
    CavnarIdentifier,
    FastTextDetector,
    load_profiles,
    train,
)
from victor.sources.record import Record

IDENTIFIERS = ("fasttext", "beesley", "cavnar")
WORDS = (5, 10, 20, 50, 200)
FATES = ("accepted", "language", "language-uncertain", "earlier")
MISTAKES = 10

Tell = Callable[[str], tuple[str, float]]


def fates(
    outcomes: list[Outcome], page_filter: PageFilter
) -> tuple[list[str], list[LanguageGuess], float]:
    """Verdicts of a filter on cleaned pages, their languages, and its seconds of process time."""
    start = time.process_time()
    guesses = [
        page_filter.identify(each.document.text) if each.document else LanguageGuess()
        for each in outcomes
    ]
    seconds = time.process_time() - start
    reasons = [
        "earlier" if each.document is None else page_filter.check_language(guess) or "accepted"
        for each, guess in zip(outcomes, guesses, strict=True)
    ]
    return reasons, guesses, seconds


def group(page: AnnotatedPage) -> str:
    """True language, and whether the annotator found content."""
    content = bool(((page.labels == Label.TEXT) | (page.labels == Label.HEADER)).any())
    return f"{page.language}, {'content' if content else 'no content'}"


def corpus_tables(arguments: argparse.Namespace) -> None:
    pages = list(read_corpus(arguments.corpus))
    records = [Record(page.id, 0, page.html) for page in pages]
    truth = [group(page) for page in pages]
    if arguments.twins:
        by_id = {page.id: group(page) for page in pages}
        files = sorted(arguments.twins.glob("*__*.html"))
        records += [Record(file.stem, 0, file.read_bytes()) for file in files]
        truth += [f"{by_id[file.stem.split('__')[0]]} (other encodings)" for file in files]
    outcomes = process(load_cleaner(), PageFilter(Filter()), records)
    characters = sum(len(each.document.text) for each in outcomes if each.document)
    for identifier in IDENTIFIERS:
        settings = Filter(
            identifier=identifier,
            languages=(arguments.target,),
            least_probability=arguments.least,
        )
        verdicts, guesses, seconds = fates(outcomes, PageFilter(settings))
        print(f"\n{identifier}: {characters / seconds / 1e6:.2f} million characters a second\n")
        print_table(Counter(zip(truth, verdicts, strict=True)), FATES)
        mistakes = [*wrong(truth, verdicts, guesses, outcomes, arguments.target)]
        print("\n".join(mistakes[:MISTAKES]))
    short = first_eighty(outcomes)
    print("\nfasttext on the first 80 characters of the same texts\n")
    print_table(Counter(zip(truth, short, strict=True)), (*sorted({*short}),))


def wrong(
    truth: list[str],
    verdicts: list[str],
    guesses: list[LanguageGuess],
    outcomes: list[Outcome],
    target: str,
) -> Iterator[str]:
    """Pages of the target that were rejected and others that were accepted."""
    for true, fate, language, outcome in zip(truth, verdicts, guesses, outcomes, strict=True):
        if fate != "earlier" and (true.split(",")[0] == target) != (fate == "accepted"):
            words = len(outcome.document.text.split()) if outcome.document else 0
            heard = f"{language.language} {language.score:.3f}"
            yield f"wrong: {outcome.source} ({true}): {heard}, {words} words"


def first_eighty(outcomes: list[Outcome]) -> list[str]:
    """Languages that fastText tells from the beginnings of the texts."""
    tell = FastTextDetector().detect
    return [tell(each.document.text[:80])[0] if each.document else "-" for each in outcomes]


def print_table(counts: Counter[tuple[str, str]], columns: tuple[str, ...]) -> None:
    print("| | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for row in sorted({true for true, _ in counts}):
        print(f"| {row} | " + " | ".join(str(counts[row, each]) for each in columns) + " |")


def halves(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Lines to train from and lines to tell, by language; a checksum of the line decides."""
    both: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for file in sorted(folder.glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            both[zlib.crc32(line.encode()) & 1].setdefault(file.stem, []).append(line)
    return both


def pieces(lines: list[str], words: int) -> Iterator[str]:
    """Texts of so many words, one after the other."""
    every = " ".join(lines).split()
    for start in range(0, len(every) - words + 1, words):
        yield " ".join(every[start : start + words])


def lines_tables(arguments: argparse.Namespace) -> None:
    training, test = halves(arguments.lines)
    shipped = [profile.language for profile in load_profiles()]
    profiles = [train(language, training[language]) for language in shipped]
    beesley, cavnar = BeesleyIdentifier(profiles), CavnarIdentifier(profiles)
    tells: dict[str, Tell] = {
        "fasttext": FastTextDetector().detect,
        "beesley": lambda text: beesley.identify(text)[0],
        "cavnar": lambda text: cavnar.identify(text)[0],
    }
    print(f"\naccepted as {arguments.target}, % of pieces\n")
    others = [language for language in test if language != arguments.target]
    print("| words | identifier | true " + arguments.target + " | all others | most often |")
    print("|---|---|---|---|---|")
    for words in WORDS:
        for name, tell in tells.items():
            shares = {
                language: accepted(tell, [*pieces(lines, words)][: arguments.pieces], arguments)
                for language, lines in test.items()
            }
            worst = sorted(others, key=lambda language: -shares[language])[:3]
            mean = sum(shares[language] for language in others) / len(others)
            named = ", ".join(f"{each} {shares[each]:.1f}" for each in worst if shares[each] > 0)
            print(f"| {words} | {name} | {shares[arguments.target]:.1f} | {mean:.2f} | {named} |")


def accepted(tell: Tell, texts: list[str], arguments: argparse.Namespace) -> float:
    """Per cent of texts that are told to be in the target language, surely enough."""
    told = [tell(text) for text in texts]
    hits = sum(name == arguments.target and score >= arguments.least for name, score in told)
    return 100 * hits / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--target", default="cs")
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--twins", type=Path)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--pieces", type=int, default=500, help="most of a language and length")
    arguments = parser.parse_args()
    if arguments.corpus:
        corpus_tables(arguments)
    if arguments.lines:
        lines_tables(arguments)


if __name__ == "__main__":
    main()
