"""Grafted pages: comment sections and lists of teasers put behind the articles of annotated pages.

Training pages seldom have an article above comments, so models never see that comments end it. A
grafted page is an annotated page with such a section behind its last kept block. Labels of the page
stay as they are, and all that is grafted is *other*.

Texts come from donors: posts of forum threads, first sentences of other pages. Sites are in five
groups (`victor.corpus.graft.donors.group`), and texts never leave theirs. Three of twenty sites
(`is_held`) are for tests: training uses neither their pages nor their texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, pairwise
from random import Random
from typing import Final

import numpy as np

from victor.base.labels import Label
from victor.corpus.graft.donors import Donor, Texts, is_held, language_of
from victor.corpus.graft.places import Place, places
from victor.corpus.graft.sections import Graft, Markups, Words, comments, teasers
from victor.corpus.pages import AnnotatedPage, canonical_table, segment_hash
from victor.page.decoding.decode import utf8
from victor.page.table.texts import segment_texts

BASES: Final = frozenset("article blog news documentation docs reference".split())
"""Types of pages that a section may follow."""
_MIN_WORDS: Final = 80
"""Kept words of a page at least, so that there is something for the section to follow."""
_ROUNDS: Final = 5
"""So many grafts of one page at most; each has other texts and another markup."""
_TEASERS_ONLY: Final = 0.2
_BOTH: Final = 0.1
_LEVEL_WEIGHTS: Final = (2, 4, 3, 2)
"""How often a section stands in the element that holds the text, in the one around that, ..."""
_SOURCE_KEYS: Final = ("with", "without", "corpus", "source")


@dataclass(frozen=True, eq=False)
class Stock:
    """What grafts are made of.

    Attributes:
        donors: pages whose texts are used.
        markups: of the sections.
        words: what pages say around comments and teasers.
    """

    donors: Sequence[Donor]
    markups: Markups
    words: Words


def graft_pages(
    pages: Sequence[AnnotatedPage], stock: Stock, n: int, *, seed: int = 0
) -> Iterator[AnnotatedPage]:
    """Grafts of annotated pages, reproducible by the seed.

    Args:
        pages: base pages; those that `is_base` refuses are left out.
        stock: texts and markups.
        n: number of grafted pages; fewer come if there are too few base pages.
        seed: of all choices.
    """
    bases = [page for page in pages if is_base(page)]
    Random(f"{seed}").shuffle(bases)
    done = count()
    n_done = next(done)
    for turn in range(_ROUNDS):
        for base in bases:
            if n_done == n:
                return
            page = graft(base, stock, Random(f"{seed} {turn} {base.site} {base.id}"))
            if page is not None:
                yield replace(page, id=f"graft-{n_done:05d}-{base.id}")
                n_done = next(done)


def is_base(page: AnnotatedPage) -> bool:
    """Is it a page of running text that no section of comments follows, as far as is known."""
    kinds = page.metadata.get("kinds") or ()
    has_text = bool(np.isin(page.labels, (Label.HEADER, Label.TEXT)).any())
    return page.kind in BASES and has_text and "comment" not in kinds


def graft(base: AnnotatedPage, stock: Stock, rng: Random) -> AnnotatedPage | None:
    """A page with a section behind its text; None if there is no place or no text for one.

    Args:
        base: an annotated page.
        stock: texts and markups.
        rng: of all choices.

    Returns:
        A page with the site, labels and gold text of the base. Its metadata ``graft`` tell the id
        of the base, the names of the markups, where the grafted segments and bytes begin and end,
        and the sites of the donors; ``kinds`` which segments are comment, comment-meta or teaser.
    """
    table = canonical_table(base.html)
    hashes = tuple(segment_hash(text) for text in segment_texts(table))
    kept = np.isin(base.labels, (Label.HEADER, Label.TEXT))
    if hashes != base.hashes or table.segment_words[kept].sum() < _MIN_WORDS:
        return None
    language = language_of(base, table)
    texts = Texts.chosen(stock.donors, base.site or base.id, language, rng)
    markup = utf8(base.html)
    open_places = places(markup, kept)[: len(_LEVEL_WEIGHTS)]
    if texts is None or not open_places:
        return None
    sections = _sections(stock, texts, language, rng)
    weights = _LEVEL_WEIGHTS[: len(open_places)]
    place = rng.choices(open_places, weights)[0]
    return _joined(base, markup, place, sections, texts)


def _sections(stock: Stock, texts: Texts, language: str, rng: Random) -> list[Graft]:
    """One or two sections."""
    draw = rng.random()
    wants_teasers = draw < _TEASERS_ONLY + _BOTH
    wants_comments = draw >= _TEASERS_ONLY
    sections = []
    if wants_teasers:
        sections.append(
            teasers(rng.choice(stock.markups.teasers), texts, stock.words, language, rng)
        )
    if wants_comments:
        markup = rng.choice(stock.markups.comments)
        sections.append(comments(markup, texts, stock.words, language, rng))
    rng.shuffle(sections)
    return sections


def _joined(
    base: AnnotatedPage,
    markup: bytes,
    place: Place,
    sections: Sequence[Graft],
    texts: Texts,
) -> AnnotatedPage | None:
    """The page with its sections; None if they would change how the page itself is read."""
    inserted = "\n".join(["", *(section.html for section in sections), ""]).encode()
    html = markup[: place.offset] + inserted + markup[place.offset :]
    hashes = tuple(segment_hash(text) for text in segment_texts(canonical_table(html)))
    start, n_grafted = place.segment, len(hashes) - len(base.hashes)
    stop = start + n_grafted
    if n_grafted <= 0 or hashes[:start] + hashes[stop:] != base.hashes:
        return None
    labels = np.insert(base.labels, start, np.full(n_grafted, Label.OTHER, dtype=np.uint8))
    return replace(
        base,
        html=html,
        labels=labels,
        hashes=hashes,
        site=base.site or base.id,
        licence=" AND ".join(sorted({*texts.licences, base.licence or ""} - {""})) or None,
        metadata={
            **{key: base.metadata[key] for key in _SOURCE_KEYS if key in base.metadata},
            "kinds": _kinds_of_page(base, hashes[start:stop], start, sections),
            "graft": {
                "base": base.id,
                "markups": [section.name for section in sections],
                "span": [start, stop],
                "bytes": [place.offset, place.offset + len(inserted)],
                "donors": sorted(texts.sites),
            },
        },
    )


def _kinds_of_page(
    base: AnnotatedPage, grafted: Sequence[str], first: int, sections: Sequence[Graft]
) -> list[str]:
    """Kind of every segment of the page with its sections; "" where the base page has none."""
    kinds = [*(base.metadata.get("kinds") or [""] * len(base.hashes))]
    return [*kinds[:first], *_kinds(grafted, sections), *kinds[first:]]


def _kinds(grafted: Sequence[str], sections: Sequence[Graft]) -> list[str]:
    """Kind of every grafted segment, given their hashes."""
    lengths = [len(canonical_table(section.html.encode()).segments) for section in sections]
    bounds = [0, *accumulate(lengths[:-1]), len(grafted)]
    return [
        section.kind_of(key)
        for section, (start, stop) in zip(sections, pairwise(bounds), strict=True)
        for key in grafted[start:stop]
    ]


def usable(pages: Sequence[AnnotatedPage]) -> list[AnnotatedPage]:
    """Pages of the sites that may be used for training."""
    return [page for page in pages if not is_held(page.site or page.id)]
