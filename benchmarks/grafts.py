"""Put comment sections and lists of teasers behind the articles of annotated pages.

    python benchmarks/grafts.py CORPUS ... --output FOLDER --pages N [--seed N]

Training pages seldom have an article above comments, so models never see that comments end it. A
grafted page is an annotated page with such a section behind its last kept block. Labels of the page
stay as they are, and all that is grafted is *other*.

Texts come from donors: posts of forum threads, first sentences of other pages. Sites are in five
groups (`grafts.donors.group`), and texts never leave theirs. Three of twenty sites (`is_held`) are
left out, for tests. All choices follow from the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, count, pairwise
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
import yaml
from grafts.donors import Donor, Texts, donors, is_held, language_of
from grafts.places import Place, places
from grafts.sections import Graft, comments, teasers

from victor.base.labels import Label
from victor.corpus.pages import AnnotatedPage, canonical_table, segment_hash, write_corpus
from victor.corpus.read import read
from victor.page.decoding.decode import utf8
from victor.page.table.texts import segment_texts

FOLDER: Final = Path(__file__).with_name("grafts")
BASES: Final = frozenset("article blog news documentation docs reference".split())
"""Types of pages that a section may follow."""
MIN_WORDS: Final = 80
"""Kept words of a page at least, so that there is something for the section to follow."""
ROUNDS: Final = 5
"""So many grafts of one page at most; each has other texts and another markup."""
TEASERS_ONLY: Final = 0.2
BOTH: Final = 0.1
LEVEL_WEIGHTS: Final = (2, 4, 3, 2)
"""How often a section stands in the element that holds the text, in the one around that, ..."""
SOURCE_KEYS: Final = ("corpus", "source")


class Stock(NamedTuple):
    """What grafts are made of: texts of other pages, markups, and what pages say around them."""

    donors: Sequence[Donor]
    markups: dict
    words: dict

    @classmethod
    def of(cls, pages: Sequence[AnnotatedPage]) -> Stock:
        """Texts of some pages, and the markups and words of the files."""
        markups, words = (
            yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
            for name in ("markups.yaml", "words.yaml")
        )
        return cls(donors(pages), markups, words)


def main() -> None:
    """Write the grafted pages as an annotated corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    pages = [page for page in read(given.corpora) if not is_held(page.site or page.id)]
    grafts = graft_pages(pages, Stock.of(pages), given.pages, given.seed)
    written = write_corpus(given.output, grafts)
    print(f"{written} of {given.pages} pages written to {given.output}", file=sys.stderr)


def graft_pages(
    pages: Sequence[AnnotatedPage], stock: Stock, n: int, seed: int = 0
) -> Iterator[AnnotatedPage]:
    """At most `n` grafts of annotated pages."""
    bases = [page for page in pages if is_base(page)]
    Random(f"{seed}").shuffle(bases)
    numbers = count()
    number = next(numbers)
    for turn in range(ROUNDS):
        for base in bases:
            if number == n:
                return
            page = graft(base, stock, Random(f"{seed} {turn} {base.site} {base.id}"))
            if page is not None:
                yield replace(page, id=f"graft-{number:05d}-{base.id}")
                number = next(numbers)


def is_base(page: AnnotatedPage) -> bool:
    """Is it a page of running text that no section of comments follows, as far as is known."""
    return (
        page.kind in BASES
        and bool(kept_segments(page).any())
        and "comment" not in (page.metadata.get("kinds") or ())
    )


def kept_segments(page: AnnotatedPage) -> np.ndarray:
    """(S,) which segments are content."""
    return np.isin(page.labels, (Label.HEADER, Label.TEXT))


def graft(base: AnnotatedPage, stock: Stock, rng: Random) -> AnnotatedPage | None:
    """A page with a section behind its text; None if there is no place or no text for one.

    It has the site, labels and gold text of the base. Its metadata ``graft`` tell the id of the
    base, the names of the markups, where the grafted segments and bytes begin and end, and the
    sites of the donors; ``kinds`` which segments are comment, comment-meta or teaser.
    """
    table, kept = canonical_table(base.html), kept_segments(base)
    if hashes_of(base.html) != base.hashes or table.segment_words[kept].sum() < MIN_WORDS:
        return None
    language = language_of(base, table)
    texts = Texts.chosen(stock.donors, base.site or base.id, language, rng)
    open_places = places(utf8(base.html), kept)[: len(LEVEL_WEIGHTS)]
    if texts is None or not open_places:
        return None
    sections = sections_of(stock, texts, language, rng)
    place = rng.choices(open_places, LEVEL_WEIGHTS[: len(open_places)])[0]
    return joined(base, place, sections, texts)


def hashes_of(html: bytes) -> tuple[str, ...]:
    """Hashes of the texts of all segments."""
    return tuple(segment_hash(text) for text in segment_texts(canonical_table(html)))


def sections_of(stock: Stock, texts: Texts, language: str, rng: Random) -> list[Graft]:
    """One or two sections."""
    draw = rng.random()
    sections = []
    for is_wanted, fill, name in (
        (draw < TEASERS_ONLY + BOTH, teasers, "teasers"),
        (draw >= TEASERS_ONLY, comments, "comments"),
    ):
        if is_wanted:
            markup = rng.choice(stock.markups[name])
            sections.append(fill(markup, texts, stock.words, language, rng))
    rng.shuffle(sections)
    return sections


def joined(
    base: AnnotatedPage, place: Place, sections: Sequence[Graft], texts: Texts
) -> AnnotatedPage | None:
    """The page with its sections; None if they would change how the page itself is read."""
    markup = utf8(base.html)
    inserted = "\n".join(["", *(section.html for section in sections), ""]).encode()
    html = markup[: place.offset] + inserted + markup[place.offset :]
    hashes = hashes_of(html)
    start, n_grafted = place.segment, len(hashes) - len(base.hashes)
    stop = start + n_grafted
    if n_grafted <= 0 or hashes[:start] + hashes[stop:] != base.hashes:
        return None
    kinds = [*(base.metadata.get("kinds") or [""] * len(base.hashes))]
    kinds[start:start] = kinds_of(hashes[start:stop], sections)
    return replace(
        base,
        html=html,
        labels=np.insert(base.labels, start, np.full(n_grafted, Label.OTHER, dtype=np.uint8)),
        hashes=hashes,
        site=base.site or base.id,
        licence=" AND ".join(sorted({*texts.licences, base.licence or ""} - {""})) or None,
        metadata={
            **{key: base.metadata[key] for key in SOURCE_KEYS if key in base.metadata},
            "kinds": kinds,
            "graft": {
                "base": base.id,
                "markups": [section.name for section in sections],
                "span": [start, stop],
                "bytes": [place.offset, place.offset + len(inserted)],
                "donors": sorted(texts.sites),
            },
        },
    )


def kinds_of(grafted: Sequence[str], sections: Sequence[Graft]) -> list[str]:
    """Kind of every grafted segment, given their hashes."""
    lengths = [len(canonical_table(section.html.encode()).segments) for section in sections]
    bounds = pairwise([0, *accumulate(lengths[:-1]), len(grafted)])
    return [
        "comment" if key in section.bodies else section.rest
        for section, (start, stop) in zip(sections, bounds, strict=True)
        for key in grafted[start:stop]
    ]


if __name__ == "__main__":
    main()
