"""Words by which pages say who wrote them and when, of ``words.yaml``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from victor.config import compiled


@cache
def _lists() -> dict[str, Any]:
    return dict(compiled.read(Path(__file__).with_name("words.yaml")))


def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_lists()[name])


def any_of(*names: str) -> str:
    """A pattern for any phrase of some lists, the longest first."""
    phrases = [re.escape(phrase) for name in names for phrase in _lists()[name]]
    return "|".join(sorted(phrases, key=len, reverse=True))


def month_forms() -> list[list[str]]:
    """The forms of the names of the twelve months by language, those of a month with slashes."""
    return [forms.split() for forms in _lists()["months"].values()]
