"""Pages to annotate, from files, folders, archives, annotated corpora and lists of URLs.

The name of a page is made of its file or address and of its bytes, so that the same page has the
same name wherever and in whatever order it is read, and no two pages share one. Pages of annotated
corpora keep theirs.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from victor.annotate.store.label_letters import letters
from victor.annotate.store.page_blocks import block_table
from victor.corpus.marked_html import read_marked_corpus
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    block_labels,
    canonical_table,
    current_labels,
    read_corpus,
)
from victor.errors import ConfigError, PageError
from victor.page.decode import decode
from victor.page.texts import segment_texts
from victor.sources import Input, ReadOptions, read
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, kind_of, local_inputs
from victor.sources.record import Damage

if TYPE_CHECKING:
    from victor.sources.download import Limits

LARGEST: Final = 50_000_000
"""Bytes of the largest page that is taken."""
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 80
_BOM: Final = b"\xef\xbb\xbf"

Tell = Callable[[str], None]
"""What is done with a message about a URL or a page that is left out."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to annotate.

    Attributes:
        id: unique, and the plain name of a file.
        html: the bytes.
        url: where it comes from.
        site: pages of one site are not torn apart in cross-validation; its host, if nothing else
            is known.
        file: where it was saved, None if there are no files beside it.
        labels: one letter per block (`victor.annotate.store.label_letters`), None without labels.
        metadata: what else the source says.
    """

    id: str
    html: bytes
    url: str | None = None
    site: str = ""
    file: Path | None = None
    labels: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def collect(
    names: Iterable[str],
    urls: Path | None = None,
    *,
    allow_private: bool = False,
    limits: Limits | None = None,
    tell: Tell | None = None,
) -> Iterator[NewPage]:
    """All pages of some sources, in their order.

    Args:
        names: HTML files; folders, with all pages below them; WARC files and whatever else
            `victor.sources` reads; annotated corpora.
        urls: file with a URL on every line; empty lines and those that begin with # do not count.
        allow_private: pages of the user's own machine and networks may be downloaded.
        limits: of every download.
        tell: gets a line about every URL and about every page that cannot be read.

    Raises:
        ConfigError: a source does not exist or holds no page.
        CorpusError: an annotated corpus is damaged.
    """
    say = tell or (lambda _: None)
    for name in names:
        yield from _named(Path(name), say)
    if urls is not None:
        yield from _downloaded(_listed(urls), say, allow_private=allow_private, limits=limits)


def _named(path: Path, say: Tell) -> Iterator[NewPage]:
    """The pages of one argument."""
    if path.is_dir():
        yield from _folder(path, say)
    elif not path.is_file():
        raise ConfigError(f"no file or folder {path}; URLs belong in a file for --urls")
    elif kind_of(path.name) in PAGES:
        yield _saved(path)
    else:
        yield from _archive(path, say)


def _folder(folder: Path, say: Tell) -> Iterator[NewPage]:
    """The pages below a folder, or those of the corpus that it is."""
    if (folder / INDEX).is_file():
        is_marked = not (folder / "html").is_dir()
        pages = read_marked_corpus(folder) if is_marked else read_corpus(folder)
        yield from (_annotated(page, say) for page in pages)
        return
    files = (Path(page.name) for page in local_inputs(str(folder), PAGES))
    yield from (_saved(file) for file in files if not _is_beside_a_page(file, folder))


def _is_beside_a_page(path: Path, folder: Path) -> bool:
    """Is a file part of a page that a browser saved with its files beside it."""
    return any(
        above.with_name(above.name.rpartition("_")[0] + suffix).is_file()
        for above in path.parents
        if above != folder and folder in above.parents and "_" in above.name.lstrip("_")
        for suffix in PAGE_SUFFIXES
    )


def _saved(path: Path) -> NewPage:
    """A page in a file of its own."""
    try:
        html = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    return NewPage(_id(path.stem, html), html, file=path.resolve())


def _archive(path: Path, say: Tell) -> Iterator[NewPage]:
    """The pages of a file that holds several, of any kind that a crawl can be of."""
    for page in read(Input(str(path), kind_of(path.name)), ReadOptions(max_bytes=LARGEST)):
        if isinstance(page, Damage):
            say(f"{path}, record {page.number}: {page.reason}: {page.message}")
            continue
        html = _self_contained(page.body, page.charset)
        if len(html) > LARGEST:
            say(f"{path}, record {page.number}: too-large: larger than {LARGEST} bytes")
            continue
        name = _name_of(page.url) if page.url else path.name.partition(".")[0]
        yield NewPage(_id(name, html), html, page.url, _host(page.url))


def _downloaded(
    urls: Iterable[str], say: Tell, *, allow_private: bool, limits: Limits | None
) -> Iterator[NewPage]:
    from victor.sources.download import download  # noqa: PLC0415  (loads HTTP and TLS)

    for url, page in download(urls, allow_private=allow_private, limits=limits):
        if isinstance(page, PageError):
            hint = "; --allow-private allows it" if page.reason == "private-address" else ""
            say(f"{url}: {page.reason}: {page}{hint}")
            continue
        say(f"{url}: downloaded: {len(page.content)} bytes")
        html = _self_contained(page.content, page.charset)
        yield NewPage(_id(_name_of(page.url), html), html, page.url, _host(page.url))


def _annotated(page: AnnotatedPage, say: Tell) -> NewPage:
    """A page of a corpus with the labels of its segments as those of blocks."""
    labels, drift = current_labels(page, segment_texts(canonical_table(page.html)))
    if drift:
        say(
            f"{page.id}: labels of {drift.moved} of {drift.found} texts were carried over, and "
            f"{drift.lost} have none: the page is cut otherwise than when it was labelled"
        )
    labels = block_labels(labels, block_table(page.html))
    about = {"language": page.language, "type": page.kind, "licence": page.licence}
    about = {key: value for key, value in about.items() if value}
    return NewPage(
        page.id, page.html, page.url, page.site, None, letters(labels), {**page.metadata, **about}
    )


def _listed(urls: Path) -> list[str]:
    """The URLs in a file."""
    try:
        lines = urls.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{urls} cannot be read as a list of URLs: {error}") from None
    listed = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
    if not listed:
        raise ConfigError(f"{urls} lists no URL; write one on every line")
    return list(dict.fromkeys(listed))


def _self_contained(body: bytes | str, charset: str | None) -> bytes:
    """Bytes that are read as they are meant to be without the header they came with."""
    if isinstance(body, str):
        return _BOM + decode(body).text.encode()
    text = decode(body, declared=charset).text
    return body if decode(body).text == text else _BOM + text.encode()


def _host(url: str | None) -> str:
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""


def _name_of(url: str) -> str:
    return f"{_host(url)}-{url.partition('://')[2].partition('/')[2]}"


def _id(name: str, html: bytes) -> str:
    """Name of a page: what a person knows it by, and a checksum of its bytes."""
    plain = _NOT_IN_NAMES.sub("-", name).strip("-.")[:_LONGEST_NAME]
    return f"{plain or 'page'}-{zlib.crc32(html):08x}"
