"""Write pages in the forms of a corpus, each into one file.

The same pages give the same bytes: nothing written depends on the time, machine or path.

The structures of vertical text are those that Sketch Engine documents as common: ``<doc>``, ``<p>``
(``kind`` says that it is a heading, an item, a cell, code or a quotation), ``<s>``, and ``<g/>``
where there is no space between two tokens. `registry` declares them to Manatee, the engine of
NoSketch Engine and Sketch Engine; names of its entries are those of the corpus configuration file
at sketchengine.eu.
"""

from __future__ import annotations

import gzip
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, cast

import msgspec

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.base.files import created
from victor.documents.row import (
    Metadata,
    Outcome,
    Paragraph,
    Row,
    arrow_schema,
    attributes,
)
from victor.language.sentences import Span, check_tokenizer, tokens
from victor.page.plain_data import valid

_GZIP_LEVEL: Final = 6
_ZSTD_LEVEL: Final = 3
_GROUP_ROWS: Final = 1000
_GROUP_CHARACTERS: Final = 32_000_000


class Writer(ExitStack, ABC):
    """Writes pages in the order in which they come; closing it finishes and closes all files.

    Without a page these are empty ones of their form.
    """

    @abstractmethod
    def write(self, page: Outcome) -> None:
        """Add a page that has a row."""


class JsonLinesWriter(Writer):
    """Writes an object a line, with all fields in each, plain or compressed (``gz``, ``zst``)."""

    def __init__(self, path: Path, compression: str = "") -> None:
        super().__init__()
        file = self.enter_context(created(path))
        pack = _PACKED.get(compression)
        self._stream = self.enter_context(pack(file)) if pack else file

    def write(self, page: Outcome) -> None:
        """Add a line."""
        self._stream.write(msgspec.json.encode(page.row) + b"\n")


def _gzip(file: IO[bytes]) -> IO[bytes]:
    """A gzip member without name and time."""
    stream = gzip.GzipFile("", "wb", compresslevel=_GZIP_LEVEL, fileobj=file, mtime=0)
    return cast(IO[bytes], stream)


def _zstd(file: IO[bytes]) -> Any:  # noqa: ANN401  (zstandard has no types)
    zstandard = lazy.load("zstandard", extra="crawl")
    compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
    return compressor.stream_writer(file, closefd=False)


_PACKED: Final[Mapping[str, Callable[[IO[bytes]], Any]]] = {"gz": _gzip, "zst": _zstd}


class ParquetWriter(Writer):
    """Writes rows in groups of at most 1,000, compressed by Zstandard."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._arrow = lazy.load("pyarrow", extra="crawl")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        self._schema = arrow_schema()
        packing = {"compression": "zstd", "compression_level": _ZSTD_LEVEL}
        parquet = lazy.load("pyarrow.parquet", extra="crawl")
        self._file = self.enter_context(parquet.ParquetWriter(path, self._schema, **packing))
        self.callback(self._flush)

    def write(self, page: Outcome) -> None:
        """Add a row."""
        fields = msgspec.to_builtins(page.row)
        self._rows.append(fields)
        self._characters += len(fields["text"]) + len(fields["markdown"] or "")
        if len(self._rows) == _GROUP_ROWS or self._characters > _GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows, self._characters = [], 0


class VerticalWriter(Writer):
    """Writes verticals, see `vertical_lines`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        check_tokenizer()
        self._file = self.enter_context(created(path))

    def write(self, page: Outcome) -> None:
        """Add a ``<doc>``."""
        self._file.write("\n".join((*vertical_lines(page), "")).encode())


_BUILD: Final[Mapping[str, tuple[str, Callable[[Path], Writer]]]] = {
    "jsonl": (".jsonl", JsonLinesWriter),
    "jsonl.gz": (".jsonl.gz", partial(JsonLinesWriter, compression="gz")),
    "jsonl.zst": (".jsonl.zst", partial(JsonLinesWriter, compression="zst")),
    "parquet": (".parquet", ParquetWriter),
    "vertical": (".vert", VerticalWriter),
}
WRITERS: Final = {form: extension for form, (extension, _) in _BUILD.items()}
"""Forms to the extensions of their files."""


def writer(form: str, path: Path) -> Writer:
    """Open a new file for pages.

    Raises:
        ConfigError: there is no such form, or a package that it needs is missing.
        OSError: the file cannot be written.
    """
    if form not in _BUILD:
        raise ConfigError(f"no form {form!r} of a corpus; choose one of {', '.join(WRITERS)}")
    return _BUILD[form][1](path)


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_VALUE_ESCAPES: Final = _ESCAPES | {ord('"'): "&quot;"}
_CONTROLS: Final = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
_INVISIBLE: Final = _CONTROLS | {0xAD: None, 0x2060: None, 0xFEFF: None, 0x200B: " "}
"""Control characters and the zero-width space separate tokens; soft hyphens and joiners vanish."""
_OF_ROWS: Final = attributes(Row)
_OF_METADATA: Final = attributes(Metadata)
DOC_ATTRIBUTES: Final = (*_OF_ROWS.values(), "tld", *_OF_METADATA.values())
"""Attributes of ``<doc>``; those that are unknown are left out."""
PARAGRAPH_ATTRIBUTES: Final = ("kind", "p_other", "lang")
AUTHOR_SEPARATOR: Final = "|"
_HEAD: Final = """\
# Corpus configuration of Manatee. PATH and VERTICAL are relative to this folder: compile here, or
# put full paths in their place.
NAME "Web corpus"
PATH "manatee"
VERTICAL "| cat data/part-*.vert"
ENCODING "UTF-8"
"""
_GLUE: Final = """\
STRUCTURE g {
  DISPLAYTAG 0
  DISPLAYBEGIN "_EMPTY_"
}
"""
_EMOJI: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|(?:[#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
    "(?:\ufe0f\u20e3?|[\U0001f3fb-\U0001f3ff])?(?:[\U000e0020-\U000e007f]+)?)"
    "(?:\u200d[\u203c-\u3299\U0001f000-\U0001faff](?:\ufe0f|[\U0001f3fb-\U0001f3ff])?)*"
)
_FACE: Final = "\U0001f642"
"""Stands for an emoji of several characters while tokens are looked for."""
_Token = tuple[str, bool]
"""A token, and whether it follows the previous one without a space."""


def vertical_lines(page: Outcome) -> Iterator[str]:
    """The lines of a ``<doc>``: tokens by the rules of MorphoDiTa for its language, and tags."""
    row = page.row
    assert row is not None, "it is written"
    yield tag("doc", _attributes(row))
    for paragraph in page.paragraphs:
        yield from _paragraph(paragraph, row.language)
    yield "</doc>"


def _paragraph(paragraph: Paragraph, language: str | None) -> Iterator[str]:
    kind = "heading" if paragraph.heading else paragraph.kind
    attributes = {"kind": kind} if kind else {}
    if paragraph.p_other is not None:
        attributes["p_other"] = f"{paragraph.p_other:g}"
    if paragraph.language is not None:
        attributes["lang"] = paragraph.language
    yield tag("p", attributes)
    for sentence in sentences(paragraph.text, paragraph.language or language):
        yield "<s>"
        for token, glued in sentence:
            if glued:
                yield "<g/>"
            yield token.translate(_ESCAPES)
        yield "</s>"
    yield "</p>"


def sentences(text: str, language: str | None = None) -> Iterator[list[_Token]]:
    """Tokens of every sentence; together they are the whole text without its white space.

    A line break ends a sentence.

    Args:
        text: one paragraph.
        language: its code, which selects the rules.
    """
    for line in valid(text).split("\n"):
        visible = line.translate(_INVISIBLE)
        whole = (each for each in _EMOJI.findall(visible) if len(each) > 1 or each == _FACE)
        flat = _EMOJI.sub(lambda found: _FACE if len(found[0]) > 1 else found[0], visible)
        end = 0
        for spans in tokens(flat, language):
            yield [*_covering(flat, spans, end, whole)]
            end = spans[-1][1] if spans else end
        if flat[end:].strip():
            yield [*_covering(flat, [(len(flat), len(flat))], end, whole)]


def _covering(text: str, spans: Sequence[Span], at: int, emoji: Iterator[str]) -> Iterator[_Token]:
    """Tokens of some spans, and the words between them that the tokenizer left out."""
    for first, last in spans:
        for piece in (text[at:first], text[first:last]):
            for index, word in enumerate(piece.split()):
                glued = (
                    index == 0 and at > 0 and not piece[0].isspace() and not text[at - 1].isspace()
                )
                yield re.sub(_FACE, lambda _: next(emoji), word), glued
            at += len(piece)


def tag(name: str, attributes: dict[str, str]) -> str:
    """A start tag on one line."""
    lines = {key: " ".join(valid(v).translate(_CONTROLS).split()) for key, v in attributes.items()}
    values = (f' {key}="{line.translate(_VALUE_ESCAPES)}"' for key, line in lines.items())
    return f"<{name}{''.join(values)}>"


def _attributes(row: Row) -> dict[str, str]:
    """Attributes of ``<doc>``."""
    known: dict[str, Any] = {name: getattr(row, field) for field, name in _OF_ROWS.items()}
    known["tld"] = row.domain and row.domain.rpartition(".")[2]
    known |= {name: getattr(row.metadata, field) for field, name in _OF_METADATA.items()}
    known["author"] = AUTHOR_SEPARATOR.join(known["author"]) or None
    return {name: str(value) for name, value in known.items() if value is not None}


def registry() -> str:
    """The configuration file of a corpus that lies in ``data/part-*.vert`` beside it."""
    lines = ["ATTRIBUTE word", *_structure("doc", DOC_ATTRIBUTES)]
    lines += [*_structure("p", PARAGRAPH_ATTRIBUTES), "STRUCTURE s"]
    return _HEAD + "".join(f"{line}\n" for line in lines) + _GLUE


def _structure(name: str, attributes: Sequence[str]) -> Iterator[str]:
    yield f"STRUCTURE {name} {{"
    for attribute in attributes:
        if attribute == "author":
            yield f"  ATTRIBUTE {attribute} {{"
            yield from ('    MULTIVALUE "1"', f'    MULTISEP "{AUTHOR_SEPARATOR}"', "  }")
        else:
            yield f"  ATTRIBUTE {attribute}"
    yield "}"
