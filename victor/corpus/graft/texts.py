"""The texts of one graft: who donates them, and what each comment says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from victor.corpus.graft.donors import Donor, group

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
        bodies = [body for donor in self.talks for body in _cut(donor.paragraphs, rng)]
        rng.shuffle(bodies)
        return bodies


def _cut(paragraphs: Sequence[str], rng: Random) -> Iterator[list[str]]:
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
