"""One text block of a result, as people and programs look at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from victor.api.result import Result, beginning
from victor.base.labels import KIND_NAMES, LABEL_NAMES
from victor.page.places.surroundings import Link, Surroundings
from victor.page.table.texts import block_texts

if TYPE_CHECKING:
    from victor.render.forms import Range


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of a result, kept or not.

    Blocks refer to the page that they are of; of many pages keep what you need rather than them.

    Attributes:
        text: white space collapsed, without the parts that were removed from a kept block.
        label: one of `victor.base.labels.LABEL_NAMES`.
        marginals: probability of every label.
        reason: why it was kept or dropped, see `victor.page.verdict.verdict.Verdict.reason`.
        kind: one of `victor.base.labels.KIND_NAMES`.
        number: from 0 on the page.
        kept: is it part of the clean text.
        heading_level: 1 to 6 inside h1 to h6, else 0.
    """

    text: str
    label: str
    marginals: dict[str, float]
    reason: str
    kind: str
    number: int = 0
    kept: bool = False
    heading_level: int = 0
    _around: Surroundings | None = field(default=None, repr=False, compare=False)
    _result: Result | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        marginals = {name: round(p, 3) for name, p in self.marginals.items()}
        return (
            f"Block(number={self.number}, kept={self.kept}, label={self.label!r}, "
            f"kind={self.kind!r}, reason={self.reason!r}, marginals={marginals}, "
            f"text={beginning(self.text)!r})"
        )

    @property
    def id(self) -> str:
        """A name that stays when the page is cleaned again or changes elsewhere.

        See `victor.page.places.surroundings.block_ids`; "" of a block that is of no page, as with
        all that follows.
        """
        return "" if self._around is None else self._around.ids[self.number]

    @property
    def headings(self) -> tuple[str, ...]:
        """Texts of the headings above it, the highest first."""
        return () if self._around is None else self._around.headings[self.number]

    @property
    def xpath(self) -> str:
        """XPath that selects it alone, in lxml and in browsers, see `victor.page.places.xpaths`."""
        return "" if self._around is None else self._around.places.xpaths[self.number]

    @property
    def row(self) -> int | None:
        """Row in the innermost table around it, from 0; None outside of tables."""
        return self._cell[0]

    @property
    def column(self) -> int | None:
        """Cell in its row, from 0, whatever the cells span; None outside of tables."""
        return self._cell[1]

    @property
    def text_range(self) -> Range | None:
        """Its characters in `Result.text`, start and end; None of a block that is dropped."""
        return None if self._result is None else self._result.text_ranges[self.number]

    @property
    def links(self) -> tuple[Link, ...]:
        """Addresses and texts of the links in it."""
        return () if self._around is None else self._around.links[self.number]

    @property
    def _cell(self) -> tuple[int, int] | tuple[None, None]:
        cell = None if self._around is None else self._around.cells[self.number]
        return cell or (None, None)


def blocks_of(result: Result) -> Iterator[Block]:
    """Every block of the page of a result; none after an error."""
    if result.in_batch is None:
        return
    verdict, page = result.in_batch
    assert verdict.kinds is not None, "a cleaner's verdict has kinds"
    around, where = Surroundings(verdict, page, result.markup, result.url), verdict.page(page)
    names = zip(
        map(LABEL_NAMES.__getitem__, verdict.labels[where].tolist()),
        verdict.reasons(where),
        map(KIND_NAMES.__getitem__, verdict.kinds[where].tolist()),
        strict=True,
    )
    numbers = zip(
        count(), verdict.kept[where].tolist(), verdict.table.heading_level[where].tolist()
    )
    texts = block_texts(verdict.reduced, where)
    rows = zip(texts, verdict.marginals[where].tolist(), names, numbers, strict=False)
    for text, marginals, (label, reason, kind), (number, kept, level) in rows:
        by_label = dict(zip(LABEL_NAMES, marginals, strict=True))
        yield Block(text, label, by_label, reason, kind, number, kept, level, around, result)
