"""Donors: annotated pages whose texts become comments and teasers on other pages."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from victor.base.labels import Label
from victor.corpus.pages import AnnotatedPage, block_labels
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

GROUPS: Final = 5
_TALK: Final = frozenset("forum blog-comments".split())
"""Types of pages that people talk on."""
_HELD_OF: Final = 20
_HELD: Final = 3
_MIN_WORDS: Final = 4
_MIN_CHARS: Final = 8
_MAX_CHARS: Final = 900
_LEAD: Final = 240
_LEAD_WORDS: Final = 8
_SEPARATORS: Final = "|–—·»:"
_SEPARATOR: Final = re.compile(rf"(?<=\s)[{_SEPARATORS}-](?=\s)")
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


@dataclass(frozen=True, eq=False)
class Donor:
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
    return zlib.crc32(f"held {site}".encode()) % _HELD_OF < _HELD


def language_of(page: AnnotatedPage, table: BlockTable) -> str:
    """Two letters for the language of a page, by its corpus or else by itself; "" if unknown."""
    return (page.language or table.heads[0].language or "").lower()[:2]


def donors(pages: Iterable[AnnotatedPage]) -> list[Donor]:
    """The texts of pages; pages without any are left out."""
    return [donor for page in pages if (donor := _donor(page)).paragraphs or donor.lead]


def _donor(page: AnnotatedPage) -> Donor:
    table = parse_pages([page.html], "block")
    if len(table.segments) != len(page.labels):
        return Donor("", "", "", False, (), "", "")
    is_text = block_labels(page.labels, table) == Label.TEXT
    is_text &= table.words >= _MIN_WORDS
    every = block_texts(table)
    texts = [" ".join(every[row].split()) for row in np.flatnonzero(is_text).tolist()]
    is_talk = page.kind in _TALK
    title = _without_site(table.heads[0].title)
    lead = "" if is_talk else next((t for t in texts if len(t.split()) >= _LEAD_WORDS), "")
    return Donor(
        site=page.site or page.id,
        language=language_of(page, table),
        licence=page.licence or "",
        is_talk=is_talk,
        paragraphs=tuple(_posts(texts) if is_talk else _sentences(texts)),
        title=title,
        lead=_cut(lead) if title else "",
    )


def _without_site(title: str) -> str:
    """A title up to its last separator, or to the first hyphen between spaces behind that."""
    last_separator = max(map(title.rfind, _SEPARATORS))
    separator = _SEPARATOR.search(title, max(last_separator, 0))
    return title[: separator.start()].rstrip() if separator else title


def _posts(texts: Iterable[str]) -> list[str]:
    """Paragraphs of posts, none of them very long."""
    return [text[:_MAX_CHARS] for text in texts]


def _sentences(texts: Iterable[str]) -> list[str]:
    """Sentences of running text, none of them very long."""
    return [
        sentence.strip()
        for text in texts
        for sentence in _SENTENCE.split(text)
        if _MIN_CHARS <= len(sentence) <= _MAX_CHARS
    ]


def _cut(text: str) -> str:
    """The beginning of a text, up to the end of a sentence or of a word."""
    if len(text) <= _LEAD:
        return text
    sentence = _SENTENCE.split(text)[0]
    return sentence if len(sentence) <= _LEAD else text[:_LEAD].rsplit(" ", 1)[0] + "…"


_MOST_TALKS: Final = 8
_MOST_LEADS: Final = 12
_ENGLISH: Final = ("en", "")
_BODY_LENGTHS: Final = (6, 3, 2, 1)
"""How often a comment has 1, 2, 3 or 4 paragraphs."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Donors chosen for one page.

    Attributes:
        talks: pages that comments are taken from.
        leads: pages that teasers are made of.
    """

    talks: tuple[Donor, ...]
    leads: tuple[Donor, ...]

    @classmethod
    def chosen(cls, donors: Sequence[Donor], site: str, language: str, rng: Random) -> Texts | None:
        """Donors of other sites in the same group, of the page's language if there are any.

        Comments are posts of threads; where there are none in the language, they are sentences
        of its running text. None if there are too few donors.
        """
        near = [
            donor for donor in donors if donor.site != site and group(donor.site) == group(site)
        ]
        languages = _ENGLISH if language in _ENGLISH else (language,)
        same = [donor for donor in near if donor.language in languages]
        talks = _first_of(
            [donor for donor in same if donor.is_talk and donor.paragraphs],
            [donor for donor in same if donor.paragraphs],
            [donor for donor in near if donor.is_talk and donor.paragraphs],
        )
        leads = _first_of(
            [donor for donor in same if donor.lead], [donor for donor in near if donor.lead]
        )
        if not talks or not leads:
            return None
        return cls(_sample(talks, _MOST_TALKS, rng), _sample(leads, _MOST_LEADS, rng))

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
        bodies = [body for donor in self.talks for body in _runs(donor.paragraphs, rng)]
        rng.shuffle(bodies)
        return bodies


def _runs(paragraphs: Sequence[str], rng: Random) -> Iterator[list[str]]:
    """Paragraphs in runs of one to four."""
    every = [*dict.fromkeys(paragraphs)]
    while every:
        (length,) = rng.choices(range(1, len(_BODY_LENGTHS) + 1), _BODY_LENGTHS)
        yield every[:length]
        every = every[length:]


def _first_of(*choices: list[Donor]) -> list[Donor]:
    """The first of some lists that is not empty."""
    return next((donors for donors in choices if donors), [])


def _sample(donors: list[Donor], most: int, rng: Random) -> tuple[Donor, ...]:
    return tuple(rng.sample(donors, min(most, len(donors))))
