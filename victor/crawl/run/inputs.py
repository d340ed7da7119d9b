"""The inputs of a run as they were when it began, and whether they are still the same.

Inode, size and the times that the file system keeps tell that a file was not touched; nothing is
read then. Where they differ, what the run has read of it is read again and compared, so that a
copy, or another date, does no harm and a change in any byte that counts is noticed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from victor.base import optional
from victor.crawl.workers.batching import input_size
from victor.crawl.workers.readings import Reading, first_change
from victor.sources import Input
from victor.sources.inputs import STDIN, is_remote
from victor.sources.record import Page

_MOST_NAMED: Final = 5


class InputNote(NamedTuple):
    """What is known of an input without reading it.

    Attributes:
        name, kind: of the input.
        size: bytes, 0 if it is no file.
        stamp: another one means that it may have changed; empty if nothing can tell.
    """

    name: str
    kind: str
    size: int
    stamp: str

    @property
    def identity(self) -> tuple[str, str, int]:
        """What no run goes on with if it differs."""
        return self.name, self.kind, self.size


def note(source: Input) -> InputNote:
    """What is known of an input now."""
    return InputNote(source.name, source.kind, input_size(source), _stamp(source))


def _stamp(source: Input) -> str:
    if source.name == STDIN or source.is_web_page:
        return ""
    if is_remote(source.name):
        core = optional.load("fsspec.core", extra="crawl")
        with suppress(Exception):  # file systems raise errors of their own
            files, path = core.url_to_fs(source.name)
            return f"{files.size(path)} {files.ukey(path)}"
    with suppress(OSError, ValueError):
        status = os.stat(source.name)
        # The last cannot be set by hand: it also tells changes that were given an old date.
        return f"{status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}"
    return ""


def to_lines(notes: Iterable[InputNote]) -> bytes:
    """Notes as JSON lines."""
    return "".join(f"{json.dumps(each)}\n" for each in notes).encode()


def from_lines(path: Path) -> list[InputNote] | None:
    """The notes in a file; None if it is missing or damaged."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [InputNote(*json.loads(line)) for line in lines]
    except (OSError, ValueError, TypeError):
        return None


def difference(stored: Sequence[InputNote], current: Sequence[InputNote]) -> Iterator[str]:
    """What differs in the names, kinds and sizes of inputs, in words."""
    before = {each.name: each for each in stored}
    now = {each.name: each for each in current}
    sizes = [
        f"{name} had {before[name].size:,} bytes and has {now[name].size:,}"
        for name in before
        if name in now and before[name].size != now[name].size
    ]
    yield from some(sizes)
    yield from some([f"{name} is no longer among the inputs" for name in before.keys() - now])
    yield from some([f"{name} is a new input" for name in now.keys() - before])
    is_other = {each.name for each in stored} != now.keys() or sizes
    if not is_other:
        yield "the inputs have another order or other kinds"


def some(lines: Sequence[str]) -> Iterator[str]:
    """The first few lines, sorted, and how many more there are."""
    yield from sorted(lines)[:_MOST_NAMED]
    if len(lines) > _MOST_NAMED:
        yield f"and {len(lines) - _MOST_NAMED:,} more"


def touched(
    known: Iterable[Reading], stored: Sequence[InputNote] | None, current: Sequence[InputNote]
) -> Iterator[tuple[int, list[Reading]]]:
    """Numbers of the inputs that have been read and may have changed, with what was read of them.

    Left out are pages of the web, which may change, and standard input, which cannot be read twice.
    """
    for number, group in groupby(sorted(known), key=lambda each: each.input):
        was, now = stored[number] if stored else None, current[number]
        source = Input(now.name, now.kind)
        if source.is_web_page or source.name == STDIN or (now.stamp and was == now):
            continue
        yield number, [*group]


def changes(items: Iterator[Page], source: Input, known: Sequence[Reading]) -> str:
    """How an input differs from what was read of it, in words; empty if it does not.

    Args:
        items: of the input, from its first one on.
        source: the input.
        known: what was read of it.
    """
    stretch = first_change(items, known)
    if stretch is None:
        return ""
    where = f"records {stretch.first} to {stretch.last - 1}, which were read,"
    return f"{source.name} has changed: {where} are others now"
