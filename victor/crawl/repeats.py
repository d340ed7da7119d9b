"""Marks paragraphs that a run has seen before, word for word or nearly; none is ever removed.

Nearly is by the Jaccard similarity of their sets of three successive words, which
`victor.crawl.minhash` estimates. Memory is bounded: of the paragraphs seen those are remembered
that came, or came again, last.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np

from victor.crawl.document import Document
from victor.crawl.minhash import HASHES, SimilarSets, Values, minhash, shingles
from victor.errors import ConfigError

_WORD: Final = re.compile(r"\w+")
_LEAST_WORDS: Final = 8
"""Shorter paragraphs resemble one another by accident: only exact repeats of them are marked."""


class Seen(NamedTuple):
    """Where a paragraph was seen first."""

    id: str
    paragraph: int


class RepeatMarker:
    """Marks the paragraphs of documents that come in the order of the input.

    Args:
        threshold: similarity from which a paragraph is a near repeat, 0 to 1.
        window: most paragraphs that are remembered.
    """

    def __init__(self, *, threshold: float = 0.8, window: int = 50_000) -> None:
        if not 0 < threshold <= 1 or window < 1:
            raise ConfigError("a threshold is above 0 and at most 1, a window at least 1 paragraph")
        self._threshold, self._window = threshold, window
        self._index = SimilarSets(window + 1)
        self._seen: dict[int, Seen] = {}
        """By hash of the text; the one that came last is last."""

    def mark(self, document: Document) -> Document:
        """The document, with ``repeats`` in its metadata if it has any.

        ``repeats`` is a list of ``{"paragraph", "kind", "first_id", "first_paragraph", "start",
        "end"}``: the number of the paragraph, from 0; ``exact`` or ``near``; where the paragraph
        was seen that it repeats; where it stands in the text, null where the text has another form.
        """
        marks = [*self._marks(document)]
        if not marks:
            return document
        return replace(document, metadata={**document.metadata, "repeats": marks})

    def _marks(self, document: Document) -> Iterator[dict[str, Any]]:
        places = _places(document)
        for number, (paragraph, (start, end)) in enumerate(
            zip(document.paragraphs, places, strict=True)
        ):
            found = self._look(paragraph.text, document.id, number)
            if found is not None:
                kind, first = found
                yield {
                    "paragraph": number,
                    "kind": kind,
                    "first_id": first.id,
                    "first_paragraph": first.paragraph,
                    "start": start,
                    "end": end,
                }

    def _look(self, text: str, id: str, number: int) -> tuple[str, Seen] | None:
        """What a paragraph repeats; it is remembered from now on."""
        words = text.split()
        if not words:
            return None
        key = _hash(" ".join(words))
        if key in self._seen:
            return "exact", self._refreshed(key)
        values = _values(text)
        near = None if values is None else self._index.nearest(values, self._threshold)
        found = None if near is None else ("near", self._refreshed(near))
        # What repeats another is not indexed: all near repeats of a text name the same first one.
        self._remember(key, Seen(id, number), values if near is None else None)
        return found

    def _refreshed(self, key: int) -> Seen:
        """A paragraph that came again: it is forgotten last."""
        seen = self._seen[key] = self._seen.pop(key)
        return seen

    def _remember(self, key: int, seen: Seen, values: Values | None) -> None:
        self._seen[key] = seen
        if values is not None:
            self._index.add(key, values)
        if len(self._seen) > self._window:
            oldest = next(iter(self._seen))
            del self._seen[oldest]
            self._index.remove(oldest)

    def state(self) -> bytes:
        """All that the next marks depend on; the same documents give the same bytes."""
        values = {key: self._index.values(key) for key in self._seen}
        indexed = [each for each in values.values() if each is not None]
        rows = [(key, *seen, values[key] is not None) for key, seen in self._seen.items()]
        document = {"threshold": self._threshold, "window": self._window, "rows": rows}
        stream = io.BytesIO()
        np.savez(
            stream,
            document=np.frombuffer(json.dumps(document).encode(), dtype=np.uint8),
            values=np.array(indexed, dtype=np.uint32).reshape(len(indexed), HASHES),
        )
        return stream.getvalue()

    @classmethod
    def restored(cls, state: bytes) -> RepeatMarker:
        """A marker that goes on where the one stood whose state it is.

        Raises:
            ConfigError: the bytes are no state.
        """
        try:
            with np.load(io.BytesIO(state), allow_pickle=False) as arrays:
                document = json.loads(arrays["document"].tobytes())
                values = iter(arrays["values"])
            marker = cls(threshold=document["threshold"], window=document["window"])
            for key, id, paragraph, indexed in document["rows"]:
                marker._remember(key, Seen(id, paragraph), next(values) if indexed else None)
        except (KeyError, TypeError, ValueError, EOFError, StopIteration, BadZipFile) as error:
            raise ConfigError(
                f"the state of the repeats is damaged ({error}); begin the run again"
            ) from None
        return marker


def _values(text: str) -> Values | None:
    """MinHash values of a paragraph; None if it is too short."""
    words = _WORD.findall(text.casefold())
    return minhash(shingles(words)) if len(words) >= _LEAST_WORDS else None


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _places(document: Document) -> Iterator[tuple[int | None, int | None]]:
    """Where every paragraph stands in the text, as far as it stands there as it is."""
    at = 0
    for paragraph in document.paragraphs:
        start = document.text.find(paragraph.text, at)
        if start < 0:
            yield None, None
        else:
            at = start + len(paragraph.text)
            yield start, at
