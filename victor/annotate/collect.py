"""Pages to annotate, from files, folders, archives, annotated corpora and the web.

The id of a page is made of its file name or URL and of its bytes. So the same page has the same id
wherever and in whatever order it is read, and no two pages share one. Pages of annotated corpora
keep their ids.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from victor.annotate.blocks import block_table
from victor.annotate.store import MOST_BYTES, NewPage, Tell
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    block_labels,
    canonical_table,
    current_labels,
    read_folder,
    to_letters,
)
from victor.page.decoding.decode import decode
from victor.page.table.texts import segment_texts
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, Input, ReadOptions, expand, kind_of
from victor.sources.reading import read
from victor.sources.record import Damage, Record

_NOT_IN_IDS: Final = re.compile(r"[^\w.-]+")
_LONGEST_ID: Final = 80
_BOM: Final = b"\xef\xbb\xbf"


def collect(names: Iterable[str], tell: Tell = lambda _: None) -> Iterator[NewPage]:
    """All pages of some sources, in their order.

    Args:
        names: annotated corpora, and what `victor.sources.inputs.expand` takes: HTML files,
            folders, WARC files and whatever else `victor.sources` reads, URLs, lists of all these.
        tell: called with a line about every page that cannot be read.

    Raises:
        ConfigError: a source does not exist or holds no page.
        CorpusError: an annotated corpus is damaged.
    """
    for name in names:
        folder = Path(name)
        if (folder / INDEX).is_file():
            yield from (_annotated(page, tell) for page in read_folder(folder))
            continue
        for source in expand([name], PAGES):
            if not _is_beside_a_page(Path(source.name), folder):
                yield from _pages(source, tell)


def _is_beside_a_page(path: Path, folder: Path) -> bool:
    """Is a file of a folder among those that a browser saved beside a page."""
    return any(
        above.with_name(above.name.rpartition("_")[0] + suffix).is_file()
        for above in path.parents
        if above != folder and folder in above.parents and "_" in above.name.lstrip("_")
        for suffix in PAGE_SUFFIXES
    )


def _pages(source: Input, tell: Tell) -> Iterator[NewPage]:
    """The pages of an input of any kind that crawls are read from."""
    for page in read(source, ReadOptions(max_bytes=MOST_BYTES)):
        if isinstance(page, Damage):
            tell(f"{source.name}, record {page.number}: {page.reason}: {page.message}")
        if not isinstance(page, Record):
            continue
        html, path = _self_contained(page.body, page.charset), Path(source.name)
        if page.url:
            yield _from_web(page.url, html)
        elif kind_of(path.name) in PAGES:
            yield NewPage(_id(path.stem, html), html, file=_with_files(path, tell))
        else:
            yield NewPage(_id(path.name.partition(".")[0], html), html)


def _with_files(path: Path, tell: Tell) -> Path | None:
    """Where a page was saved, for the files beside it; stores hold names in UTF-8 only."""
    file = path.resolve()
    try:
        str(file).encode()
    except UnicodeEncodeError:
        tell(f"{path!r}: its name is not in UTF-8, so the files beside it will not be shown")
        return None
    return file


def _from_web(url: str, html: bytes) -> NewPage:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    name = f"{host}-{url.partition('://')[2].partition('/')[2]}"
    return NewPage(_id(name, html), html, url, host)


def _annotated(page: AnnotatedPage, tell: Tell) -> NewPage:
    """A page of a corpus with the labels of its segments as those of blocks."""
    labels, drift = current_labels(page, segment_texts(canonical_table(page.html)))
    if drift:
        tell(
            f"{page.id}: labels of {drift.moved} of {drift.found} texts were carried over, and "
            f"{drift.lost} have none: the page is split differently than when it was labelled"
        )
    return NewPage.of(page, to_letters(block_labels(labels, block_table(page.html))))


def _self_contained(body: bytes | str, charset: str | None) -> bytes:
    """Bytes that are decoded correctly without the HTTP header they came with."""
    if isinstance(body, str):
        return _BOM + decode(body).text.encode()
    if charset is None:
        return body
    text = decode(body, declared=charset).text
    return body if decode(body).text == text else _BOM + text.encode()


def _id(name: str, html: bytes) -> str:
    """Id of a page: a readable name, and a checksum of its bytes."""
    plain = _NOT_IN_IDS.sub("-", name).strip("-.")[:_LONGEST_ID]
    return f"{plain or 'page'}-{zlib.crc32(html):08x}"
