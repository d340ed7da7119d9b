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
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from victor.base.errors import CorpusError, PageError
from victor.corpus.pages import Carried, page_file, read_rows, segment_hash
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
"""Letter to kind of block, and its label in a file of blocks (`victor.corpus.importers`)."""
_LETTERS: Final = {kind: letter for letter, (kind, _) in KINDS.items()}
_UNDECIDED: Final = "u"
_RUN: Final = re.compile(r"([A-Za-z])(\d+)")
_HASH: Final = 4
_KEPT: Final = frozenset({"header", "text"})
Fetch = Callable[[str], bytes]
"""The bytes of an address; a `PageError` if there are none."""
_SOURCE: Final = ("repository", "commit", "path", "sha256")
_REQUIRED: Final = ("id", *_SOURCE, "kinds", "hashes", "texts")
_FACTS: Final = ("url", "site", "lang", "type")


@dataclass(slots=True)
class Built:
    """What became of the pages of a file of labels.

    Attributes:
        written: pages that were written.
        missing: ids of pages that could not be had, with repository and path.
        changed: paths of files whose bytes are not those that were labelled.
        moved: blocks whose number changed, by page.
        lost: blocks of today without a label, by page; they are *undecided*.
    """

    written: int = 0
    missing: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def build(labels: Path, folders: Sequence[Path], output: Path, fetch: Fetch | None = None) -> Built:
    """Write the labelled pages as a corpus that `victor.corpus.importers.read_jsonl` reads.

    Args:
        labels: a file of stand-off labels.
        folders: clones of the repositories, folders of clones, or folders with ``html/<id>.html``.
        output: a new folder.
        fetch: downloads a file that is in none of the folders, as it was at the pinned commit; None
            downloads nothing.

    Raises:
        CorpusError: a row is damaged, or the folder holds a corpus already.
    """
    index = output / "gold.jsonl"
    if index.exists():
        raise CorpusError(f"{output} holds a corpus already; choose another folder")
    for name in ("html", "blocks"):
        (output / name).mkdir(parents=True, exist_ok=True)
    built = Built()
    with index.open("w", encoding="utf-8") as rows:
        for where, row in read_rows(labels, required=_REQUIRED):
            _check(row, where)
            markup = _page(row, folders, built) or _fetched(row, fetch, built)
            if markup is not None:
                kinds, texts = _kinds_of(markup, row, where, built)
                rows.write(_json(_gold_row(row, kinds, texts)))
                _write_page(output, row["id"], markup, kinds, texts)
                built.written += 1
    return built


def export(corpus: Path, sources: Path, name: str) -> Iterator[str]:
    """Lines of stand-off labels of a corpus with ``gold.jsonl``, ``html`` and ``blocks``.

    Args:
        corpus: its folder.
        sources: JSON lines with ``corpus``, ``id``, ``repository``, ``commit``, ``path`` and
            ``sha256``.
        name: of the corpus in `sources`.

    Raises:
        CorpusError: a file is missing or damaged, or a kind is unknown.
    """
    origins = {row["id"]: row for _, row in _json_rows(sources) if row.get("corpus") == name}
    for where, row in _json_rows(corpus / "gold.jsonl"):
        origin = origins.get(row["id"])
        if origin is None:
            raise CorpusError(f"{where}: {sources} does not say where page {row['id']} is from")
        markup = page_file(corpus / "html", row["id"], where).read_bytes()
        blocks = [each for _, each in _json_rows(corpus / "blocks" / f"{row['id']}.blocks.jsonl")]
        texts = _texts(markup)
        stored = "".join(_letter(block["kind"], where) for block in blocks)
        hashes = [segment_hash(block["text"]) for block in blocks]
        kinds = _kinds_today(stored, Carried.of(hashes, [segment_hash(text) for text in texts]))
        facts = {key: row[key] for key in _FACTS if row.get(key) is not None}
        yield _json(
            {"id": row["id"], **{key: origin[key] for key in _SOURCE}, **facts}
            | {"kinds": _runs(kinds), "hashes": _hashes(texts), "texts": _check_sum(texts)}
        )


def _check(row: Mapping[str, Any], where: str) -> None:
    wrong = [key for key in _REQUIRED if not isinstance(row[key], str)]
    if wrong:
        raise CorpusError(f"{where}: {wrong[0]} has to be a text; restore the row")


def _page(row: Mapping[str, Any], folders: Sequence[Path], built: Built) -> bytes | None:
    """The bytes of a page; None if no file holds them. One with other bytes is noted."""
    found = [file for file in _places(row, folders) if file.is_file()]
    for file in found:
        markup = file.read_bytes()
        if hashlib.sha256(markup).hexdigest() == row["sha256"]:
            return markup
    built.changed += [str(file) for file in found[:1]]
    return None


def _fetched(row: Mapping[str, Any], fetch: Fetch | None, built: Built) -> bytes | None:
    """The bytes of a page from its repository; None if they are not those that were labelled."""
    if fetch is not None:
        address = f"{row['repository'].rstrip('/')}/raw/{row['commit']}/{quote(row['path'])}"
        try:
            markup = fetch(address)
        except PageError:
            markup = b""
        if hashlib.sha256(markup).hexdigest() == row["sha256"]:
            return markup
    built.missing.append(f"{row['id']}: {row['repository']} {row['path']}")
    return None


def _places(row: Mapping[str, Any], folders: Sequence[Path]) -> Iterator[Path]:
    """Where the file of a page may be."""
    inside = PurePosixPath(row["path"])
    if inside.is_absolute() or ".." in inside.parts:
        raise CorpusError(f"page {row['id']}: the path {inside} leads out of its repository")
    owner, name = row["repository"].rstrip("/").split("/")[-2:]
    for folder in folders:
        for clone in (folder, folder / name, folder / owner / name, folder / f"{owner}-{name}"):
            yield clone / inside
        yield page_file(folder / "html", row["id"], "the labels")


def _kinds_of(
    markup: bytes, row: Mapping[str, Any], where: str, built: Built
) -> tuple[str, Sequence[str]]:
    """The letter of every block of today, and their texts."""
    texts = _texts(markup)
    kinds = "".join(letter * int(count) for letter, count in _RUN.findall(row["kinds"]))
    digits = row["hashes"]
    hashes = [digits[start : start + _HASH] for start in range(0, len(digits), _HASH)]
    if len(kinds) != len(hashes) or not KINDS.keys() >= set(kinds):
        raise CorpusError(f"{where}: kinds and hashes do not fit; restore the row")
    if _check_sum(texts) == row["texts"]:
        return kinds, texts
    carried = Carried.of(hashes, [segment_hash(text) for text in texts])
    built.moved[row["id"]], built.lost[row["id"]] = carried.moved, carried.lost
    return _kinds_today(kinds, carried), texts


def _kinds_today(kinds: str, carried: Carried) -> str:
    """The letters of the blocks of today."""
    return "".join(kinds[at] if at >= 0 else _UNDECIDED for at in carried.origin.tolist())


def _write_page(
    output: Path, page_id: str, markup: bytes, kinds: str, texts: Sequence[str]
) -> None:
    page_file(output / "html", page_id, "the labels").write_bytes(markup)
    lines = (
        _json({"label": KINDS[letter][1], "kind": KINDS[letter][0], "text": text})
        for letter, text in zip(kinds, texts, strict=True)
    )
    blocks = output / "blocks" / f"{page_id}.blocks.jsonl"
    blocks.write_text("".join(lines), encoding="utf-8", errors="surrogatepass")


def _gold_row(row: Mapping[str, Any], kinds: str, texts: Sequence[str]) -> dict[str, Any]:
    pairs = zip(kinds, texts, strict=True)
    kept = [text for letter, text in pairs if KINDS[letter][1] in _KEPT]
    facts = {key: row[key] for key in _FACTS if key in row}
    return {"id": row["id"], **facts, "text": "\n".join(kept)}


def _texts(markup: bytes) -> Sequence[str]:
    return block_texts(parse_pages([markup], "block"))


def _letter(kind: str, where: str) -> str:
    if kind not in _LETTERS:
        raise CorpusError(f"{where}: unknown kind {kind!r}; known are {', '.join(_LETTERS)}")
    return _LETTERS[kind]


def _runs(kinds: str) -> str:
    return "".join(f"{letter}{len([*run])}" for letter, run in groupby(kinds))


def _hashes(texts: Iterable[str]) -> str:
    return "".join(map(segment_hash, texts))


def _check_sum(texts: Iterable[str]) -> str:
    joined = "\n".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:16]


def _json(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _json_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        raise CorpusError(f"{path} is missing; unpack the corpus again")
    yield from read_rows(path, required=())
