"""Rows of plain data that every form can hold: their fields and types, and documents as rows.

`Row` says the fields; all that is written is read from it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from types import NoneType
from typing import Any, Final, TypeAlias, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from msgspec import Struct

from victor.base import optional
from victor.base.errors import ConfigError
from victor.documents.outcome import Document, Dropped
from victor.labelers.labeler import LABELERS
from victor.page.plain_data import plain, valid


class Pair(Struct):
    """A language and the address of the page in it."""

    language: str
    address: str


class Origin(Struct):
    """A field, and what of the page said it."""

    field: str
    source: str


class Metadata(Struct):
    """What is known of a page beside its row; ``more`` is a JSON object of everything else."""

    authors: list[str]
    window_title: str | None
    published: str | None
    modified: str | None
    site: str | None
    publisher: str | None
    declared_language: str | None
    description: str | None
    canonical: str | None
    image: str | None
    next_page: str | None
    previous_page: str | None
    section: str | None
    tags: list[str]
    type: str | None
    licence: str | None
    feeds: list[str]
    translations: list[Pair]
    sources: list[Origin]
    encoding: str | None
    encoding_reason: str | None
    recovered: str | None
    repaired: list[str]
    more: str | None


class Kept(Struct):
    """Columns of the paragraphs of the text; `start` counts characters of the text."""

    start: list[int]
    p_other: list[float]
    heading: list[bool]
    language: list[str]


class Others(Struct):
    """Columns of the paragraphs that are no part of the text."""

    before: list[int]
    text: list[str]
    p_other: list[float]
    heading: list[bool]


class Row(Struct):
    """A row in the order of its fields, of which the first eight are those of FineWeb.

    Arrow, JSON, dataset cards and `victor.arrow` read their fields and types from here.
    """

    text: str
    id: str
    dump: str | None
    url: str | None
    date: str | None
    file_path: str | None
    language: str | None
    language_score: float | None
    title: str | None
    words: int
    kept_share: float
    confidence: float
    model: str
    hash: str
    markdown: str | None
    metadata: Metadata
    paragraphs: Kept
    dropped_paragraphs: Others | None
    page_type: str | None
    p_no_content: float | None
    domain: str | None


Type: TypeAlias = "str | list[Type] | Mapping[str, Type]"
_SCALARS: Final = {"str": "string", "int": "int64", "float": "float64", "bool": "bool"}


def types(struct: type[Struct]) -> dict[str, Type]:
    """The fields of a struct as names of scalars, lists of one type, and mappings."""
    return {name: _type(kind) for name, kind in get_type_hints(struct).items()}


def _type(kind: Any) -> Type:  # noqa: ANN401  (what a hint may be)
    known = [each for each in get_args(kind) if each is not NoneType] or [kind]
    if get_origin(kind) is list:
        return [_type(known[0])]
    if issubclass(known[0], Struct):
        return types(known[0])
    return _SCALARS[known[0].__name__]


TYPES: Final = types(Row)
METADATA: Final = types(Metadata)


def arrow_schema() -> Any:  # noqa: ANN401  (pyarrow has no types)
    """The fields as a ``pyarrow.Schema``.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    arrow = optional.load("pyarrow", extra="crawl")
    return arrow.schema([(name, _arrow_type(arrow, kind)) for name, kind in TYPES.items()])


def _arrow_type(arrow: Any, kind: Type) -> Any:  # noqa: ANN401
    if isinstance(kind, str):
        return arrow.type_for_alias(kind)
    if isinstance(kind, list):
        return arrow.list_(_arrow_type(arrow, kind[0]))
    return arrow.struct([(name, _arrow_type(arrow, inner)) for name, inner in kind.items()])


def card_features(types: Mapping[str, Type] = TYPES) -> list[dict[str, Any]]:
    """The fields as a dataset card of ``datasets`` declares them."""
    return [{"name": name, **_card_type(kind)} for name, kind in types.items()]


def _card_type(kind: Type) -> dict[str, Any]:
    if isinstance(kind, str):
        return {"dtype": kind}
    if isinstance(kind, list):
        [inner] = _card_type(kind[0]).values()
        return {"list": inner}
    return {"struct": card_features(kind)}


_MISFIT: Final = object()
"""Result of a reader: the value does not fit its field."""
_Read: TypeAlias = Callable[[Any], Any]
_ALIASES: Final = {"authors": "author", "site": "site_name"}
"""Fields to other names for the same, which a record may have."""


def structured(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is known of a page as the fields of `METADATA` without ``more``, and all else.

    Unknown values are None, unknown lists are empty. A value that does not fit its field stays
    with all else.

    Args:
        metadata: plain data (`victor.page.plain_data.plain`).
    """
    rest = dict(metadata)
    fields = {name: _taken(rest, name, read) for name, read in _READERS.items()}
    return fields, rest


def _taken(rest: dict[str, Any], name: str, read: _Read) -> object:
    """The value of a field; it is taken out of `rest` if it fits."""
    key = name if name in rest else _ALIASES.get(name, name)
    value = read(rest.get(key))
    if value is _MISFIT:
        return read(None)
    rest.pop(key, None)
    return value


def _string(value: object) -> object:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else _MISFIT


def _strings(value: object) -> object:
    if not isinstance(value, list):
        one = _string(value)
        return one if one is _MISFIT else [] if one is None else [one]
    texts = [_string(each) for each in value]
    return _MISFIT if _MISFIT in texts else [each for each in texts if each is not None]


def _pairs(names: Sequence[str]) -> _Read:
    """Reads a mapping, or a list of mappings that have these two keys."""
    first, second = names

    def read(value: object) -> object:
        if isinstance(value, Mapping):
            value = [{first: key, second: inner} for key, inner in value.items()]
        pairs = [] if value is None else value
        return pairs if isinstance(pairs, list) and all(map(fits, pairs)) else _MISFIT

    def fits(pair: object) -> bool:
        return (
            isinstance(pair, Mapping)
            and pair.keys() == {first, second}
            and all(isinstance(each, str) for each in pair.values())
        )

    return read


def _reader(name: str) -> _Read:
    kind = METADATA[name]
    if not isinstance(kind, list):
        return _string
    return _pairs([*kind[0]]) if isinstance(kind[0], Mapping) else _strings


_READERS: Final[Mapping[str, _Read]] = {name: _reader(name) for name in METADATA if name != "more"}


def paragraph_columns(document: Document) -> dict[str, list[Any] | None]:
    """The paragraphs of the text as columns of equal length.

    ``start`` is the first character of each in the text, None where the text has it in another
    form; ``p_other``, ``heading`` and ``language`` are those of `Paragraph`. A column that holds
    nothing but None is None itself.
    """
    paragraphs = document.paragraphs
    return {
        "start": _known(_straight_starts(document) or [*_evened_starts(document)]),
        "p_other": _known([paragraph.p_other for paragraph in paragraphs]),
        "heading": [paragraph.heading for paragraph in paragraphs],
        "language": _known([paragraph.language for paragraph in paragraphs]),
    }


def dropped_columns(dropped: Sequence[Dropped] | None) -> dict[str, list[Any]] | None:
    """The other paragraphs likewise, with the number of the paragraph before which each stood."""
    if dropped is None:
        return None
    return {
        "before": [entry.before for entry in dropped],
        "text": [valid(entry.paragraph.text) for entry in dropped],
        "p_other": [entry.paragraph.p_other for entry in dropped],
        "heading": [entry.paragraph.heading for entry in dropped],
    }


def _known(values: list[Any]) -> list[Any] | None:
    return None if all(value is None for value in values) and values else values


def text_at(row: Mapping[str, Any], threshold: float) -> str:
    """The text of a row of a crawl as another threshold makes it.

    Paragraphs stay, or come back, whose p(other) is below the threshold; those without p(other)
    stay as they are, because the scope decided, as it does on the headline. Paragraphs that were
    dropped come back only where `victor crawl --keep-all` wrote them. What separates paragraphs is
    as it was: a list or table that loses a paragraph in its middle may have a blank line more than
    `victor clean -t` writes.

    Args:
        row: of JSON lines or Parquet.
        threshold: 0 to 1.

    Raises:
        ConfigError: the row does not say where its paragraphs are.
    """
    kept = row.get("paragraphs") or {}
    starts = kept.get("start") or []
    if None in starts or (row["text"] and not starts):
        raise ConfigError(
            "paragraphs cannot be found in this text: threshold rows whose text is plain text "
            "(the form text) of this version of Victor"
        )
    chosen = [*_chosen(row, kept, starts, threshold)]
    if row.get("model") not in LABELERS and [heading for _, heading in chosen[-2:]] == [0, 1]:
        chosen.pop()  # what a model keeps does not end with a heading of nothing
    text = "".join(text for text, _ in chosen).rstrip()
    return f"{text}\n" if text else ""


def _chosen(
    row: Mapping[str, Any], kept: Mapping[str, Any], starts: Sequence[int], threshold: float
) -> Iterator[tuple[str, bool]]:
    """Text of each paragraph below the threshold, with what separates it; is it a heading."""
    dropped = row.get("dropped_paragraphs") or {}
    columns = [dropped.get(name) or [] for name in ("before", "p_other", "text", "heading")]
    back = deque(zip(*columns, strict=True))
    scores = kept.get("p_other") or [None] * len(starts)
    ends = (*starts, None)[1:]
    rows = zip(starts, ends, scores, kept.get("heading") or (), strict=True)
    for number, (start, end, score, heading) in enumerate(rows):
        while back and back[0][0] <= number:
            yield from _below(threshold, *back.popleft())
        if score is None or score < threshold:
            yield row["text"][start:end], heading
    for entry in back:
        yield from _below(threshold, *entry)


def _below(
    threshold: float, _before: int, score: float | None, text: str, heading: bool
) -> Iterator[tuple[str, bool]]:
    """A dropped paragraph, if the threshold brings it back."""
    if score is not None and score < threshold:
        yield f"{text}\n\n", heading


def _straight_starts(document: Document) -> list[int]:
    """Starts of the paragraphs if the text has each as it is, else none."""
    text, end, straight = document.text, 0, list[int]()
    for paragraph, *_ in document.paragraphs:
        start = end
        while text[start : start + 1].isspace():
            start += 1
        end = start + len(paragraph)
        if not paragraph or paragraph[-1].isspace() or not text.startswith(paragraph, start):
            return []
        straight.append(start)
    return straight


def _evened_starts(document: Document) -> Iterator[int | None]:
    """Starts found in the text with one space wherever it has white space.

    It may differ: the text has the lines of a cell in one.
    """
    words = [match.start() for match in re.finditer(r"\S+", document.text)]
    lengths = map(len, document.text.split())
    places = [0, *accumulate(length + 1 for length in lengths)]
    spaced = " ".join(document.text.split())
    end = 0
    for paragraph in document.paragraphs:
        evenly = " ".join(paragraph.text.split())
        start = spaced.find(evenly, end)
        if start < 0 or not evenly:
            yield None
        else:
            end = start + len(evenly)
            word = bisect_right(places, start) - 1
            yield words[word] + start - places[word]


def row(document: Document) -> dict[str, Any]:
    """A document as a row with the fields of `TYPES`; None for what is unknown."""
    top, known, more = parts(document)
    listed = json.dumps(more, ensure_ascii=False, separators=(",", ":")) if more else None
    values = {**top, "metadata": {**known, "more": listed}}
    return {name: values[name] for name in TYPES}


def parts(document: Document) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A row without its metadata; its metadata without ``more``; and what ``more`` holds."""
    known, more = structured(plain(document.metadata))
    top = {
        "text": valid(document.text),
        "id": valid(document.id),
        "dump": _text_or_none(more.pop("dump", None)),
        "url": _valid_or_none(document.url),
        "date": _valid_or_none(document.date),
        "file_path": _text_or_none(more.pop("file_path", None)),
        "language": document.language,
        "language_score": document.language_score,
        "title": _valid_or_none(document.title),
        "words": document.words,
        "kept_share": document.kept_share,
        "confidence": document.confidence,
        "model": document.model,
        "hash": text_hash(valid(document.text)),
        "markdown": _valid_or_none(document.markdown),
        "paragraphs": paragraph_columns(document),
        "dropped_paragraphs": dropped_columns(document.dropped),
        "page_type": document.page_type,
        "p_no_content": document.p_no_content,
        "domain": domain(document.url),
    }
    return top, known, more


def domain(url: str | None) -> str | None:
    """The host of an address in lower case, without ``www.``; None if there is none."""
    try:
        host = urlsplit(url or "").hostname
    except ValueError:
        return None
    return valid(host).removeprefix("www.") if host else None


def text_hash(text: str) -> str:
    """64 bits of a text, the same for texts that differ in case, white space or composition only.

    It is BLAKE2b of eight bytes, over the text in NFC and lower case with a space for every run of
    white space. Sixteen hexadecimal digits, for JSON readers have doubles, which hold 53 bits, and
    some engines have no unsigned numbers.
    """
    folded = " ".join(unicodedata.normalize("NFC", text).lower().split())
    return blake2b(folded.encode(), digest_size=8).hexdigest()


def one_line(text: str) -> str:
    """A text on one line: a space in place of white space and control characters."""
    visible = "".join(" " if is_control(c) else c for c in valid(text))
    return " ".join(visible.split())


def is_control(character: str) -> bool:
    """Is a character a control of C0 or C1, or DEL."""
    return character < " " or "\x7f" <= character < "\xa0"


def _valid_or_none(text: str | None) -> str | None:
    return None if text is None else valid(text)


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) or value is None else str(value)
