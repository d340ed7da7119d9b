"""Word F of the scopes main and article, beside other systems.

    python benchmarks/scopes.py CORPUS [CORPUS ...] [--sites all|rules|unseen]

A corpus is as for kinds.py. The gold of main is the text; that of article is headline and text.
Comments of readers and teasers belong to neither; bylines, captions, tags and the like are
don't-care in both, and in main the headline is. Page means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import trafilatura
from kind_pages import KindPage, options, read_kind_pages
from peers.loaders import html_text
from peers.scores import without_dont_care
from readability import Document

from victor import clean
from victor.measures.words import word_score
from victor.page.decode import decode

System = Callable[[bytes], str]


def _readability(page: bytes) -> str:
    return html_text(Document(decode(page).text).summary())


SYSTEMS: dict[str, System] = {
    "Victor, main": lambda page: clean(page).text,
    "Victor, article": lambda page: clean(page, scope="article").text,
    "trafilatura": lambda page: trafilatura.extract(page) or "",
    "trafilatura without comments": lambda page: (
        trafilatura.extract(page, include_comments=False) or ""
    ),
    "readability-lxml": _readability,
}


def main() -> None:
    """Print a Markdown table for every corpus."""
    arguments = options(__doc__).parse_args()
    for corpus in arguments.corpora:
        pages = [*read_kind_pages(corpus, arguments.sites)]
        print(f"\n{corpus.name}: {len(pages)} pages\n")
        print("| system | main: P | R | F | article: P | R | F |\n|---|--:|--:|--:|--:|--:|--:|")
        for name, system in SYSTEMS.items():
            texts = [_text(system, page.html) for page in pages]
            scores = [_mean(texts, pages, headline=headline) for headline in (False, True)]
            print(
                f"| {name} |",
                " | ".join(f"{value:.3f}" for three in scores for value in three),
                "|",
            )


def _text(system: System, html: bytes) -> str:
    """The text of a system; none where it fails."""
    try:
        return system(html)
    except Exception as error:  # whatever it is, it is a page without text
        print(f"failed: {type(error).__name__}: {error}")
        return ""


def _mean(texts: Sequence[str], pages: Sequence[KindPage], *, headline: bool) -> np.ndarray:
    """(3,) mean precision, recall and F of the pages."""
    scores = [
        _score(text, page, headline=headline) for text, page in zip(texts, pages, strict=True)
    ]
    return np.mean(scores, axis=0)


def _score(text: str, page: KindPage, *, headline: bool) -> tuple[float, float, float]:
    headlines = page.gold["headline"]
    spare, gold = [*page.gold["ambiguous"]], page.gold["text"]
    if headline:
        spare = [block for block in spare if block not in headlines]
        gold = "\n".join([*headlines[:1], gold])
    score = word_score(without_dont_care(text, gold, spare), gold)
    return score.precision, score.recall, score.f1


if __name__ == "__main__":
    main()
