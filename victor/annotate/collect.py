"""Pages to annotate, from files, folders, archives, annotated corpora and lists of URLs.

The id of a page is made of its file name or URL and of its bytes. So the same page has the same id
wherever and in whatever order it is read, and no two pages share one. Pages of annotated corpora
keep their ids.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from victor.annotate.blocks import block_table
from victor.annotate.store import MOST_BYTES, NewPage, Tell
from victor.base.errors import ConfigError, PageError
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
from victor.sources.inputs import (
    LEADS_OUT,
    OUTSIDE,
    PAGE_SUFFIXES,
    PAGES,
    Input,
    ReadOptions,
    kind_of,
    local_inputs,
)
from victor.sources.reading import read
from victor.sources.record import Damage, Skipped

_NOT_IN_IDS: Final = re.compile(r"[^\w.-]+")
_LONGEST_ID: Final = 80
_BOM: Final = b"\xef\xbb\xbf"


def collect(
    names: Iterable[str],
    urls: Path | None = None,
    *,
    allow_private: bool = False,
    delay: float = 1.0,
    tell: Tell = lambda _: None,
) -> Iterator[NewPage]:
    """All pages of some sources, in their order.

    Args:
        names: HTML files; folders, with all pages below them; WARC files and whatever else
            `victor.sources` reads; annotated corpora.
        urls: file with a URL on every line; empty lines and those that begin with # do not count.
        allow_private: also download from the user's own machine and networks.
        delay: seconds between two downloads from one host.
        tell: called with a line about every URL, and about every page that cannot be read.

    Raises:
        ConfigError: a source does not exist or holds no page.
        CorpusError: an annotated corpus is damaged.
    """
    for name in names:
        yield from _named(Path(name), tell)
    if urls is not None:
        yield from _downloaded(_listed(urls), tell, allow_private=allow_private, delay=delay)


def _named(path: Path, tell: Tell) -> Iterator[NewPage]:
    if path.is_dir():
        yield from _folder(path, tell)
    elif not path.is_file():
        raise ConfigError(f"no file or folder {path}; URLs belong in a file for --urls")
    elif kind_of(path.name) in PAGES:
        yield _saved(path, tell)
    else:
        yield from _archive(path, tell)


def _folder(folder: Path, tell: Tell) -> Iterator[NewPage]:
    if (folder / INDEX).is_file():
        yield from (_annotated(page, tell) for page in read_folder(folder))
        return
    for page in local_inputs(str(folder), PAGES):
        file = Path(page.name)
        if page.kind == OUTSIDE:
            tell(f"{file}: {LEADS_OUT}")
        elif not _is_beside_a_page(file, folder):
            yield _saved(file, tell)


def _is_beside_a_page(path: Path, folder: Path) -> bool:
    """Is a file among those that a browser saved beside a page."""
    return any(
        above.with_name(above.name.rpartition("_")[0] + suffix).is_file()
        for above in path.parents
        if above != folder and folder in above.parents and "_" in above.name.lstrip("_")
        for suffix in PAGE_SUFFIXES
    )


def _saved(path: Path, tell: Tell) -> NewPage:
    """A page in a file of its own; stores hold names in UTF-8 only."""
    try:
        html = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    file = path.resolve()
    page = NewPage(_id(path.stem, html), html, file=file)
    try:
        str(file).encode()
    except UnicodeEncodeError:
        tell(f"{path!r}: its name is not in UTF-8, so the files beside it will not be shown")
        return replace(page, file=None)
    return page


def _archive(path: Path, tell: Tell) -> Iterator[NewPage]:
    """The pages of a file that holds several, of any kind that crawls are read from."""
    for page in read(Input(str(path), kind_of(path.name)), ReadOptions(max_bytes=MOST_BYTES)):
        if isinstance(page, Skipped):
            continue
        if isinstance(page, Damage):
            tell(f"{path}, record {page.number}: {page.reason}: {page.message}")
            continue
        html = _self_contained(page.body, page.charset)
        if len(html) > MOST_BYTES:
            tell(f"{path}, record {page.number}: too-large: larger than {MOST_BYTES} bytes")
        elif page.url:
            yield _from_web(page.url, html)
        else:
            yield NewPage(_id(path.name.partition(".")[0], html), html)


def _downloaded(
    urls: Iterable[str], tell: Tell, *, allow_private: bool, delay: float
) -> Iterator[NewPage]:
    from victor.sources.download import download  # loads HTTP and TLS

    private = "allowed" if allow_private else "refused"
    for url, page in download(urls, private=private, delay=delay):
        if isinstance(page, PageError):
            hint = "; --allow-private allows it" if page.reason == "private-address" else ""
            tell(f"{url}: {page.reason}: {page}{hint}")
        else:
            tell(f"{url}: downloaded: {len(page.content)} bytes")
            yield _from_web(page.url, _self_contained(page.content, page.charset))


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


def _listed(urls: Path) -> list[str]:
    try:
        lines = urls.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{urls} cannot be read as a list of URLs: {error}") from None
    listed = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
    if not listed:
        raise ConfigError(f"{urls} lists no URL; write one on every line")
    return list(dict.fromkeys(listed))


def _self_contained(body: bytes | str, charset: str | None) -> bytes:
    """Bytes that are decoded correctly without the HTTP header they came with."""
    if isinstance(body, str):
        return _BOM + decode(body).text.encode()
    text = decode(body, declared=charset).text
    return body if decode(body).text == text else _BOM + text.encode()


def _id(name: str, html: bytes) -> str:
    """Id of a page: a readable name, and a checksum of its bytes."""
    plain = _NOT_IN_IDS.sub("-", name).strip("-.")[:_LONGEST_ID]
    return f"{plain or 'page'}-{zlib.crc32(html):08x}"
