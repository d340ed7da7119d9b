"""Run systems over pages: collect their texts, and time them in turns."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from peers.pages import Page, request
from peers.processes import Child, LostError, MissingError
from peers.systems import BATCH, System


@dataclass(frozen=True, slots=True)
class Run:
    """What a system made of pages.

    Attributes:
        texts: text of every page by its identifier, ``""`` where it failed.
        failures: reason of every page that raised or gave no answer in time.
        about: what the system said of itself.
    """

    texts: dict[str, str]
    failures: dict[str, str]
    about: dict[str, Any]


def extract(system: System, pages: Sequence[Page], seconds: float) -> Run:
    """Texts of all pages, one request each.

    Raises:
        MissingError: the system cannot be started.
    """
    texts: dict[str, str] = {}
    failures: dict[str, str] = {}
    with Child(system.command, system.environment) as child:
        child.start()
        for page in pages:
            answer = _ask(child, [page], seconds)
            texts[page.id] = answer["texts"][0]
            if answer["errors"][0] is not None:
                failures[page.id] = answer["errors"][0]
        return Run(texts, failures, child.about)


def _ask(child: Child, pages: Sequence[Page], seconds: float) -> dict[str, Any]:
    """The child's answer; where there is none, one that says why."""
    try:
        return child.ask(request(pages, child.about["takes"]), seconds * len(pages))
    except LostError as error:
        n = len(pages)
        return {"texts": [""] * n, "errors": [str(error)] * n, "seconds": math.nan}


@dataclass(slots=True)
class Times:
    """Seconds of one system.

    Attributes:
        about: what the system said of itself.
        rounds: (rounds) seconds of every page in each round, by its identifier; nan where it
            failed.
    """

    about: dict[str, Any]
    rounds: list[dict[str, float]] = field(default_factory=list)

    def medians(self) -> dict[str, float]:
        """Median over rounds of every page that never failed."""
        pages = self.rounds[0] if self.rounds else {}
        medians = {page: statistics.median(r[page] for r in self.rounds) for page in pages}
        failed = {page for page in pages if any(math.isnan(r[page]) for r in self.rounds)}
        return {page: value for page, value in medians.items() if page not in failed}


def time_in_turns(
    systems: Sequence[System], pages: Sequence[Page], rounds: int, seconds: float
) -> tuple[dict[str, Times], dict[str, str]]:
    """Times of all systems, a few pages of each in turn, so that all see the same machine.

    Returns:
        Times by name, and the reason of each system that is missing.
    """
    times: dict[str, Times] = {}
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        children: list[tuple[System, Child]] = []
        for system in systems:
            child = stack.enter_context(Child(system.command, system.environment))
            try:
                child.start()
            except MissingError as error:
                missing[system.name] = str(error)
                continue
            children.append((system, child))
            times[system.name] = Times(child.about)
            _time(system, child, pages[:BATCH], seconds)  # the first pages load and compile
        for number in range(rounds):
            for of_system in times.values():
                of_system.rounds.append({})
            for turn, some in enumerate(_pieces(pages, BATCH)):
                shift = (number + turn) % max(1, len(children))
                for system, child in children[shift:] + children[:shift]:
                    measured = _time(system, child, some, seconds)
                    times[system.name].rounds[number].update(measured)
    return times, missing


def _time(system: System, child: Child, pages: Sequence[Page], seconds: float) -> dict[str, float]:
    """Seconds of each page; pages of one request share its time equally."""
    times: dict[str, float] = {}
    for some in _pieces(pages, system.pages):
        answer = _ask(child, some, seconds)
        failed = any(error is not None for error in answer["errors"])
        each = math.nan if failed else answer["seconds"] / len(some)
        times.update({page.id: each for page in some})
    return times


def _pieces(pages: Sequence[Page], size: int) -> Iterator[Sequence[Page]]:
    return (pages[first : first + size] for first in range(0, len(pages), size))
