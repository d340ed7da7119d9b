"""Reading of annotated corpora in either layout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from victor.corpus.marked_html import read_marked_corpus
from victor.corpus.pages import AnnotatedPage, read_corpus


def read_folder(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a corpus; a folder with ``pages/`` holds marked pages.

    Raises:
        CorpusError: there is no corpus, or a page of it is missing or damaged.
    """
    if (directory / "pages").is_dir():
        yield from read_marked_corpus(directory)
    else:
        yield from read_corpus(directory)
