"""The fields of a row and their types: one schema for every form that holds rows.

A type is the name of a scalar (``string``, ``int64``, ``float64``, ``bool``), a list of one type,
or a mapping of fields to types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from victor.base import optional

Type: TypeAlias = "str | list[Type] | Mapping[str, Type]"

METADATA: Final[Mapping[str, Type]] = {
    "authors": ["string"],
    "window_title": "string",
    **dict.fromkeys(("published", "modified", "site", "publisher", "declared_language"), "string"),
    **dict.fromkeys(("description", "canonical", "image"), "string"),
    **dict.fromkeys(("next_page", "previous_page", "section"), "string"),
    "tags": ["string"],
    "type": "string",
    "licence": "string",
    "feeds": ["string"],
    "translations": [{"language": "string", "address": "string"}],
    "sources": [{"field": "string", "source": "string"}],
    **dict.fromkeys(("encoding", "encoding_reason", "recovered"), "string"),
    "repaired": ["string"],
    "more": "string",
}
"""What is known of a page beside its row; ``more`` is a JSON object of everything else."""
PARAGRAPHS: Final[Mapping[str, Type]] = {
    "start": ["int64"],
    "p_other": ["float64"],
    "heading": ["bool"],
    "language": ["string"],
}
"""Columns of the paragraphs of the text; `start` counts characters of the text."""
DROPPED: Final[Mapping[str, Type]] = {
    "before": ["int64"],
    "text": ["string"],
    "p_other": ["float64"],
    "heading": ["bool"],
}
"""Columns of the paragraphs that are no part of the text."""
TYPES: Final[Mapping[str, Type]] = {
    **dict.fromkeys(("text", "id", "dump", "url", "date", "file_path", "language"), "string"),
    "language_score": "float64",
    "title": "string",
    "words": "int64",
    "kept_share": "float64",
    "confidence": "float64",
    "model": "string",
    "hash": "string",
    "markdown": "string",
    "metadata": METADATA,
    "paragraphs": PARAGRAPHS,
    "dropped_paragraphs": DROPPED,
    "page_type": "string",
    "p_no_content": "float64",
}
"""The fields of a row in order; the first eight have the names and types of FineWeb's."""


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
        inner = kind[0]
        return {"list": inner if isinstance(inner, str) else card_features(_fields(inner))}
    return {"struct": card_features(kind)}


def _fields(kind: Type) -> Mapping[str, Type]:
    assert isinstance(kind, Mapping), "lists hold scalars or fields"
    return kind
