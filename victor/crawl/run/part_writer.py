"""Write a part of a run: documents, failures and, if they are kept, dropped pages."""

from __future__ import annotations

import json
from contextlib import ExitStack
from types import TracebackType
from typing import IO, Any, Self

from victor.base.files import created, replaced
from victor.crawl.run.pieces import Piece
from victor.crawl.run.state import PartState, RunFolder
from victor.crawl.writers import writer
from victor.crawl.writers.base import RowWriter
from victor.documents.outcome import Outcome


class PartWriter:
    """Writes one part; its files get their names when the block ends without an error.

    Args:
        folder: of the run.
        number: of the part.
        form: one of `victor.crawl.writers.WRITERS`.
        keep_dropped: are dropped pages written, too, to a file of their own.

    Attributes:
        state: what is known of the part so far.
    """

    def __init__(self, folder: RunFolder, number: int, form: str, *, keep_dropped: bool) -> None:
        self.state = PartState()
        with ExitStack() as stack:
            path = stack.enter_context(replaced(folder.part(number)))
            self._out = stack.enter_context(writer(form, path))
            self._dropped: IO[bytes] | None = None
            if keep_dropped:
                path = stack.enter_context(replaced(folder.dropped(number)))
                self._dropped = stack.enter_context(created(path))
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish the files, or remove them after an error."""
        self._open.__exit__(kind, error, trace)

    def add(self, piece: Piece) -> None:
        """Write and count outcomes."""
        for outcome, size in zip(piece.outcomes, piece.sizes, strict=True):
            self.state.totals.count(outcome, size)
            if outcome.status == "written":
                self._write(outcome)
            elif outcome.status == "failed":
                self.state.failures.append({**_address(outcome), "message": outcome.message})
            elif self._dropped is not None:
                self._dropped.write(f"{json.dumps(_dropped_row(outcome))}\n".encode())
        self.state.after = piece.after
        self.state.readings += piece.readings

    def _write(self, outcome: Outcome) -> None:
        if outcome.row is not None:
            assert isinstance(self._out, RowWriter), "workers make rows of forms that have them"
            self._out.add(outcome.row)
            return
        assert outcome.document is not None, "what is written has a document"
        self._out.write(outcome.document)


def _dropped_row(outcome: Outcome) -> dict[str, Any]:
    """A dropped page, with what was kept of it if it was cleaned."""
    document = outcome.document
    if document is None:
        return {**_address(outcome), "text": None}
    return {
        **_address(outcome),
        "text": document.text,
        "language": document.language,
        "language_score": document.language_score,
        "kept_share": document.kept_share,
        "confidence": document.confidence,
        "page_type": document.page_type,
        "p_no_content": document.p_no_content,
    }


def _address(outcome: Outcome) -> dict[str, Any]:
    return {
        "source": outcome.source,
        "number": outcome.number,
        "url": outcome.url,
        "reason": outcome.reason,
    }
