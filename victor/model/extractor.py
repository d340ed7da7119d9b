"""Cut pages into block tables and compute their columns, as a configuration says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from victor.config import Config
from victor.features.base import ColumnValues, FeatureSet, Kind
from victor.page.parsing.events import record
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment

BATCH_BYTES = 8_000_000
"""Markup per batch, a number that any machine has the memory for: a batch takes some 15 times as
much, which is as much as the process takes without it. Smaller ones pay per call of numpy, larger
ones gain nothing. What a page gives does not depend on its batch."""
_PAGE_BYTES = 2_000
"""What a page counts besides its markup, so that a batch of empty pages comes to an end, too."""

Item = TypeVar("Item")


class FeatureExtractor:
    """Cuts pages and measures their blocks as one configuration says.

    Args:
        config: names the split, the segment options and the feature modules.
        attributes: element attributes to record beside those that the features read.
        trust_code: run the code that the configuration brings: feature modules that are files.

    Raises:
        ConfigError, FeatureError: as `victor.features.from_config`.
    """

    def __init__(
        self,
        config: Config,
        *,
        attributes: Sequence[str] = (),
        trust_code: bool = False,
    ) -> None:
        from victor.features import from_config  # imports only what is named

        # Read once: what measures is what a model stores.
        self.config = config.with_sources() if trust_code else config
        self.features: FeatureSet = from_config(self.config.features, trust_code)
        read = self.features.attributes
        self._attributes = (*read, *(name for name in attributes if name not in read))

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kind of every column."""
        return {column.name: column.kind for column in self.features.columns}

    @property
    def canonical(self) -> bool:
        """Are the segments of its tables those that labels of annotated pages belong to."""
        options = self.config.segment
        return not (options.alt_text or options.pre_lines or self.config.split == "line")

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        options = self.config.segment
        if self.config.split == "line":
            from victor.page.parsing.line_events import record_lines  # few models cut at lines

            return segment(record_lines(pages, attributes=self._attributes), "line")
        events = record(pages, alt_text=options.alt_text, attributes=self._attributes)
        return segment(events, self.config.split, pre_lines=options.pre_lines)

    def columns(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """All columns of the configured features."""
        return self.features(table)


def batches(
    items: Iterable[tuple[Item, bytes]], limit: int = BATCH_BYTES
) -> Iterator[list[tuple[Item, bytes]]]:
    """Group pages into batches of about `limit` bytes, in order; a larger page stands alone."""
    batch: list[tuple[Item, bytes]] = []
    size = 0
    for item, markup in items:
        cost = len(markup) + _PAGE_BYTES
        if batch and size + cost > limit:
            yield batch
            batch, size = [], 0
        batch.append((item, markup))
        size += cost
    if batch:
        yield batch
