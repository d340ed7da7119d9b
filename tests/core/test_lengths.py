"""Arrays that do not fit one another are refused, whichever of those of a call it is."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.digests import own_pages, row_of
from victor.base import core
from victor.page.table.segment import parse_pages

N_PAGES = 40
OF_ANY_LENGTH = {
    "vocabulary": "0.0 0.1 0.2 0.3 0.4",  # letters and words
    "plan": "0.2",  # which columns are wanted as they are
    "page_words": "0.0 0.5",  # phrases
    "judgment_rules": "0.5 0.6",  # tags
    "judge hidden_copies": "2.2",
    "measure_tables": "8",  # code points
    "page_measures": "2",
    "forest_shares": "1",
    "paragraph_texts": "0.0",  # characters
    "page_text": "0.0",
    "markup_attributes": "1",  # places
    "markup_texts": "1",
    "markup_values": "1",
}
"""Which arrays of a function may have an item less, by their places in its arguments."""


def shorter(given: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each array in some arguments, named by its place, and the arguments with one item less."""
    if isinstance(given, np.ndarray) and given.size:
        yield place, given.ravel()[:-1].copy()
    elif isinstance(given, tuple | list):
        for number, part in enumerate(given):
            for name, other in shorter(part, f"{place}.{number}"):
                yield name, type(given)([*given[:number], other, *given[number + 1 :]])


class Shortening:
    """The core, each of whose functions is first called with each of its arrays one item short."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self.taken: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._compiled, name)

        def call(*arguments: Any) -> Any:
            known = f"{name} {arguments[0]}" if name == "judge" else name
            if known not in self.taken:
                # Modules look at what a plan gives them when they measure.
                places = dict(shorter(arguments[:1] if name == "plan" else arguments))
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


def test_arrays_that_are_too_short_are_refused(monkeypatch):
    shortening = Shortening(core.compiled)
    monkeypatch.setattr(core, "compiled", shortening)
    assert parse_pages([b"<p>Bees"]).replace().batch
    for page in [*own_pages()["annotations"].values()][:N_PAGES]:
        row_of(page)
    assert shortening.taken == {name: OF_ANY_LENGTH.get(name, "") for name in shortening.taken}
    assert len(shortening.taken) >= 36
