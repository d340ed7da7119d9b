"""Stand-off labels: what every block of a page is, without a word of the page.

A file of labels has a line of JSON for each page: where the page comes from (``repository``,
``commit``, ``path``, ``sha256`` of its bytes), ``site``, ``type`` and, where known, ``url`` and
``lang``; ``kinds``, runs of letters of `KINDS` with their lengths, over the blocks of ``split:
block``; ``hashes``, four hexadecimal digits for each block (`victor.corpus.pages.segment_hash`);
and ``texts``, a check sum of all block texts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PureWindowsPath
from typing import Annotated, Any, Final
from urllib.parse import quote

from msgspec import Meta, Struct

from victor.base.errors import CorpusError, PageError
from victor.base.files import new_folder
from victor.corpus.gold import BLOCKS, GOLD, BlockRow, GoldRow, write_jsonl
from victor.corpus.pages import Carried, segment_hash, split_hashes
from victor.corpus.rows import Hashes, page_file, read_page, read_rows
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "H": ("headline", "ambiguous"),
    "s": ("standfirst", "text"),
    "y": ("byline", "ambiguous"),
    "t": ("text", "text"),
    "h": ("heading", "header"),
    "c": ("caption", "ambiguous"),
    "q": ("pullquote", "ambiguous"),
    "p": ("post", "text"),
    "P": ("post-meta", "ambiguous"),
    "m": ("comment", "other"),
    "M": ("comment-meta", "other"),
    "e": ("teaser", "other"),
    "a": ("promotion", "other"),
    "r": ("share", "other"),
    "g": ("tags", "ambiguous"),
    "o": ("other", "other"),
    "u": ("undecided", "ambiguous"),
}
"""Letter to kind of block, and its label in a file of blocks (`victor.corpus.gold`)."""
_LETTERS: Final = {kind: letter for letter, (kind, _) in KINDS.items()}
_UNDECIDED: Final = "u"
_REPOSITORY: Final = r"^(?:\S*/)?(?!\.{1,2}/)[\w.~+-]+/(?!\.{1,2}/?\Z)[\w.~+-]+/?\Z"
"""An address that ends in an owner and a name."""
_RUN: Final = re.compile(r"(.)(\d+)")
_KEPT: Final = frozenset({"header", "text"})
_LONGEST_NAME: Final = 255
Fetch = Callable[[str], bytes]  # the bytes of an address; a `PageError` if there are none
_SOURCE: Final = ("repository", "commit", "path", "sha256")
_FACTS: Final = ("url", "site", "lang", "type")


class _Origin(Struct, kw_only=True):
    corpus: str = ""
    id: str
    repository: str
    commit: Annotated[str, Meta(pattern=r"^[^\s?#]{1,200}\Z")]
    path: Annotated[str, Meta(max_length=1000)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]

    def __post_init__(self) -> None:
        path = PureWindowsPath(self.path)
        if not path.name or path.anchor or ".." in path.parts:
            raise ValueError(f"the path {self.path[:80]!r} leads out of its repository")
        if not self.path.isprintable() or max(len(p.encode()) for p in path.parts) > _LONGEST_NAME:
            raise ValueError(f"no file has the path {self.path[:80]!r}")


class _LabelRow(_Origin, kw_only=True):
    repository: Annotated[str, Meta(pattern=_REPOSITORY)]
    kinds: Annotated[str, Meta(pattern=rf"^(?:[{''.join(KINDS)}][1-9]\d{{0,6}})*\Z")]
    hashes: Hashes
    texts: str
    url: str | None = None
    site: str | None = None
    lang: str | None = None
    type: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(int(count) for _, count in _RUN.findall(self.kinds)) != len(self.hashes) // 4:
            raise ValueError("kinds and hashes do not fit")


@dataclass(slots=True)
class Built:
    """What became of the pages of a file of labels.

    Pages are missing that could not be had, files changed whose bytes are not those that were
    labelled. Blocks moved, by page, and those of today that lost their label are *undecided*.
    """

    written: int = 0
    missing: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def build(labels: Path, folders: Sequence[Path], output: Path, fetch: Fetch | None = None) -> Built:
    """Write the labelled pages as a corpus that `victor.corpus.gold.read_jsonl` reads.

    Args:
        labels: a file of stand-off labels.
        folders: clones of the repositories, folders of clones, or folders with ``html/<id>.html``.
        output: a new folder.
        fetch: downloads a file that is in none of the folders, as it was at the pinned commit; None
            downloads nothing.

    Raises:
        CorpusError: a row is damaged, or two are of one page; then nothing is written.
        OutputError: the folder is not empty, or cannot be written.
    """
    rows = [row for _, row, _ in read_rows(labels, _LabelRow)]
    built = Built()
    with new_folder(output) as folder:
        built.written = write_jsonl(folder, _pages(rows, folders, fetch, built))
    return built


def _pages(
    rows: Iterable[_LabelRow], folders: Sequence[Path], fetch: Fetch | None, built: Built
) -> Iterator[tuple[Mapping[str, Any], bytes, Sequence[BlockRow]]]:
    """The row, the bytes and the blocks of every page that can be had."""
    for row in rows:
        markup = _page(row, folders, built) or _fetched(row, fetch, built)
        if markup is not None:
            pairs = zip(*_kinds_of(markup, row, built), strict=True)
            blocks = [BlockRow(KINDS[kind][1], text, KINDS[kind][0]) for kind, text in pairs]
            kept = "\n".join(block.text for block in blocks if block.label in _KEPT)
            yield {"id": row.id, **_facts(row), "text": kept}, markup, blocks


def export(corpus: Path, sources: Path, name: str) -> Iterator[str]:
    """Lines of stand-off labels of a corpus with ``gold.jsonl``, ``html`` and ``blocks``.

    Args:
        corpus: its folder.
        sources: JSON lines with the keys of `_Origin`.
        name: of the corpus in `sources`.

    Raises:
        CorpusError: a file is missing or damaged, or a kind is unknown.
    """
    origins = {row.id: row for _, row, _ in read_rows(sources, _Origin) if row.corpus == name}
    for where, row, _ in read_rows(corpus / GOLD, GoldRow):
        key = str(row.id)
        if key not in origins:
            raise CorpusError(f"{where}: {sources} does not say where page {key} is from")
        texts = _texts(read_page(corpus / "html", key, where))
        hashes = [*map(segment_hash, texts)]
        blocks = [row for _, row, _ in read_rows(corpus / "blocks" / f"{key}{BLOCKS}", BlockRow)]
        stored = "".join(_letter(block.kind, where) for block in blocks)
        carried = Carried.of([segment_hash(block.text) for block in blocks], hashes)
        line = {
            "id": key,
            **{name: getattr(origins[key], name) for name in _SOURCE},
            **_facts(row),
            "kinds": "".join(f"{k}{len([*run])}" for k, run in groupby(_today(stored, carried))),
            "hashes": "".join(hashes),
            "texts": _check_sum(texts),
        }
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _page(row: _LabelRow, folders: Sequence[Path], built: Built) -> bytes | None:
    """The bytes of a page; None if no file holds them. A file with other bytes is noted."""
    found = [file for file in _places(row, folders) if file.is_file()]
    for file in found:
        markup = file.read_bytes()
        if hashlib.sha256(markup).hexdigest() == row.sha256:
            return markup
    built.changed += [str(file) for file in found[:1]]
    return None


def _fetched(row: _LabelRow, fetch: Fetch | None, built: Built) -> bytes | None:
    """The bytes of a page from its repository; None if they are not those that were labelled."""
    if fetch is not None:
        address = f"{row.repository.rstrip('/')}/raw/{row.commit}/{quote(row.path)}"
        try:
            markup = fetch(address)
        except PageError:
            markup = b""
        if hashlib.sha256(markup).hexdigest() == row.sha256:
            return markup
    built.missing.append(f"{row.id}: {row.repository} {row.path}")
    return None


def _places(row: _LabelRow, folders: Sequence[Path]) -> Iterator[Path]:
    owner, name = row.repository.rstrip("/").split("/")[-2:]
    for folder in folders:
        for clone in (folder, folder / name, folder / owner / name, folder / f"{owner}-{name}"):
            yield clone / row.path
        yield page_file(folder / "html", row.id, "the labels")


def _kinds_of(markup: bytes, row: _LabelRow, built: Built) -> tuple[str, Sequence[str]]:
    """The letter of every block of today, and their texts."""
    texts = _texts(markup)
    kinds = "".join(letter * int(count) for letter, count in _RUN.findall(row.kinds))
    if _check_sum(texts) == row.texts and len(kinds) == len(texts):
        return kinds, texts
    carried = Carried.of(split_hashes(row.hashes), [*map(segment_hash, texts)])
    built.moved[row.id], built.lost[row.id] = carried.moved, carried.lost
    return _today(kinds, carried), texts


def _today(kinds: str, carried: Carried) -> str:
    return "".join(kinds[at] if at >= 0 else _UNDECIDED for at in carried.origin.tolist())


def _facts(row: _LabelRow | GoldRow) -> dict[str, str]:
    return {key: value for key in _FACTS if (value := getattr(row, key)) is not None}


def _texts(markup: bytes) -> Sequence[str]:
    return block_texts(parse_pages([markup], "block"))


def _letter(kind: str | None, where: str) -> str:
    if kind not in _LETTERS:
        raise CorpusError(f"{where}: unknown kind {kind!r}; known are {', '.join(_LETTERS)}")
    return _LETTERS[kind]


def _check_sum(texts: Iterable[str]) -> str:
    joined = "\n".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:16]
