"""Arrays that do not fit, or lead outside of others, are refused, whichever it is of a call."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from tests.digests import own_pages, row_of
from victor.base import core
from victor.page.table.segment import parse_pages

N_PAGES = 40
TAKEN = yaml.safe_load(Path(__file__).with_name("taken.yaml").read_text("utf-8"))
"""What a function takes, by places in its arguments: an item less, or at an end one far out."""
FAR = 1 << 40


def changed(given: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Arguments with another array in a place, which is named with what is wrong there."""
    if isinstance(given, np.ndarray) and given.size:
        yield place, given.ravel()[:-1].copy()
        for end, value in product("^$" if given.dtype == np.int64 else "", (-1, FAR)):
            other = given.copy()
            other.flat[0 if end == "^" else -1] = value
            yield f"{place}{end}{'<' if value < 0 else '>'}", other
    elif isinstance(given, tuple | list):
        for number, part in enumerate(given):
            for name, other in changed(part, f"{place}.{number}"):
                yield name, type(given)([*given[:number], other, *given[number + 1 :]])


class Mistaken:
    """The core, each of whose functions is first called with each of its arrays wrong."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self.taken: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._compiled, name)

        def call(*arguments: Any) -> Any:
            known = f"{name} {arguments[0]}" if name == "judge" else name
            if known not in self.taken:
                # Modules look at what a plan gives them when they measure.
                places = dict(changed(arguments[:1] if name == "plan" else arguments))
                rest = arguments[1:] if name == "plan" else ()
                taken = [at[1:] for at in places if not refuses(method, *places[at], *rest)]
                self.taken[known] = " ".join(taken)
            return method(*arguments)

        return call


def refuses(method: Any, *arguments: Any) -> bool:
    try:
        method(*arguments)
    except ValueError:
        return True
    return False


def test_wrong_arrays_are_refused(monkeypatch):
    mistaken = Mistaken(core.compiled)
    monkeypatch.setattr(core, "compiled", mistaken)
    assert parse_pages([b"<p>Bees"]).replace().batch
    for page in [*own_pages()["annotations"].values()][:N_PAGES]:
        row_of(page)
    assert mistaken.taken == {name: TAKEN.get(name, "") for name in mistaken.taken}
    assert len(mistaken.taken) >= 36
