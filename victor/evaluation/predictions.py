"""Marginals of annotated pages with everything that scores, curves and reports need, in one file.

The file is an ``.npz`` archive without pickle: arrays, and a JSON document. It is written once,
from models that saw none of the pages, and read for every new question.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats, Ints, Labels
from victor.base.errors import CorpusError
from victor.base.files import write_bytes
from victor.base.labels import UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.model.calibration import Reliability, reliability
from victor.model.decide import Decision, decide
from victor.model.page_head import measured
from victor.page.table.texts import block_texts
from victor.training.dataset import LabelledPages, PageInfo

FORMAT: Final = 5
_JSON: Final = "document"
_ARRAYS: Final = ("page_starts", "labels", "marginals", "words", "page_measures", "p_no_content")
_DAMAGE: Final = (
    OSError,
    ValueError,
    KeyError,
    IndexError,
    MemoryError,
    EOFError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
    msgspec.MsgspecError,
)


class _Document(Struct):
    format: int
    system: str
    protocol: str
    decision: Decision
    pages: tuple[PageInfo, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Marginals of the n blocks of P annotated pages.

    Attributes:
        system: name for tables and plots.
        protocol: how the marginals were made, e.g. ``"5 folds by site"``.
        decision: how the system is configured to decide.
        pages: (P) what the corpus says of each page.
        texts: (n) text of each block.
        page_starts: (P + 1,) int64 first block of each page.
        labels: (n,) uint8 gold label or `UNLABELLED`.
        marginals: (n, 3) float64, columns in the order of `Label`.
        words: (n,) int64 words of each block.
        page_measures: (P, M) float64 as `victor.model.page_head.measure_names`.
        p_no_content: (P,) float64 probability that the page has no content; NaN where nobody
            knows.
    """

    system: str
    protocol: str
    decision: Decision
    pages: tuple[PageInfo, ...]
    texts: tuple[str, ...]
    page_starts: Ints
    labels: Labels
    marginals: Floats
    words: Ints
    page_measures: Floats
    p_no_content: Floats

    def __post_init__(self) -> None:
        of_blocks = (self.marginals, self.words, self.texts, self.labels)
        of_pages = (self.pages, self.page_starts[1:], self.page_measures, self.p_no_content)
        sizes = [{len(each) for each in arrays} for arrays in (of_blocks, of_pages)]
        if sizes != [{int(self.page_starts[-1])}, {len(self.pages)}]:
            raise CorpusError("the predictions are of different blocks: make them again")

    @cached_property
    def keep(self) -> Floats:
        """(n,) probability of being kept: p(header) + p(text)."""
        return np.asarray(self.marginals[:, Label.HEADER] + self.marginals[:, Label.TEXT])

    @cached_property
    def decided(self) -> Labels:
        """(n,) labels as the system is configured to decide, as far as marginals determine it."""
        decision = self.decision.on_marginals
        return decide(self.marginals, self, decision, p_no_content=self.p_no_content)

    @property
    def sites(self) -> list[str]:
        """Site of each page."""
        return [page.site for page in self.pages]

    @property
    def page_slices(self) -> list[slice]:
        """The blocks of each page."""
        return [slice(a, b) for a, b in pairwise(self.page_starts.tolist())]

    def select(self, pages: Ints) -> Predictions:
        """Those of some of the pages, in the given order."""
        slices = [self.page_slices[page] for page in pages.tolist()]
        rows = np.concatenate([np.arange(0), *(np.arange(s.start, s.stop) for s in slices)])
        return replace(
            self,
            pages=tuple(self.pages[page] for page in pages.tolist()),
            texts=tuple(self.texts[row] for row in rows.tolist()),
            page_starts=np.cumsum([0, *(s.stop - s.start for s in slices)]),
            page_measures=self.page_measures[pages],
            p_no_content=self.p_no_content[pages],
            **{name: getattr(self, name)[rows] for name in ("labels", "marginals", "words")},
        )

    def save(self, path: Path) -> None:
        """Write the file, replacing one that is there only when all of it is written."""
        document = _Document(
            FORMAT, self.system, self.protocol, self.decision, self.pages, self.texts
        )
        arrays: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
        arrays[_JSON] = np.frombuffer(msgspec.json.encode(document), dtype=np.uint8)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_bytes(path, buffer.getvalue(), parents=True)

    @classmethod
    def load(cls, path: Path) -> Predictions:
        """Read the file.

        Raises:
            CorpusError: it is missing, damaged or of another format.
        """
        try:
            if not zipfile.is_zipfile(path) and path.exists():
                raise ValueError("not an .npz file")  # NumPy would offer to read it unsafely
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                data = archive[_JSON].tobytes()
                number = msgspec.json.decode(data)["format"]
                if number != FORMAT:
                    raise ValueError(f"format {number}, this version reads {FORMAT}")
                document = msgspec.structs.asdict(msgspec.json.decode(data, type=_Document))
                del document["format"]
                return cls(**document, **{name: archive[name] for name in _ARRAYS})
        except FileNotFoundError:
            raise CorpusError(
                f"no predictions at {path}; `victor evaluate --save` makes them"
            ) from None
        except _DAMAGE as error:
            raise CorpusError(
                f"{path} holds no predictions or is damaged ({error}); make it again with "
                "`victor evaluate --save`"
            ) from None


def collect(
    pages: LabelledPages,
    marginals: Floats,
    *,
    system: str,
    protocol: str,
    decision: Decision,
    p_no_content: Floats | None = None,
) -> Predictions:
    """Predictions from the (n, 3) marginals of labelled pages."""
    return Predictions(
        system=system,
        protocol=protocol,
        decision=decision,
        pages=pages.infos,
        texts=tuple(text for table in pages.tables for text in block_texts(table)),
        page_starts=pages.page_starts,
        labels=pages.labels,
        marginals=marginals,
        words=pages.words,
        page_measures=measured(pages.tables, marginals),
        p_no_content=np.full(len(pages.infos), np.nan) if p_no_content is None else p_no_content,
    )


def reliabilities(predictions: Predictions) -> dict[str, Reliability]:
    """Reliability of labelled blocks, each weighing the same and each weighing its words."""
    is_labelled = predictions.labels != UNLABELLED
    keep, gold = predictions.keep[is_labelled], predictions.labels[is_labelled] != Label.OTHER
    return {
        "blocks": reliability(keep, gold),
        "words": reliability(keep, gold, predictions.words[is_labelled]),
    }
