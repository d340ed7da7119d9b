"""Reading of annotated corpora in either layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from victor.base.errors import CorpusError
from victor.corpus.marked_html import read_marked_corpus
from victor.corpus.pages import AnnotatedPage, read_corpus

Corpus = str | Path | Iterable[str | Path | AnnotatedPage]
"""A folder, several, or annotated pages."""


def read(corpus: Corpus) -> Iterator[AnnotatedPage]:
    """Annotated pages, one folder after the other; their metadata name the folder as ``corpus``.

    Raises:
        CorpusError: a folder holds no corpus, or a page of it is missing or damaged.
    """
    for item in [corpus] if isinstance(corpus, str | Path) else corpus:
        if isinstance(item, AnnotatedPage):
            yield item
        else:
            directory = Path(item)
            if not directory.is_dir():
                raise CorpusError(f"there is no folder {directory}")
            for page in read_folder(directory):
                yield replace(page, metadata={**page.metadata, "corpus": directory.resolve().name})


def read_folder(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a corpus; a folder with ``pages/`` holds marked pages.

    Raises:
        CorpusError: there is no corpus, or a page of it is missing or damaged.
    """
    if (directory / "pages").is_dir():
        yield from read_marked_corpus(directory)
    else:
        yield from read_corpus(directory)
