"""Annotations of HTML pages from Label Studio's JSON export (HyperText with labels).

A region of text is given by two XPaths with offsets in the page as it was displayed, and usually by
its text. The paths may include what Label Studio itself put around text (HumanSignal/label-studio
issues 1164, 2777, 4843, 6446), so a place is trusted only if its text is the region's; else the
text is looked for. What is found in neither way is reported.

Source: labelstud.io, tags HyperText and HyperTextLabels; guide, task format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from victor.annotate.exchange.dom_positions import Displayed, Place, letters_of
from victor.annotate.exchange.received import Find, Received, find_nothing
from victor.annotate.store.page_blocks import block_table
from victor.arrays import Labels
from victor.corpus.pages import annotate
from victor.corpus.splits import site as site_of
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label

NAMES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("h", "header", "heading", "headline", "title"), int(Label.HEADER)),
    **dict.fromkeys(("t", "text", "body text", "paragraph", "content", "list"), int(Label.TEXT)),
    **dict.fromkeys(("o", "other", "boilerplate"), int(Label.OTHER)),
    **dict.fromkeys(("?", "unlabelled", "ambiguous"), UNLABELLED),
}
"""Labels by the names, in lower case, that they may have there."""

_KEYS: Final = ("hypertextlabels", "labels", "paragraphlabels")
"""Where a region has its labels, by the kind of the tag that gave them."""
_NONE: Final = -1
_SHOWN: Final = 60
"""Characters of a region's text in a message."""


class _Region(NamedTuple):
    """Text that has a label."""

    start: Place
    end: Place
    text: str | None
    at: int | None
    names: tuple[str, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> _Region:
        spread = value.get("globalOffsets") or {}
        lists = [value[key] for key in _KEYS if isinstance(value.get(key), list)]
        text = value.get("text")
        return cls(
            Place(str(value.get("start", "")), _whole(value.get("startOffset"))),
            Place(str(value.get("end", "")), _whole(value.get("endOffset"))),
            text.replace("\\n", "\n") if isinstance(text, str) else None,
            spread.get("start") if isinstance(spread.get("start"), int) else None,
            tuple(map(str, lists[0] if lists else ())),
        )

    def __str__(self) -> str:
        text = " ".join((self.text or "").split())
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
        return f"{'/'.join(self.names)} {shown!r} at {self.start.path}"


class _Annotation(NamedTuple):
    """All regions of one annotator on one page."""

    annotator: str | None
    seconds: float
    regions: tuple[_Region, ...]


def read(
    path: Path, find: Find = find_nothing, names: Mapping[str, int] = NAMES
) -> Iterator[Received]:
    """Every annotation of an export in the formats JSON and JSON-MIN.

    A page is that of the store with the task's id or address where there is one, else the HTML in
    the task itself. A block takes the label of most of its characters; without any it is *other*.

    Args:
        path: the file.
        find: pages of the store.
        names: label by name in lower case.

    Raises:
        CorpusError: it is no such export, a label has another name, or a page is nowhere to be had.
    """
    for number, task in enumerate(_tasks(path), 1):
        where = f"{path}, task {task.get('id', number)}"
        try:
            yield from _read_task(task, where, find, names)
        except (AttributeError, KeyError, TypeError) as error:
            raise CorpusError(
                f"{where}: not as Label Studio writes it ({error}); export it again"
            ) from None


def _read_task(
    task: Mapping[str, Any], where: str, find: Find, names: Mapping[str, int]
) -> list[Received]:
    annotations = [*_annotations(task)]
    for found in annotations:
        _check_names(found, names, where)
    if not annotations:
        return []
    page_id, html, url = _page(task, where, find)
    displayed, block_of_segment = Displayed.of(html), block_table(html).block_of_segment
    received = []
    for found in annotations:
        labels, problems = place(displayed, found.regions, names)
        page = annotate(page_id, html, labels[block_of_segment], url=url, site=site_of(url or ""))
        received.append(Received(page, found.annotator, found.seconds, tuple(problems)))
    return received


def place(
    displayed: Displayed, regions: Sequence[_Region], names: Mapping[str, int]
) -> tuple[Labels, list[str]]:
    """Labels of the n blocks of a page from regions of its text.

    Returns:
        (n,) uint8, and a line for every region that was not found where it says.
    """
    marks = np.full(len(displayed.text), _NONE, dtype=np.int64)
    problems = []
    for region in regions:
        extent, how = _extent(displayed, region)
        if how:
            problems.append(f"{how}: {region}")
        if extent is not None and region.names:
            marks[slice(*extent)] = min(names[region.names[0].lower()], len(Label))
    own = displayed.visible
    cells = displayed.block[own] * (len(Label) + 2) + marks[own] + 1
    votes = np.bincount(cells, minlength=displayed.n_blocks * (len(Label) + 2))
    winner = votes.reshape(displayed.n_blocks, len(Label) + 2).argmax(axis=1)
    values = np.array([Label.OTHER, *Label, UNLABELLED], dtype=np.uint8)
    return values[winner], problems


def _extent(displayed: Displayed, region: _Region) -> tuple[tuple[int, int] | None, str]:
    """Where a region is, and what is to be said about it."""
    near = None
    for first, last in displayed.extents(region.start, region.end):
        if region.text is None:
            return (first, last), "taken without a check, it has no text"
        if letters_of(displayed.text[first:last]) == letters_of(region.text):
            return (first, last), ""
        near = first if near is None else near
    copies = displayed.find(region.text or "")
    if not copies:
        return None, "not found"
    at = near if near is not None else region.at
    if len(copies) > 1 and at is None:
        return None, f"not placed, its text occurs {len(copies)} times"
    closest = min(copies, key=lambda extent: abs(extent[0] - (at or 0)))
    return closest, "found by its text, not at its place"


def _tasks(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read as JSON ({error}); export it again") from None
    tasks = found if isinstance(found, list) else [found]
    if not all(isinstance(task, dict) for task in tasks):
        raise CorpusError(f"{path} is no export of Label Studio: choose its format JSON")
    return tasks


def _annotations(task: Mapping[str, Any]) -> Iterator[_Annotation]:
    """Those of a task that were not cancelled."""
    if "data" not in task:
        found = _flat_annotation(task)
        if found.regions or "annotation_id" in task:  # else nobody has looked at it
            yield found
        return
    for found in task.get("annotations") or task.get("completions") or []:
        if not found.get("was_cancelled"):
            values = [result.get("value") or {} for result in found.get("result") or []]
            yield _Annotation(_name(found.get("completed_by")), _seconds(found), _regions(values))


def _flat_annotation(task: Mapping[str, Any]) -> _Annotation:
    """That of a task in the format JSON-MIN: the data itself, and regions under their tag."""
    lists = [value for value in task.values() if isinstance(value, list)]
    values = [value for found in lists for value in found if isinstance(value, dict)]
    return _Annotation(_name(task.get("annotator")), _seconds(task), _regions(values))


def _regions(values: Sequence[Mapping[str, Any]]) -> tuple[_Region, ...]:
    own = (value for value in values if "start" in value and any(key in value for key in _KEYS))
    return tuple(_Region.of(value) for value in own)


def _name(completed_by: object) -> str | None:
    """Name of an annotator: an address, or a number."""
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return None if completed_by in (None, "") else f"label-studio {completed_by}"


def _seconds(found: Mapping[str, Any]) -> float:
    value = found.get("lead_time")
    return float(value) if isinstance(value, int | float) and 0 <= value < float("inf") else 0.0


def _page(task: Mapping[str, Any], where: str, find: Find) -> tuple[str, bytes, str | None]:
    """Id, bytes and address of the page of a task."""
    data = task["data"] if isinstance(task.get("data"), dict) else task
    named = [data.get("page_id"), data.get("page"), Path(str(task.get("file_upload") or "")).stem]
    url = data.get("url") if isinstance(data.get("url"), str) else None
    for name in (str(name) for name in named if name):
        known = find(name, None)
        if known is not None:
            return known.id, known.html, url
    known = find(None, url) if url else None
    if known is not None:
        return known.id, known.html, url
    html = next((v for v in data.values() if isinstance(v, str) and "<" in v), None)
    if html is None:
        raise CorpusError(
            f"{where}: neither the store nor the task has its page; put the id of a page of the "
            "store into the task's data as page_id, or its address as url"
        )
    return f"task-{task.get('id', 'without-id')}", html.encode("utf-8", "replace"), url


def _check_names(found: _Annotation, names: Mapping[str, int], where: str) -> None:
    unknown = {name for region in found.regions for name in region.names} - names.keys()
    unknown = {name for name in unknown if name.lower() not in names}
    if unknown:
        raise CorpusError(
            f"{where}: no label is called {min(unknown)!r} here; "
            f"say which it is: --label '{min(unknown)}=text'"
        )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
