"""The annotated corpus of a store as one zip file, for those who export in the browser."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from victor.annotate.exchange.store_export import annotated_pages
from victor.annotate.exchange.writers import write
from victor.annotate.store.store import Store
from victor.base.errors import CorpusError

LEFT_OUT: Final = "left-out.txt"
"""Names the pages that were left out, and why; only where there are any."""
_FOLDER: Final = "corpus"


class Zipped(NamedTuple):
    """A zip file of a corpus.

    Attributes:
        content: the file.
        pages: how many it holds.
        left_out: how many finished pages it does not hold, because their labels do not fit.
    """

    content: bytes
    pages: int
    left_out: int


def zipped_corpus(path: Path) -> Zipped:
    """What `victor annotate export corpus/` writes of the store in a file, in a folder ``corpus``.

    Two exports of the same labels are equal byte by byte.

    Raises:
        CorpusError: it is not a store, or no page is finished.
    """
    left_out: list[str] = []
    with TemporaryDirectory() as temporary, Store(path) as store:
        folder = Path(temporary) / _FOLDER
        pages = annotated_pages(store, complain=left_out.append)
        count = write("corpus", pages, folder, left_out.append)
        if not count + len(left_out):
            raise CorpusError("no page is done yet; nothing is exported")
        buffer = BytesIO()
        with ZipFile(buffer, "w") as archive:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    name = file.relative_to(temporary).as_posix()
                    archive.writestr(ZipInfo(name), file.read_bytes(), ZIP_DEFLATED)
            if left_out:
                text = "".join(f"{message}\n" for message in left_out)
                archive.writestr(ZipInfo(LEFT_OUT), text, ZIP_DEFLATED)
    return Zipped(buffer.getvalue(), count, len(left_out))
