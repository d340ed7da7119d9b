"""The row of a page that is written: its fields, where they come from, and how they are stored.

`Row` says each field once, with its type, what it is read from and, where it is one, the attribute
of a vertical. Arrow, JSON, dataset cards, verticals and `victor.arrow` are made from that.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from types import NoneType
from typing import (
    Annotated,
    Any,
    Final,
    NamedTuple,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.labelers.labeler import LABELERS
from victor.page.plain_data import valid

_DIGITS: Final = 4


class Pair(Struct, forbid_unknown_fields=True):
    """A language and the address of the page in it."""

    language: str
    address: str


class Origin(Struct, forbid_unknown_fields=True):
    """A field, and what of the page said it."""

    field: str
    source: str


class Metadata(Struct):
    """What is known of a page beside its row; ``more`` is a JSON object of everything else."""

    authors: Annotated[list[str], "author"] = []
    window_title: str | None = None
    published: Annotated[str | None, "published"] = None
    modified: str | None = None
    site: Annotated[str | None, "site"] = None
    publisher: str | None = None
    declared_language: str | None = None
    description: str | None = None
    canonical: str | None = None
    image: str | None = None
    next_page: str | None = None
    previous_page: str | None = None
    section: str | None = None
    tags: list[str] = []
    type: str | None = None
    licence: str | None = None
    feeds: list[str] = []
    translations: list[Pair] = []
    sources: list[Origin] = []
    encoding: str | None = None
    encoding_reason: str | None = None
    recovered: str | None = None
    more: str | None = None


class Paragraph(NamedTuple):
    """One paragraph of a page.

    Attributes:
        text: of the paragraph.
        heading: does Markdown show it as a heading.
        p_other: p(other) as a threshold sees it, rounded down to 4 digits: cleaning with a
            threshold keeps the paragraph if this is below it. None where the scope decides.
        language: ISO 639 code; None if nobody asked for it.
        kind: ``heading``, ``code``, ``cell``, ``quote`` or ``item``; empty for all else.
        start: its first character in the text of the page.
    """

    text: str
    heading: bool
    p_other: float | None = None
    language: str | None = None
    kind: str = ""
    start: int = 0


class Kept(Struct):
    """Columns of the paragraphs of the text; one that holds nothing but None is None itself."""

    start: list[int]
    p_other: list[float | None] | None
    heading: list[bool]
    language: list[str | None] | None


class Row(Struct):
    """A row in the order of its fields, of which the first eight are those of FineWeb.

    Behind the type of a field stand what it is read from, a `victor.documents.process.Cleaned`, and
    the attribute of ``<doc>`` in verticals, if it is one.
    """

    text: Annotated[str, lambda page: page.text] = ""
    id: Annotated[str, lambda page: page.record.id or page.record.address, "id"] = ""
    dump: Annotated[str | None, lambda page: _as_text(page.known.get("dump"))] = None
    url: Annotated[str | None, lambda page: page.record.url, "url"] = None
    date: Annotated[
        str | None, lambda page: page.record.date or page.declared.get("published"), "date"
    ] = None
    file_path: Annotated[str | None, lambda page: page.record.source] = None
    language: Annotated[str | None, lambda page: page.guess.language, "lang"] = None
    language_score: Annotated[float | None, lambda page: page.guess.score, "lang_score"] = None
    title: Annotated[str | None, lambda page: page.declared.get("title"), "title"] = None
    words: Annotated[int, lambda page: page.shares.kept_words, "words"] = 0
    kept_share: Annotated[float, lambda page: page.shares.kept_share, "kept_share"] = 0.0
    confidence: Annotated[float, lambda page: page.shares.confidence, "confidence"] = 0.0
    model: Annotated[str, lambda page: page.model, "model"] = ""
    hash: Annotated[str, lambda page: text_hash(valid(page.text)), "hash"] = ""
    markdown: Annotated[str | None, lambda page: page.markdown] = None
    metadata: Annotated[Metadata, lambda page: metadata(page.known)] = msgspec.field(
        default_factory=Metadata
    )
    paragraphs: Annotated[Kept | None, lambda page: kept(page.paragraphs)] = None
    page_type: Annotated[str | None, lambda page: page.page_type, "type"] = None
    p_no_content: Annotated[float | None, lambda page: page.p_no_content] = None
    domain: Annotated[str | None, lambda page: domain(page.record.url), "domain"] = None


class Outcome(NamedTuple):
    """The result of one record: a row to write with its paragraphs, or why there is none.

    Attributes:
        source, number, url: of the record.
        status: ``written``, ``dropped`` or ``failed``.
        reason: ``ok``, or why it was dropped or failed, as a short machine-readable name.
        message: more about a failure.
        row: of a record that is written, and of a dropped one if these are to be kept.
        paragraphs: of its text.
        foreign_paragraphs: how many were dropped of a page that is written, for their language.
    """

    source: str
    number: int
    status: str
    reason: str
    message: str = ""
    url: str | None = None
    row: Row | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    foreign_paragraphs: int = 0


# Functions among hints have the names of this module only if these are given.
_SOURCES: Final = {
    name: get_args(hint)[1]
    for name, hint in get_type_hints(Row, globals(), include_extras=True).items()
}


def row(page: Any) -> Row:  # noqa: ANN401  (a `Cleaned`, which knows of rows)
    """The row of a page: text without surrogates, numbers of 4 digits."""
    values: dict[str, Any] = {name: _stored(read(page)) for name, read in _SOURCES.items()}
    return Row(**values)


def _stored(value: object) -> object:
    if isinstance(value, float):
        return round(value, _DIGITS)
    return valid(value) if isinstance(value, str) else value


def _as_text(value: object) -> str | None:
    return None if value is None else str(value)


def attributes(struct: type[Struct]) -> dict[str, str]:
    """Fields to the attributes of ``<doc>`` in verticals that they are."""
    hints = get_type_hints(struct, include_extras=True).items()
    extras = {name: get_args(hint)[1:] for name, hint in hints if get_origin(hint) is Annotated}
    return {name: extra[-1] for name, extra in extras.items() if isinstance(extra[-1], str)}


Type: TypeAlias = "str | list[Type] | Mapping[str, Type]"
_SCALARS: Final = {"str": "string", "int": "int64", "float": "float64", "bool": "bool"}


def types(struct: type[Struct]) -> dict[str, Type]:
    """The fields of a struct as names of scalars, lists of one type, and mappings."""
    return {name: _type(kind) for name, kind in get_type_hints(struct).items()}


def _type(kind: Any) -> Type:  # noqa: ANN401  (what a hint may be)
    if get_origin(kind) is list:
        return [_type(get_args(kind)[0])]
    if known := [each for each in get_args(kind) if each is not NoneType]:
        return _type(known[0])
    return types(kind) if issubclass(kind, Struct) else _SCALARS[kind.__name__]


TYPES: Final = types(Row)


def arrow_schema() -> Any:  # noqa: ANN401  (pyarrow has no types)
    """The fields as a ``pyarrow.Schema``.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    arrow = lazy.load("pyarrow", extra="crawl")
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


_ALIASES: Final = {"authors": "author", "site": "site_name"}
"""Fields to other names for the same, which a record may have."""
_HINTS: Final = {name: kind for name, kind in get_type_hints(Metadata).items() if name != "more"}


def metadata(known: Mapping[str, Any]) -> Metadata:
    """The fields of what is known of a page, as plain data; what fits none of them is ``more``."""
    rest, fields = {**known}, dict[str, Any]()
    for name, kind in _HINTS.items():
        key = name if name in rest else _ALIASES.get(name, name)
        value = _shaped(rest.get(key), kind)
        with suppress(msgspec.ValidationError):
            if value is not None:
                fields[name] = msgspec.convert(value, kind)
            rest.pop(key, None)
    rest = {name: value for name, value in rest.items() if name not in ("dump", "file_path")}
    listed = json.dumps(rest, ensure_ascii=False, separators=(",", ":")) if rest else None
    return Metadata(**fields, more=listed)


def _shaped(value: Any, kind: Any) -> Any:  # noqa: ANN401
    """A value in the form of a field: a number as text, one text as a list, a mapping as pairs."""
    if get_origin(kind) is not list:
        return json.dumps(value) if isinstance(value, bool | int | float) else value
    (inner,) = get_args(kind)
    if isinstance(value, Mapping) and issubclass(inner, Struct):
        return [dict(zip(inner.__struct_fields__, pair, strict=True)) for pair in value.items()]
    if inner is not str or value is None:
        return value
    values = value if isinstance(value, list) else [value]
    return [_shaped(each, inner) for each in values if each is not None]


def kept(paragraphs: Sequence[Paragraph]) -> Kept:
    """The columns of the paragraphs of a text."""
    return Kept(
        start=[paragraph.start for paragraph in paragraphs],
        p_other=_known([paragraph.p_other for paragraph in paragraphs]),
        heading=[paragraph.heading for paragraph in paragraphs],
        language=_known([paragraph.language for paragraph in paragraphs]),
    )


def _known(values: list[Any]) -> list[Any] | None:
    return None if all(value is None for value in values) and values else values


def text_at(row: Mapping[str, Any], threshold: float) -> str:
    """The text of a row as a stricter threshold than that of its crawl makes it.

    Paragraphs stay whose p(other) is below the threshold; those without p(other) stay, because the
    scope decided, as it does on the headline. What separates paragraphs is as it was: a list or
    table that loses a paragraph in its middle may have a blank line more than `victor clean -t`
    writes.

    Args:
        row: of JSON lines or Parquet.
        threshold: 0 to 1.

    Raises:
        ConfigError: the row does not say where its paragraphs are.
    """
    columns = row.get("paragraphs") or {}
    starts = columns.get("start") or []
    if row["text"] and not starts:
        raise ConfigError("no paragraphs are known of this text; threshold rows of this version")
    scores = columns.get("p_other") or [None] * len(starts)
    rows = zip(starts, (*starts, None)[1:], scores, columns.get("heading") or (), strict=True)
    chosen = [
        (row["text"][start:end], heading)
        for start, end, score, heading in rows
        if score is None or score < threshold
    ]
    if row.get("model") not in LABELERS and [heading for _, heading in chosen[-2:]] == [0, 1]:
        chosen.pop()  # what a model keeps does not end with a heading of nothing
    text = "".join(text for text, _ in chosen).rstrip()
    return f"{text}\n" if text else ""


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
