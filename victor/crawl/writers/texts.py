"""Write a text file per page into a folder, and ``index.jsonl`` with what is known of each."""

from __future__ import annotations

from pathlib import Path

import msgspec

from victor.base.files import add, created
from victor.crawl.writers.base import Writer
from victor.documents.outcome import Outcome


class TextsWriter(Writer):
    """Writes ``000000.txt`` and so on in UTF-8; the index names the file of every document.

    Markdown, where documents have it, stands beside the text in ``000000.md``.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir()
        self._folder = folder
        self._count = 0
        self._index = self.open.enter_context(created(folder / "index.jsonl"))

    def write(self, page: Outcome) -> None:
        """Add a file, and a line to the index."""
        fields = msgspec.to_builtins(page.row)
        name = f"{self._count:06}.txt"
        add(self._folder / name, fields.pop("text").encode())
        markdown = fields.pop("markdown")
        if markdown is not None:
            add(self._folder / f"{self._count:06}.md", markdown.encode())
        line = {"file": name, **fields}
        self._index.write(msgspec.json.encode(line) + b"\n")
        self._count += 1


def build(form: str, path: Path) -> TextsWriter:
    """The writer of ``texts``."""
    return TextsWriter(path)
