"""Metadata of one system: ``python -m peers.metadata_worker NAME``, as `peers.worker` runs texts.

What is answered for a page is JSON: ``{"title": ..., "authors": [...], "date": "YYYY-MM-DD"}``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from peers.loaders import Peer, each
from peers.worker import main


def answer(title: str | None, authors: Sequence[str], date: object, source: str = "") -> str:
    """Metadata as JSON; `source` is that of the authors."""
    day = str(date)[:10] if date else ""
    return json.dumps({"title": title or "", "authors": [*authors], "date": day, "source": source})


def _victor() -> Peer:
    from victor.labelers.crf import model_labeler
    from victor.metadata.page_metadata import page_metadata
    from victor.page.decoding.decode import decode, utf8

    labeler = model_labeler("default")

    def extract(page: bytes, _: str | None, url: str | None) -> str:
        markup = utf8(page, decode(page))
        said = page_metadata(labeler.table([markup]), 0, url=url, markup=markup)
        source = said.sources.get("authors", "")
        return answer(said.title, said.authors, said.published or said.modified, source)

    return Peer(bytes, ("victor-crf",), each(extract))


def _trafilatura() -> Peer:
    from trafilatura.metadata import extract_metadata

    def extract(page: bytes, _: str | None, url: str | None) -> str:
        said = extract_metadata(page, default_url=url)
        authors = (said.author or "").split("; ") if said.author else []
        return answer(said.title, authors, said.date)

    return Peer(bytes, ("trafilatura", "htmldate"), each(extract))


def _newspaper4k() -> Peer:
    from newspaper import Article, Config

    config = Config()
    config.fetch_images = False

    def extract(page: str, _: str | None, url: str | None) -> str:
        article = Article(url or "http://page.invalid/", config=config)
        article.download(input_html=page)
        article.parse()
        return answer(article.title, article.authors, article.publish_date)

    return Peer(str, ("newspaper4k",), each(extract))


def _htmldate() -> Peer:
    from htmldate import find_date

    def extract(page: bytes, _: str | None, url: str | None) -> str:
        return answer("", [], find_date(page, original_date=True, url=url))

    return Peer(bytes, ("htmldate",), each(extract))


LOADERS: Final[Mapping[str, Callable[[], Any]]] = {
    "victor": _victor,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "htmldate": _htmldate,
}

if __name__ == "__main__":
    main(sys.argv[1:], LOADERS)
