"""What the body of a POST says, checked before anything is done with it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from victor.annotate.store.changes import Change, changes_between, checked_changes, checked_labels
from victor.annotate.store.revisions import STATES, State, checked_name
from victor.errors import CorpusError

_LONGEST_KEY: Final = 100
_LONGEST_VISIT: Final = 86_400.0
_LARGEST: Final = 2**63 - 1
"""What a number of a revision can be in the store."""


@dataclass(frozen=True, slots=True)
class Save:
    """What a save asks for; the attributes are arguments of `Revisions.save`.

    Attributes:
        labels: all labels, in place of `changes`; None where there are changes.
    """

    annotator: str
    base: int | None
    changes: tuple[Change, ...]
    labels: str | None
    state: State | None
    seconds: float
    key: str | None

    def over(self, before: str) -> tuple[Change, ...]:
        """The changes, made to labels that were `before`."""
        return self.changes if self.labels is None else changes_between(before, self.labels)


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object of a body; an empty body is an empty one.

    Raises:
        CorpusError: it is something else.
    """
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise CorpusError("the request is not JSON in UTF-8") from None
    if not isinstance(found, dict):
        raise CorpusError("the request has to be a JSON object")
    return found


def save(body: Mapping[str, Any], n_blocks: int) -> Save:
    """A save of a page with so many blocks.

    Raises:
        CorpusError: a part of it is missing or wrong.
    """
    labels = body.get("labels")
    return Save(
        annotator=checked_name(body.get("annotator")),
        base=_base(body.get("base")),
        changes=checked_changes(body.get("changes", []), n_blocks),
        labels=None if labels is None else checked_labels(labels, n_blocks),
        state=_state(body.get("state")),
        seconds=_seconds(body.get("seconds", 0.0)),
        key=_key(body.get("key")),
    )


def count(value: object, name: str, most: int) -> int:
    """A number from 1.

    Raises:
        CorpusError: it is none, or more than `most`.
    """
    if type(value) is not int or not 0 < value <= most:
        raise CorpusError(f"{name} has to be a number from 1 to {most}")
    return value


def _base(base: object) -> int | None:
    if base is None:
        return None
    if type(base) is not int or not 0 <= base <= _LARGEST:
        raise CorpusError("base has to be the number of a revision, or 0 before the first")
    return base


def _state(state: object) -> State | None:
    if state is None:
        return None
    for known in STATES:
        if state == known:
            return known
    raise CorpusError(f"state has to be one of {', '.join(STATES)}")


def _seconds(seconds: object) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise CorpusError("seconds has to be a number")
    if not (math.isfinite(seconds) and seconds >= 0):
        raise CorpusError("seconds has to be a number that is not negative")
    return min(float(seconds), _LONGEST_VISIT)


def _key(key: object) -> str | None:
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= _LONGEST_KEY):
        raise CorpusError(f"key has to be a text of 1 to {_LONGEST_KEY} characters")
    return key
