"""Parts of a run: stretches of its inputs, each read and written by one worker.

What a part holds follows from the inputs and the size of parts alone, so that it is the same
whoever makes it, and when. An input that can be read from any byte on is cut by bytes. Others are
read from their beginning, and a part is so many of their records: a worker keeps such an input open
and passes over what others make. Files that are one page each are put together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct, field

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.sources.inputs import OUTSIDE, PAGES, STDIN, UNREAD, Input, ReadOptions, is_remote
from victor.sources.reading import splits_at_bytes

RECORDS: Final = 1_000
"""Of a part of an input that cannot be cut by bytes, and the most pages of one of files."""
_MOST_NAMED: Final = 5


class Part(Struct, frozen=True):
    """A part of a run.

    Attributes:
        name: sorts parts in the order of the inputs.
        sources: what is read; several if each is one page.
        start, end: where reading of the only source begins and ends, as `read` takes it.
        bytes: of its input, 0 if its records are counted.
        is_counted: these are numbers of records; others are bytes.
        without: records that are not cleaned, by their place in the part, with reason and message.
        alone: first places of batches that are cleaned one by one, and how many they have.
        stop: place from which on nothing is read, with reason and message.
        kills: how often something else ended a worker that made it.
    """

    name: str
    sources: Sequence[Input]
    start: int = 0
    end: int | None = None
    bytes: int = 0
    is_counted: bool = False
    without: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    alone: Mapping[int, int] = field(default_factory=dict)
    stop: tuple[int, str, str] | None = None
    kills: int = 0


def parts(
    inputs: Sequence[Input], reading: ReadOptions, size: int, ended: Mapping[str, int]
) -> Iterator[Part]:
    """The parts of inputs, in their order.

    Args:
        inputs: of the run.
        reading: how they are read.
        size: bytes of a part.
        ended: first halves of names to the second half of the part with which that input ended;
            asked before each part of an input whose records are counted.
    """
    for number, (group, n_bytes) in enumerate(_groups(inputs, size)):
        names = (f"{number:05d}-{index:05d}" for index in range(1 << 30))
        if len(group) > 1 or group[0].kind in (*PAGES, OUTSIDE, UNREAD):
            yield Part(next(names), group, bytes=n_bytes)
        elif splits_at_bytes(group[0], reading):
            borders = [*range(0, max(n_bytes, 1), size), None]
            for start, end in pairwise(borders):
                last = n_bytes if end is None else end
                yield Part(next(names), group, start or 0, end, last - (start or 0))
        else:
            for index, name in enumerate(names):
                start = index * RECORDS
                yield Part(name, group, start, start + RECORDS, is_counted=True)
                if index >= ended.get(f"{number:05d}", index + 1):
                    break


def _groups(inputs: Sequence[Input], size: int) -> Iterator[tuple[list[Input], int]]:
    """Inputs one by one, but files that are one page each together, with the sum of their bytes."""
    group: list[Input] = []
    total = 0
    for each in inputs:
        n_bytes, is_page = note(each).size, each.kind in PAGES
        if group and (not is_page or total + n_bytes > size or len(group) == RECORDS):
            yield group, total
            group, total = [], 0
        if is_page:
            group.append(each)
            total += n_bytes
        else:
            yield [each], n_bytes
    if group:
        yield group, total


class Note(Struct, frozen=True):
    """What tells whether an input is still the same: its size, and a stamp of its time."""

    name: str
    kind: str
    size: int = 0
    stamp: str = ""


def note(source: Input) -> Note:
    """What is known of an input now."""
    size, stamp = 0, ""
    if is_remote(source.name) and not source.is_web_page:
        core: Any = lazy.load("fsspec.core", extra="crawl")
        with suppress(Exception):  # file systems raise errors of their own
            files, path = core.url_to_fs(source.name)
            size, stamp = files.size(path) or 0, str(files.ukey(path))
    elif not source.is_web_page:
        with suppress(OSError, ValueError):
            status = os.stat(source.path or source.name)
            size = 0 if os.path.isdir(source.name) else status.st_size
            stamp = "" if source.name == STDIN else str(status.st_mtime_ns)
    return Note(source.name, source.kind, size, stamp)


def check_same(before: Sequence[Note], now: Sequence[Note], folder: object) -> None:
    """Hold the inputs of a run against what they were when it began.

    Raises:
        ConfigError: names, sizes or times differ.
    """
    if before == now:
        return
    changed = sorted({each.name for each in {*before} ^ {*now}})[:_MOST_NAMED]
    names = ", ".join(changed) or "their order"
    raise ConfigError(
        f"the inputs of {folder} are not what they were ({names}); bring the old ones back to go "
        "on, or choose another folder for --output"
    )
