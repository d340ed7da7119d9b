"""Reader of Label Studio's JSON export of annotated HTML pages (HyperText with labels).

A region of text is given by two XPaths with offsets in the page as it was displayed, and usually by
its text. The paths may include elements that Label Studio itself put around text
(HumanSignal/label-studio issues 1164, 2777, 4843, 6446). So a position counts only if its text is
the region's; otherwise the text is searched for. Regions found in neither way are reported.

Source: labelstud.io, tags HyperText and HyperTextLabels; guide, task format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from victor.annotate.exchange.dom_positions import DomPosition, DomText, letters_of
from victor.annotate.exchange.store_import import FindPage, ImportedPage, find_no_page
from victor.annotate.store.page_blocks import block_table
from victor.base.arrays import Labels
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import annotate
from victor.corpus.splits import site as site_of

NAMES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("h", "header", "heading", "headline", "title"), int(Label.HEADER)),
    **dict.fromkeys(("t", "text", "body text", "paragraph", "content", "list"), int(Label.TEXT)),
    **dict.fromkeys(("o", "other", "boilerplate"), int(Label.OTHER)),
    **dict.fromkeys(("?", "unlabelled", "ambiguous"), UNLABELLED),
}
"""Labels by the names that they may have there, in lower case."""

_KEYS: Final = ("hypertextlabels", "labels", "paragraphlabels")
"""Keys of a region's labels; which one depends on the tag of Label Studio."""
_NONE: Final = -1
_LONGEST_TEXT: Final = 60
"""Characters of a region's text in a message."""


class _Region(NamedTuple):
    """Text that has a label; `offset` is where it begins in the text of the page."""

    start: DomPosition
    end: DomPosition
    text: str | None
    offset: int | None
    names: tuple[str, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> _Region:
        offset = (value.get("globalOffsets") or {}).get("start")
        lists = [value[key] for key in _KEYS if isinstance(value.get(key), list)]
        text = value.get("text")
        return cls(
            DomPosition(str(value.get("start", "")), _int_or_0(value.get("startOffset"))),
            DomPosition(str(value.get("end", "")), _int_or_0(value.get("endOffset"))),
            text.replace("\\n", "\n") if isinstance(text, str) else None,
            offset if isinstance(offset, int) else None,
            tuple(map(str, lists[0] if lists else ())),
        )

    def __str__(self) -> str:
        text = " ".join((self.text or "").split())
        if len(text) > _LONGEST_TEXT:
            text = f"{text[: _LONGEST_TEXT - 3]}..."
        return f"{'/'.join(self.names)} {text!r} at {self.start.path}"


class _Annotation(NamedTuple):
    """All regions of one annotator on one page."""

    annotator: str | None
    seconds: float
    regions: tuple[_Region, ...]


def read(
    path: Path, find: FindPage = find_no_page, names: Mapping[str, int] = NAMES
) -> Iterator[ImportedPage]:
    """Every annotation of an export in the format JSON or JSON-MIN.

    The page is that of the store with the task's id or address if there is one, else the HTML in
    the task itself. A block takes the label of most of its characters; without any it is *other*.

    Args:
        path: the file.
        find: pages of the store.
        names: label by name in lower case.

    Raises:
        CorpusError: it is not such an export, a label is unknown, or a page is missing.
    """
    for number, task in enumerate(_tasks(path), 1):
        where = f"{path}, task {task.get('id', number)}"
        try:
            yield from _read_task(task, where, find, names)
        except (AttributeError, KeyError, TypeError) as error:
            raise CorpusError(
                f"{where}: not in the form of Label Studio ({error}); export it again"
            ) from None


def _read_task(
    task: Mapping[str, Any], where: str, find: FindPage, names: Mapping[str, int]
) -> list[ImportedPage]:
    annotations = [*_annotations(task)]
    for annotation in annotations:
        _check_names(annotation, names, where)
    if not annotations:
        return []
    page_id, html, url = _page(task, where, find)
    dom, block_of_segment = DomText.of(html), block_table(html).block_of_segment
    imported = []
    for annotator, seconds, regions in annotations:
        labels, problems = labels_of_regions(dom, regions, names)
        page = annotate(page_id, html, labels[block_of_segment], url=url, site=site_of(url or ""))
        imported.append(ImportedPage(page, annotator, seconds, tuple(problems)))
    return imported


def labels_of_regions(
    dom: DomText, regions: Sequence[_Region], names: Mapping[str, int]
) -> tuple[Labels, list[str]]:
    """Labels of the n blocks of a page from regions of its text.

    Returns:
        (n,) uint8, and a line for every region that was not found at its position.
    """
    marks = np.full(len(dom.text), _NONE, dtype=np.int64)
    problems = []
    for region in regions:
        extent, problem = _extent(dom, region)
        if problem:
            problems.append(f"{problem}: {region}")
        if extent is not None and region.names:
            marks[slice(*extent)] = min(names[region.names[0].lower()], len(Label))
    cells = dom.block[dom.visible] * (len(Label) + 2) + marks[dom.visible] + 1
    votes = np.bincount(cells, minlength=dom.n_blocks * (len(Label) + 2))
    winner = votes.reshape(dom.n_blocks, len(Label) + 2).argmax(axis=1)
    values = np.array([Label.OTHER, *Label, UNLABELLED], dtype=np.uint8)
    return values[winner], problems


def _extent(dom: DomText, region: _Region) -> tuple[tuple[int, int] | None, str]:
    """The extent of a region in the text of the page, and the problem with it, if any."""
    expected = None
    for first, last in dom.extents(region.start, region.end):
        if region.text is None:
            return (first, last), "taken without a check, it has no text"
        if letters_of(dom.text[first:last]) == letters_of(region.text):
            return (first, last), ""
        expected = first if expected is None else expected
    copies = dom.find(region.text or "")
    if not copies:
        return None, "not found"
    if expected is None:
        expected = region.offset
    if len(copies) > 1 and expected is None:
        return None, f"not placed, its text occurs {len(copies)} times"
    closest = min(copies, key=lambda extent: abs(extent[0] - (expected or 0)))
    return closest, "found by its text, not at its place"


def _tasks(path: Path) -> list[dict[str, Any]]:
    try:
        tasks = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusError(f"{path} cannot be read as JSON ({error}); export it again") from None
    tasks = tasks if isinstance(tasks, list) else [tasks]
    if not all(isinstance(task, dict) for task in tasks):
        raise CorpusError(f"{path} is not an export of Label Studio: choose its format JSON")
    return tasks


def _annotations(task: Mapping[str, Any]) -> Iterator[_Annotation]:
    """Annotations of a task that were not cancelled."""
    if "data" not in task:  # JSON-MIN: the data itself, and lists of regions under their tag
        lists = [value for value in task.values() if isinstance(value, list)]
        regions = _regions(value for values in lists for value in values)
        if regions or "annotation_id" in task:  # else nobody has looked at it
            yield _Annotation(_name(task.get("annotator")), _seconds(task), regions)
        return
    for item in task.get("annotations") or task.get("completions") or []:
        if not item.get("was_cancelled"):
            regions = _regions(result.get("value") for result in item.get("result") or [])
            yield _Annotation(_name(item.get("completed_by")), _seconds(item), regions)


def _regions(values: Iterable[object]) -> tuple[_Region, ...]:
    """The values that are regions with labels."""
    return tuple(
        _Region.of(value)
        for value in values
        if isinstance(value, dict) and "start" in value and any(key in value for key in _KEYS)
    )


def _name(completed_by: object) -> str | None:
    """Name of an annotator: an address, or a number."""
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return None if completed_by in (None, "") else f"label-studio {completed_by}"


def _seconds(annotation: Mapping[str, Any]) -> float:
    value = annotation.get("lead_time")
    return float(value) if isinstance(value, int | float) and 0 <= value < float("inf") else 0.0


def _page(task: Mapping[str, Any], where: str, find: FindPage) -> tuple[str, bytes, str | None]:
    """Id, bytes and address of the page of a task."""
    data = task["data"] if isinstance(task.get("data"), dict) else task
    named = [data.get("page_id"), data.get("page"), Path(str(task.get("file_upload") or "")).stem]
    url = data.get("url") if isinstance(data.get("url"), str) else None
    keys = [(str(name), None) for name in named if name] + [(None, url)] * bool(url)
    for page_id, address in keys:
        known = find(page_id, address)
        if known is not None:
            return known.id, known.html, url
    html = next((v for v in data.values() if isinstance(v, str) and "<" in v), None)
    if html is None:
        raise CorpusError(
            f"{where}: neither the store nor the task has its page; put the id of a page of the "
            "store into the task's data as page_id, or its address as url"
        )
    return f"task-{task.get('id', 'without-id')}", html.encode("utf-8", "replace"), url


def _check_names(annotation: _Annotation, names: Mapping[str, int], where: str) -> None:
    used = {name for region in annotation.regions for name in region.names}
    unknown = {name for name in used if name.lower() not in names}
    if unknown:
        raise CorpusError(
            f"{where}: unknown label {min(unknown)!r}; "
            f"say which one it is: --label '{min(unknown)}=text'"
        )


def _int_or_0(value: object) -> int:
    return value if isinstance(value, int) else 0
