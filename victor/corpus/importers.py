"""Readers of gold standards in their published layouts.

Every reader returns a `GoldCorpus`; its pages are read during iteration, so a corpus may be larger
than memory.
"""

from __future__ import annotations

import gzip
import html as entities
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.splits import site as site_of

Segments = tuple[tuple[str, str], ...]
Parts = tuple[tuple[int, str], ...]

BLOCK_LABELS: Final[Mapping[str, int]] = {
    "header": Label.HEADER,
    "text": Label.TEXT,
    "other": Label.OTHER,
    "ambiguous": UNLABELLED,
    "comment": UNLABELLED,
}
"""Labels of annotated block files. Readers' comments are don't-care like ambiguous blocks: the
annotators left them out, but whether they are content is a matter of policy."""

_VICTOR_LABELS: Final[Mapping[str, int]] = {
    "header": Label.HEADER,
    "paragraph": Label.TEXT,
    "list": Label.TEXT,
    "text": Label.TEXT,
    "other": Label.OTHER,
}
_CONTINUATION: Final = "continuation"
_MARKERS: Final[Mapping[str, str]] = {"header": "h", "list": "l"}
_ROW_KEYS: Final = frozenset("id url lang type kind text site licence blocks undecided".split())

_MARKER = re.compile(r"<([hpl])>", re.IGNORECASE)
_END_MARKER = re.compile(r"</[hpl]>", re.IGNORECASE)
_BARE_SIGN = re.compile(r"[<>]|&(?!(?:amp|lt|gt);)")
_URL_LINE = re.compile(r"\s*URL(?:[ \t]*:|(?=[ \t]+(?:http|www)))[ \t]*(\S*)[^\n]*", re.IGNORECASE)
_TEXT_ID = re.compile(rb"""\s*<text\s[^>]*?\bid\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)
_SPAN = re.compile(rb"""<(/?)span\b((?:[^>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
_VICTOR_ID = re.compile(rb"""\bid\s*=\s*["']?victor_an""")
_VICTOR_CLASS = re.compile(rb"""\bclass\s*=\s*["']?[^"'>]*?\bvictor_([a-z]+)""")
_TAG = re.compile(rb"<[^>]*>")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold standard, as its corpus gives it.

    Attributes:
        id: unique in its corpus; a valid file name.
        html: the bytes of the page.
        url: address, if known.
        site: registrable domain, or the source's name for the site; "" if unknown.
        gold: main content as plain text; "" means no content, None no annotation.
        segments: (marker, text) with marker ``h``, ``p`` or ``l``, where the source distinguishes
            headlines from text.
        undecided: text that may be main content or not according to the source; text of the page
            that is neither in it nor in `gold` is not content.
        labelled: (label, text) of every text block in page order, where the source labels
            blocks; `UNLABELLED` is don't-care.
        kinds: what each of these blocks is, e.g. ``headline`` or ``comment``, where the source
            says so, else "".
        language: code as the source gives it.
        kind: page type in the words of the source.
        licence: of the page and its annotation.
        metadata: all other facts from the source, e.g. ``with`` and ``without`` snippets.
    """

    id: str
    html: bytes
    url: str | None = None
    site: str = ""
    gold: str | None = None
    segments: Segments | None = None
    undecided: str = ""
    labelled: Parts | None = None
    kinds: tuple[str, ...] = ()
    language: str | None = None
    kind: str | None = None
    licence: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """Gold pages that are read one by one.

    Attributes:
        loaders: return the pages, in order; each may raise `CorpusError`.
        missing: ids with a gold standard but without a page; they are not among the pages.
    """

    loaders: tuple[Callable[[], GoldPage], ...]
    missing: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.loaders)

    def __iter__(self) -> Iterator[GoldPage]:
        return (load() for load in self.loaders)


def read_jsonl(folder: Path, *, licence: str | None = None) -> GoldCorpus:
    """Rows of ``gold.jsonl`` beside ``html/<id>.html``.

    A row has ``id`` and ``text``, and optionally ``url``, ``lang``, ``type``, ``site``,
    ``licence``, ``undecided`` (don't-care text) and ``blocks``, a list of {label, text} segments of
    the main content. A folder ``blocks``, if there is one, holds ``<id>.blocks.jsonl`` for every
    page: all its text blocks as {label, text}, with the names of `BLOCK_LABELS`, and optionally
    the ``kind`` of each.

    Args:
        folder: of the corpus.
        licence: for rows without one.

    Raises:
        CorpusError: a file is missing or damaged, pages excepted (see `GoldCorpus.missing`).
    """
    path = folder / "gold.jsonl"
    entries = {}
    for row in _json_rows(path):
        key = _page_id(row.get("id"), path)
        _check(key not in entries, path, f"id {key!r} occurs twice; give every page its own")
        page = folder / "html" / f"{key}.html"
        entries[key] = (page, partial(_load_row, folder, row, licence))
    return _corpus(entries)


def read_wcxb(folder: Path) -> GoldCorpus:
    """One split of WCXB as published: ``ground-truth/<id>.json``, ``html/<id>.html.gz``.

    Unpacked pages (``html/<id>.html``) are read as well.

    Raises:
        CorpusError: there is no ground truth, or a file is damaged.

    Source: Foley (2026), WCXB, CC-BY-4.0.
    """
    entries = {}
    for path in _files(folder / "ground-truth", ".json"):
        plain = folder / "html" / f"{path.stem}.html"
        page = plain if plain.is_file() else plain.with_suffix(".html.gz")
        entries[path.stem] = (page, partial(_load_wcxb, path, page))
    return _corpus(entries)


def read_cleaneval(
    folder: Path, gold_folder: Path | None = None, *, licence: str | None = None
) -> GoldCorpus:
    """CleanEval: ``<name>.html`` with ``<name>-cleaned.txt`` or ``<name>.txt``.

    Args:
        folder: of the pages.
        gold_folder: of the cleaned texts, the same as `folder` if None.
        licence: CleanEval states none.

    Raises:
        CorpusError: there are no cleaned texts.

    Source: Baroni et al. (2008), CleanEval.
    """
    entries: dict[str, tuple[Path, Callable[[], GoldPage]]] = {}
    for path in _files(gold_folder or folder, ".txt"):
        key = path.stem.removesuffix("-cleaned")
        page = folder / f"{key}.html"
        entries.setdefault(key, (page, partial(_load_cleaneval, key, path, page, licence)))
    return _corpus(entries)


def read_victor(folder: Path, *, licence: str | None = None) -> GoldCorpus:
    """Pages marked by the original Victor (2008): files ``*.anno`` or ``*.html``.

    The labels are the classes of ``<span id="victor_an…" class="victor_…">``; these elements are
    taken out of the page. A continuation has the label of the kept block that it continues.

    Raises:
        CorpusError: there are no such files, or one is damaged.
    """
    paths = _files(folder, ".anno", ".html")
    return GoldCorpus(tuple(partial(_load_victor, path, licence) for path in paths))


def parse_cleaneval(text: str) -> tuple[str | None, Segments]:
    """Address and segments of a CleanEval gold file.

    An optional first line ``URL: …`` holds the address. Text before the first ``<h>``, ``<p>`` or
    ``<l>`` counts as a paragraph; closing markers are ignored. The entities that Victor writes for
    ``&``, ``<`` and ``>`` are read in a file that has these signs nowhere else, as Victor writes
    it; in any other file, and so in all published ones that we know, text is as it stands.
    """
    url_line = _URL_LINE.match(text)
    body = _END_MARKER.sub(" ", text[url_line.end() :] if url_line else text)
    pieces = _MARKER.split(body)
    if not any(map(_BARE_SIGN.search, pieces[::2])):
        pieces[::2] = [entities.unescape(piece) for piece in pieces[::2]]
    markers = ["p", *(marker.lower() for marker in pieces[1::2])]
    texts = [" ".join(piece.split()) for piece in pieces[::2]]
    segments = tuple((m, text) for m, text in zip(markers, texts, strict=True) if text)
    return (url_line.group(1) or None if url_line else None), segments


def unmark(markup: bytes) -> tuple[bytes, tuple[tuple[str, str], ...]]:
    """Take the marks of the original Victor out of a page.

    Args:
        markup: a page with ``<span id="victor_an…" class="victor_…">`` around its text blocks,
            in UTF-8 as its tidy step wrote it.

    Returns:
        The page without these spans, byte for byte, and (class, text) of each in order, the
        class without ``victor_``.

    Raises:
        CorpusError: a marked span has no class or is never closed.
    """
    marked: list[tuple[re.Match[bytes], re.Match[bytes]]] = []
    unclosed: list[re.Match[bytes]] = []
    for tag in _SPAN.finditer(markup):
        if not tag.group(1):
            unclosed.append(tag)
        elif unclosed:
            start = unclosed.pop()
            if _VICTOR_ID.search(start.group(2)):
                marked.append((start, tag))
    if any(_VICTOR_ID.search(tag.group(2)) for tag in unclosed):
        raise CorpusError("a marked span is never closed; restore the page")
    marked.sort(key=lambda pair: pair[0].start())
    marks = tuple(
        (_victor_class(start), _text_of(markup[start.end() : end.start()])) for start, end in marked
    )
    return _without(markup, (tag.span() for pair in marked for tag in pair)), marks


def _without(markup: bytes, spans: Iterable[tuple[int, int]]) -> bytes:
    """The bytes outside some spans."""
    bounds = [0, *chain.from_iterable(sorted(spans)), len(markup)]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return b"".join(markup[start:end] for start, end in pairs)


def _victor_class(tag: re.Match[bytes]) -> str:
    """Name of the label in a marked span."""
    match = _VICTOR_CLASS.search(tag.group(2))
    if match is None:
        raise CorpusError(f"a marked span has no class: {tag.group()[:80]!r}; restore the page")
    return match.group(1).decode()


def _text_of(markup: bytes) -> str:
    """Text of a piece of markup."""
    tags_end = markup.rfind(b">") + 1  # behind it nothing is a tag, and need not be looked through
    text = _TAG.sub(b"", markup[:tags_end]) + markup[tags_end:]
    return entities.unescape(text.decode("utf-8", "replace"))


def _load_row(folder: Path, row: Mapping[str, Any], licence: str | None) -> GoldPage:
    """Page of one row of ``gold.jsonl``."""
    path, key = folder / "gold.jsonl", str(row["id"])
    gold = row.get("text")
    _check(gold is None or isinstance(gold, str), path, f"id {key}: text must be a string")
    undecided = row.get("undecided") or ""
    _check(isinstance(undecided, str), path, f"id {key}: undecided must be a string")
    url = row.get("url")
    blocks = _blocks(row.get("blocks") or [], path, f"id {key}: blocks")
    labelled, kinds = _labelled(folder, key)
    return GoldPage(
        id=key,
        html=_read(folder / "html" / f"{key}.html"),
        url=url,
        site=site_of(row.get("site") or url or ""),
        gold=gold,
        segments=tuple((_MARKERS.get(label, "p"), text) for label, text in blocks) or None,
        undecided=undecided,
        labelled=labelled,
        kinds=kinds,
        language=row.get("lang"),
        kind=row.get("type") or row.get("kind"),
        licence=row.get("licence") or licence,
        metadata={name: value for name, value in row.items() if name not in _ROW_KEYS},
    )


def _labelled(folder: Path, key: str) -> tuple[Parts | None, tuple[str, ...]]:
    """Labels of all blocks of a page, if the corpus has them, and their kinds, if it says them."""
    if not (folder / "blocks").is_dir():
        return None, ()
    path = folder / "blocks" / f"{key}.blocks.jsonl"
    rows = list(_json_rows(path))
    blocks = _blocks(rows, path, "the rows")
    unknown = {label for label, _ in blocks} - BLOCK_LABELS.keys()
    names = ", ".join(BLOCK_LABELS)
    _check(not unknown, path, f"unknown label {min(unknown, default='')!r}; known are {names}")
    kinds = tuple(str(row.get("kind") or "") for row in rows)
    return tuple((BLOCK_LABELS[label], text) for label, text in blocks), kinds if any(kinds) else ()


def _blocks(rows: object, path: Path, what: str) -> list[tuple[str, str]]:
    """(label, text) of rows {label, text}."""
    try:
        return [(str(row["label"]), str(row["text"])) for row in rows]  # type: ignore[attr-defined]
    except (KeyError, TypeError):
        raise CorpusError(f"{path}: {what} must be objects with label and text") from None


def _load_wcxb(path: Path, page: Path) -> GoldPage:
    """Page of one ground-truth file."""
    data = _json(_utf8(path), path)
    truth = data.get("ground_truth")
    if not isinstance(truth, dict):
        raise CorpusError(f"{path}: ground_truth is missing; fetch the file again")
    url = data.get("url")
    return GoldPage(
        id=path.stem,
        html=_read(page),
        url=url,
        site=site_of(url or ""),
        gold=truth.get("main_content") or "",
        kind=_wcxb_kind(data),
        licence="CC-BY-4.0",
        metadata={name: value for name, value in truth.items() if name != "main_content"},
    )


def _wcxb_kind(data: Mapping[str, Any]) -> str | None:
    """Page type, read as in WCXB's ``evaluate.py``: older files have other shapes and names."""
    kind = (data.get("_internal") or {}).get("page_type")
    kind = kind.get("primary") if isinstance(kind, dict) else kind
    return "collection" if kind == "category" else kind


def _load_cleaneval(key: str, path: Path, page: Path, licence: str | None) -> GoldPage:
    """Page of one cleaned text."""
    url, segments = parse_cleaneval(_old_text(path))
    markup = _read(page)
    url = url or _text_id(markup)
    return GoldPage(
        id=key,
        html=markup,
        url=url,
        site=site_of(url or ""),
        gold="\n".join(text for _, text in segments),
        segments=segments,
        licence=licence,
    )


def _load_victor(path: Path, licence: str | None) -> GoldPage:
    """Page of one marked file."""
    try:
        markup, marks = unmark(_read(path))
        labelled = _victor_labels(marks)
    except CorpusError as error:
        raise CorpusError(f"{path}: {error}") from None
    url = _text_id(markup)
    return GoldPage(
        id=path.stem,
        html=markup,
        url=url,
        site=site_of(url or ""),
        labelled=labelled,
        licence=licence,
    )


def _victor_labels(marks: tuple[tuple[str, str], ...]) -> Parts:
    """Labels of the original classes."""
    parts: list[tuple[int, str]] = []
    kept: int = Label.TEXT
    for name, text in marks:
        label = kept if name == _CONTINUATION else _VICTOR_LABELS.get(name)
        if label is None:
            classes = ", ".join([*_VICTOR_LABELS, _CONTINUATION])
            raise CorpusError(f"unknown class victor_{name}; known are {classes}")
        if label != Label.OTHER:
            kept = label
        parts.append((label, text))
    return tuple(parts)


def _corpus(entries: Mapping[str, tuple[Path, Callable[[], GoldPage]]]) -> GoldCorpus:
    """Corpus of the entries whose page exists."""
    loaders = {key: load for key, (page, load) in entries.items() if page.is_file()}
    missing = tuple(key for key in entries if key not in loaders)
    return GoldCorpus(tuple(loaders.values()), missing)


def _files(folder: Path, *suffixes: str) -> list[Path]:
    """Files of a folder with one of the suffixes, by name."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    matching = [path for path in paths if path.suffix.lower() in suffixes]
    _check(bool(matching), folder, f"no {' or '.join(suffixes)} files here; check the path")
    return matching


def _json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON lines file."""
    for line_number, line in enumerate(_utf8(path).split("\n"), 1):
        if line.strip():
            yield _json(line, path, f", line {line_number}")


def _json(text: str, path: Path, line: str = "") -> dict[str, Any]:
    """One JSON object."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", error)
        raise CorpusError(f"{path}{line}: not JSON ({reason}); unpack it again") from None
    if not isinstance(data, dict):
        raise CorpusError(f"{path}{line}: not a JSON object; is this the right file?")
    return data


def _utf8(path: Path) -> str:
    """Text of a file in UTF-8."""
    try:
        return _read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not UTF-8 ({error.reason}); unpack it again") from None


def _old_text(path: Path) -> str:
    """Text of an old annotation, in UTF-8 or windows-1252."""
    content = _read(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _read(path: Path) -> bytes:
    """Bytes of a file, decompressed if its name ends in ``.gz``."""
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if path.suffix == ".gz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(
            f"{path}: cannot be read ({error}); unpack the corpus again, or name its layout with "
            "--format"
        ) from None


def _page_id(value: object, path: Path) -> str:
    """An id that can name a file."""
    key = str(value) if isinstance(value, str | int) else ""
    _check(
        bool(key) and not re.search(r"[/\\\0]", key),
        path,
        f"bad id {value!r}; every row needs an id that can name a file",
    )
    return key


def _text_id(markup: bytes) -> str | None:
    """Address in the ``<text id="…">`` line that CleanEval puts before a page."""
    match = _TEXT_ID.match(markup)
    return entities.unescape(match.group(1).decode("utf-8", "replace")) if match else None


def _check(condition: bool, path: Path, message: str) -> None:
    """Raise a `CorpusError` with the path of a file unless the condition holds."""
    if not condition:
        raise CorpusError(f"{path}: {message}")
