"""Donors: annotated pages whose texts become comments and teasers on other pages."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from victor.base.labels import Label
from victor.corpus.pages import AnnotatedPage, block_labels
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

GROUPS: Final = 5
TALK: Final = frozenset("forum blog-comments".split())
"""Types of pages that people talk on."""
HELD_OF: Final = 20
HELD: Final = 3
MIN_WORDS: Final = 4
CHARACTERS: Final = range(8, 901)
"""Of a sentence."""
LEAD: Final = 240
LEAD_WORDS: Final = 8
SEPARATORS: Final = "|–—·»:"
SEPARATOR: Final = re.compile(rf"(?<=\s)[{SEPARATORS}-](?=\s)")
SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
MOST_TALKS: Final = 8
MOST_LEADS: Final = 12
ENGLISH: Final = ("en", "")
BODY_LENGTHS: Final = (6, 3, 2, 1)
"""How often a comment has 1, 2, 3 or 4 paragraphs."""


class Donor(NamedTuple):
    """The texts of one page.

    Attributes:
        site: of the page.
        language: two letters, "" if unknown.
        licence: of the page.
        is_talk: the paragraphs are from posts of a thread; else they are sentences of running text.
        paragraphs: texts for comments, in page order.
        title, lead: of the page, "" where it has none.
    """

    site: str
    language: str
    licence: str
    is_talk: bool
    paragraphs: tuple[str, ...]
    title: str
    lead: str


def group(site: str) -> int:
    """Group of a site: texts never go from one group to another."""
    return zlib.crc32(site.encode()) % GROUPS


def is_held(site: str) -> bool:
    """Is a site held back for tests: three of twenty are."""
    return zlib.crc32(f"held {site}".encode()) % HELD_OF < HELD


def language_of(page: AnnotatedPage, table: BlockTable) -> str:
    """Two letters for the language of a page, by its corpus or else by itself; "" if unknown."""
    return (page.language or table.heads[0].language or "").lower()[:2]


def donors(pages: Iterable[AnnotatedPage]) -> list[Donor]:
    """The texts of pages; pages without any are left out."""
    found = (donor_of(page) for page in pages)
    return [donor for donor in found if donor and (donor.paragraphs or donor.lead)]


def donor_of(page: AnnotatedPage) -> Donor | None:
    """The texts of a page; None if it is cut otherwise than its labels."""
    table = parse_pages([page.html], "block")
    if len(table.segments) != len(page.labels):
        return None
    is_text = (block_labels(page.labels, table) == Label.TEXT) & (table.words >= MIN_WORDS)
    every = block_texts(table)
    texts = [" ".join(every[row].split()) for row in np.flatnonzero(is_text).tolist()]
    is_talk = page.kind in TALK
    title = without_site(table.heads[0].title)
    lead = "" if is_talk else next((t for t in texts if len(t.split()) >= LEAD_WORDS), "")
    posts = [text[: CHARACTERS.stop - 1] for text in texts]
    return Donor(
        site=page.site or page.id,
        language=language_of(page, table),
        licence=page.licence or "",
        is_talk=is_talk,
        paragraphs=tuple(posts if is_talk else sentences(texts)),
        title=title,
        lead=beginning(lead) if title else "",
    )


def without_site(title: str) -> str:
    """A title up to its last separator, or to the first hyphen between spaces behind that."""
    last_separator = max(map(title.rfind, SEPARATORS))
    separator = SEPARATOR.search(title, max(last_separator, 0))
    return title[: separator.start()].rstrip() if separator else title


def sentences(texts: Iterable[str]) -> list[str]:
    """Sentences of running text, none of them very long."""
    every = (sentence for text in texts for sentence in SENTENCE.split(text))
    return [sentence.strip() for sentence in every if len(sentence) in CHARACTERS]


def beginning(text: str) -> str:
    """The beginning of a text, up to the end of a sentence or of a word."""
    if len(text) <= LEAD:
        return text
    sentence = SENTENCE.split(text)[0]
    return sentence if len(sentence) <= LEAD else text[:LEAD].rsplit(" ", 1)[0] + "…"


class Texts(NamedTuple):
    """Donors chosen for one page: those of comments, and those of teasers."""

    talks: list[Donor]
    leads: list[Donor]

    @classmethod
    def chosen(cls, every: Sequence[Donor], site: str, language: str, rng: Random) -> Texts | None:
        """Donors of other sites in the same group, of the page's language if there are any.

        Comments are posts of threads; where there are none in the language, they are sentences
        of its running text. None if there are too few donors.
        """
        near = [donor for donor in every if donor.site != site and group(donor.site) == group(site)]
        languages = ENGLISH if language in ENGLISH else (language,)
        same = [donor for donor in near if donor.language in languages]
        talks = (
            [donor for donor in same if donor.is_talk and donor.paragraphs]
            or [donor for donor in same if donor.paragraphs]
            or [donor for donor in near if donor.is_talk and donor.paragraphs]
        )
        leads = [donor for donor in same if donor.lead] or [donor for donor in near if donor.lead]
        if not talks or not leads:
            return None
        return cls(
            rng.sample(talks, min(MOST_TALKS, len(talks))),
            rng.sample(leads, min(MOST_LEADS, len(leads))),
        )

    @property
    def sites(self) -> set[str]:
        """Sites of all donors."""
        return {donor.site for donor in (*self.talks, *self.leads)}

    @property
    def licences(self) -> set[str]:
        """Licences of all donors."""
        return {donor.licence for donor in (*self.talks, *self.leads)}

    def bodies(self, rng: Random) -> list[list[str]]:
        """Paragraphs of comments; no text of a donor is in two of them."""
        bodies = [body for donor in self.talks for body in runs(donor.paragraphs, rng)]
        rng.shuffle(bodies)
        return bodies


def runs(paragraphs: Sequence[str], rng: Random) -> Iterator[list[str]]:
    """Paragraphs in runs of one to four."""
    every = [*dict.fromkeys(paragraphs)]
    while every:
        (length,) = rng.choices(range(1, len(BODY_LENGTHS) + 1), BODY_LENGTHS)
        yield every[:length]
        every = every[length:]
