"""The language of rows where no identifier is configured, beside what corpora say.

    python benchmarks/fallback_language.py CORPUS...

A corpus is a folder with gold.jsonl (id, text, lang) and html/<id>.html. The profiles are asked for
the language of the gold text; pages without a language or with less than 20 characters of text are
left out.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from victor.api import CleanerSpec
from victor.config import Filter
from victor.crawl.documents.filters import LanguageGuess, PageFilter
from victor.language import CavnarIdentifier, load_profiles

LEAST_CHARACTERS = 20
SIMILARITIES = (0.3, 0.35, 0.4)


class Told(NamedTuple):
    """A page: its language, that of its row, and the similarity to the nearest profile."""

    language: str
    guess: LanguageGuess
    similarity: float


def rows(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Language, gold text and bytes of pages."""
    for line in (folder / "gold.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        if row.get("lang") and len(row.get("text") or "") >= LEAST_CHARACTERS:
            page = (folder / "html" / f"{row['id']}.html").read_bytes()
            yield row["lang"][:2].lower(), row["text"], page


def told(folders: Sequence[Path], cavnar: CavnarIdentifier) -> tuple[list[Told], float]:
    """All pages, and the seconds of process time that the profiles took."""
    cleaner, page_filter = CleanerSpec(labeler="none").cleaner(), PageFilter(Filter())
    pages, seconds = [], 0.0
    for folder in folders:
        for language, text, page in rows(folder):
            declared = cleaner.clean(page).metadata
            declared = declared.get("declared_language") or declared.get("language")
            started = time.process_time()
            _, similarity = cavnar.identify(text)[0]
            seconds += time.process_time() - started
            guess = page_filter.completed(LanguageGuess(), declared, text)
            pages.append(Told(language, guess, similarity))
    return pages, seconds


def right(pages: Sequence[Told]) -> str:
    """How many rows have the language of their page."""
    return f"{sum(each.guess.language == each.language for each in pages)} of {len(pages)} right"


def main() -> None:
    """Command line."""
    cavnar = CavnarIdentifier(load_profiles())
    pages, seconds = told([*map(Path, sys.argv[1:])], cavnar)
    print(f"all: {right(pages)}, {len({each.language for each in pages})} languages")
    print(f"declared: {right([each for each in pages if each.guess.score is None])}")
    print(f"not declared: {right([each for each in pages if each.guess.score is not None])}")
    print(f"profiles: {seconds / len(pages) * 1e3:.1f} ms of a page")
    for is_known in (True, False):
        similarities = [e.similarity for e in pages if (e.language in cavnar.languages) == is_known]
        for least in SIMILARITIES:
            share = sum(each >= least for each in similarities) / max(len(similarities), 1)
            print(f"{len(similarities)} pages in languages {'with' if is_known else 'without'} a "
                  f"profile: {share:.0%} are at least {least} similar to one")  # fmt: skip


if __name__ == "__main__":
    main()
