"""What an import gives: annotated pages, whose they are, and what could not be taken over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from victor.corpus.pages import AnnotatedPage


@dataclass(frozen=True, slots=True, eq=False)
class Received:
    """One annotation of one page.

    Attributes:
        page: the page with labels of its segments.
        annotator: whose they are, None if the source does not say.
        seconds: time spent on it, as the source says.
        problems: what could not be taken over, a line each.
    """

    page: AnnotatedPage
    annotator: str | None = None
    seconds: float = 0.0
    problems: tuple[str, ...] = ()


class Known(NamedTuple):
    """A page that the store has already."""

    id: str
    html: bytes


Find = Callable[[str | None, str | None], Known | None]
"""A page of the store by its id or else its address; None if it has neither."""


def find_nothing(_id: str | None, _url: str | None) -> Known | None:
    """Where there is no store."""
    return None
