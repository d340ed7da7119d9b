"""Mark paragraphs that a run has seen before, exactly or nearly the same; none is ever removed.

Nearly the same are paragraphs whose sets of three successive words have a high Jaccard similarity.
MinHash estimates it (A. Z. Broder: On the resemblance and containment of documents, 1997), and an
index of bands of its values finds candidates (J. Leskovec, A. Rajaraman, J. D. Ullman: Mining of
Massive Datasets, section 3.4); both are those of the library datasketch. Memory is bounded: only
the paragraphs are remembered that were seen, or seen again, last.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from victor.base import optional
from victor.base.errors import ConfigError
from victor.documents.outcome import Document
from victor.documents.paragraph_columns import spans

if TYPE_CHECKING:
    from datasketch import LeanMinHash

_WORD: Final = re.compile(r"\w+")
_LEAST_WORDS: Final = 8
"""Shorter paragraphs are alike by accident: only exact repeats of them are marked."""
_SHINGLE: Final = 3
_HASHES: Final = 64
"""MinHash values of a set: an estimated similarity of 0.8 has a standard error of 0.05."""
_BANDS: Final = (10, 6)
"""Ten bands of six values: a pair of similarity 0.9 is compared with a probability of 0.9995, of
0.8 with 0.95, and of 0.5 with 0.15; then the estimate decides."""
_SCHEME: Final = "affine32"
_SEED: Final = 1
_AT_ONCE: Final = 10_000
"""Shingles that are hashed together: bounds the memory that a very long paragraph needs."""


class Occurrence(NamedTuple):
    """Where a paragraph was seen first."""

    id: str
    paragraph: int


class RepeatMarker:
    """Marks repeated paragraphs of documents, given in the order of the input.

    Args:
        threshold: similarity from which a paragraph is a near repeat, 0 to 1.
        window: how many paragraphs are remembered at most.

    Raises:
        ConfigError: a number is out of its range, or datasketch is not installed.
    """

    def __init__(self, *, threshold: float = 0.8, window: int = 50_000) -> None:
        if not 0 < threshold <= 1 or window < 1:
            raise ConfigError("a threshold is above 0 and at most 1, a window at least 1 paragraph")
        self._threshold, self._window = threshold, window
        self._library = optional.load("datasketch", extra="crawl")
        self._hasher = self._library.MinHash(
            num_perm=_HASHES, seed=_SEED, scheme=_SCHEME, hashfunc=zlib.crc32
        )
        self._index = self._library.MinHashLSH(num_perm=_HASHES, params=_BANDS)
        self._sketches: dict[int, LeanMinHash] = {}
        """MinHash values of the paragraphs in the index, by their keys."""
        self._seen: dict[int, Occurrence] = {}
        """By key, the hash of the text; the paragraph that was seen last is last."""

    def mark(self, document: Document) -> Document:
        """The document, with ``repeats`` in its metadata if it has any.

        ``repeats`` is a list of ``{"paragraph", "kind", "first_id", "first_paragraph", "start",
        "end"}``: the number of the paragraph, from 0; ``exact`` or ``near``; where the paragraph
        that it repeats was seen; its position in the text, null if the text has other words.
        """
        marks = [*self._marks(document)]
        if not marks:
            return document
        return replace(document, metadata={**document.metadata, "repeats": marks})

    def _marks(self, document: Document) -> Iterator[dict[str, Any]]:
        repeats = [
            (number, *repeat)
            for number, paragraph in enumerate(document.paragraphs)
            if (repeat := self._repeated(paragraph.text, document.id, number)) is not None
        ]
        places = [*spans(document)] if repeats else []
        for number, kind, first in repeats:
            start, end = places[number]
            yield {
                "paragraph": number,
                "kind": kind,
                "first_id": first.id,
                "first_paragraph": first.paragraph,
                "start": start,
                "end": end,
            }

    def _repeated(self, text: str, id: str, number: int) -> tuple[str, Occurrence] | None:
        """Kind of repeat and the paragraph that this one repeats, if any; remembers this one."""
        words = text.split()
        if not words:
            return None
        key = _hash(" ".join(words))
        if key in self._seen:
            return "exact", self._refreshed(key)
        sketch = self._sketch(text)
        near = None if sketch is None else self._nearest(sketch)
        repeat = None if near is None else ("near", self._refreshed(near))
        # A near repeat is not indexed, so that all near repeats of a text name the same first one.
        self._remember(key, Occurrence(id, number), sketch if near is None else None)
        return repeat

    def _sketch(self, text: str) -> LeanMinHash | None:
        """MinHash values of a paragraph; None if it is too short."""
        words = _WORD.findall(text.casefold())
        if len(words) < _LEAST_WORDS:
            return None
        runs = zip(*(words[start:] for start in range(_SHINGLE)), strict=False)
        self._hasher.clear()
        for chunk in _chunks(" ".join(run).encode() for run in runs):
            self._hasher.update_batch(chunk)
        return self._library.LeanMinHash(self._hasher)

    def _restored_sketch(self, values: NDArray[np.uint32]) -> LeanMinHash:
        return self._library.LeanMinHash(seed=_SEED, hashvalues=values, scheme=_SCHEME)

    def _nearest(self, sketch: LeanMinHash) -> int | None:
        """Key of the most similar paragraph, the smallest of several; None if none is similar.

        It depends on what is indexed and not on the order in which that was added.
        """
        candidates: list[int] = self._index.query(sketch)
        if not candidates:
            return None
        # All at once: a paragraph made from a template can have thousands of candidates.
        values = np.array([self._sketches[key].hashvalues for key in candidates])
        agree = np.count_nonzero(values == sketch.hashvalues, axis=1)
        best = agree.max()
        if best < self._threshold * _HASHES:
            return None
        return min(candidates[index] for index in np.flatnonzero(agree == best))

    def _refreshed(self, key: int) -> Occurrence:
        """A paragraph that was seen again, and so will be forgotten last."""
        seen = self._seen[key] = self._seen.pop(key)
        return seen

    def _remember(self, key: int, first: Occurrence, sketch: LeanMinHash | None) -> None:
        self._seen[key] = first
        if sketch is not None:
            self._sketches[key] = sketch
            self._index.insert(key, sketch)
        if len(self._seen) > self._window:
            oldest = next(iter(self._seen))
            del self._seen[oldest]
            if self._sketches.pop(oldest, None) is not None:
                self._index.remove(oldest)

    def state(self) -> bytes:
        """Everything that further marks depend on; the same documents give the same bytes."""
        indexed = [self._sketches[key].hashvalues for key in self._seen if key in self._sketches]
        rows = [(key, *first, key in self._sketches) for key, first in self._seen.items()]
        document = {"threshold": self._threshold, "window": self._window, "rows": rows}
        stream = io.BytesIO()
        values = np.array(indexed, dtype=np.uint32).reshape(len(indexed), _HASHES)
        document_bytes = np.frombuffer(json.dumps(document).encode(), dtype=np.uint8)
        # Named after the scheme, so that values of another one are never taken for these.
        np.savez(stream, document=document_bytes, affine32=values)
        return stream.getvalue()

    @classmethod
    def restored(cls, state: bytes) -> RepeatMarker:
        """The marker that had this state.

        Raises:
            ConfigError: the bytes are not the state of a marker.
        """
        try:
            with np.load(io.BytesIO(state), allow_pickle=False) as arrays:
                document = json.loads(arrays["document"].tobytes())
                values = iter(arrays["affine32"])
            marker = cls(threshold=document["threshold"], window=document["window"])
            for key, id, paragraph, indexed in document["rows"]:
                sketch = marker._restored_sketch(next(values)) if indexed else None
                marker._remember(key, Occurrence(id, paragraph), sketch)
        except (KeyError, TypeError, ValueError, EOFError, StopIteration, BadZipFile) as error:
            raise ConfigError(
                f"the state of the repeats is damaged ({error}); begin the run again"
            ) from None
        return marker


def _chunks(shingles: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Shingles in lists of at most `_AT_ONCE`."""
    remaining = iter(shingles)
    while chunk := [*islice(remaining, _AT_ONCE)]:
        yield chunk


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
