"""Every error Victor raises on purpose, in one small tree named by what the caller does next.

VictorError
├── ConfigError    a configuration, option or parameter is wrong: stop and correct it
├── FeatureError   a feature module is missing or breaks its contract: stop
├── TemplateError  a template names what does not exist: stop
├── ModelError     a model is missing, damaged or of another format: stop
├── OutputError    nothing can be written where it should be: make room, then repeat the call
├── CorpusError    annotated pages are missing or unreadable: stop
└── PageError      one page cannot be processed: count it by its reason and go on
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FEATURE_FAILED: Final = "feature-failed"
"""Reason of pages that a feature module cannot measure, one of its author's as a rule."""
_MOST_NAMES: Final = 40  # a longer list of names helps nobody


class VictorError(Exception):
    """Base of all errors of this package; the message says what to do next."""


class ConfigError(VictorError):
    """A configuration file, key, option or parameter is wrong."""


class FeatureError(VictorError):
    """A feature module is missing or breaks its contract."""


class TemplateError(VictorError):
    """An offset template is malformed or names unknown columns."""


class ModelError(VictorError):
    """A model file is missing, damaged or of a format this version cannot read."""


class OutputError(VictorError):
    """A file cannot be written: no space, no right to, no such folder."""


class CorpusError(VictorError):
    """An annotated corpus is missing, unreadable or inconsistent."""


class PageError(VictorError):
    """One page cannot be processed; a batch counts `reason` and goes on.

    Attributes:
        reason: short machine-readable name, e.g. ``"too-many-bytes"``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[PageError], tuple[str, str]]:
        return type(self), (self.reason, str(self))


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message on a name that does not exist: the nearest one, or all if they are few.

    >>> hint("lenght", ["length", "width"]), hint("x", ["length", "width"])
    (', did you mean length?', '; known are: length, width')
    """
    names = sorted(known)
    guess = nearest(name, names)
    if guess or len(names) > _MOST_NAMES:
        return guess
    return f"; known are: {', '.join(names) or 'none'}"


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message on a name that does not exist: the nearest one, if one is near.

    >>> nearest("lenght", ["length", "width"]), nearest("x", ["length", "width"])
    (', did you mean length?', '')
    """
    from difflib import get_close_matches  # only where something is wrong

    close = get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f", did you mean {close[0]}?" if close else ""
