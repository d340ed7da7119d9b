"""Cut pages into block tables and compute their columns, as a configuration says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from victor.base.errors import ConfigError
from victor.base.lazy import cached_property
from victor.config import modules
from victor.config.modules import in_use, module_name, switched_off
from victor.config.schema import Config
from victor.features.base import Column, ColumnValues, FeatureSet, Kind
from victor.model.chain import COLUMNS as POOLED
from victor.model.discretize import without_columns
from victor.model.template import Template
from victor.page.table.blocks import HIDING, BlockTable
from victor.page.table.segment import read_pages, segment

BATCH_BYTES = 8_000_000
"""Markup per batch, a number that any machine has the memory for: a batch takes some 15 times as
much, which is as much as the process takes without it. Smaller ones pay per call of numpy, larger
ones gain nothing. What a page gives does not depend on its batch."""
_PAGE_BYTES = 2_000
"""What a page counts besides its markup, so that a batch of empty pages comes to an end, too."""

Item = TypeVar("Item")

Modules = Sequence[tuple[str, Sequence[Column]]]
"""Names of feature modules, each with its columns; one may stand several times."""


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
        self._listed = config.with_sources() if trust_code else config
        self._trust_code = trust_code
        self.features: FeatureSet = from_config(in_use(self._listed.features), trust_code)
        read = self.features.attributes
        # Where features read attributes at all, `victor.kinds.copies` asks what hides elements.
        wanted = (*read, *(HIDING if read else ()), *attributes)
        self._attributes = tuple(dict.fromkeys(wanted))

    @cached_property
    def config(self) -> Config:
        """The configuration, fitted to its modules, those that are off left out.

        Raises:
            ConfigError, TemplateError: as `victor.model.extractor.reading`.
            FeatureError: as `victor.features.from_config`, of a module that is off.
        """
        from victor.features import from_config  # imports only what is named

        listed = self._listed.features
        sets = [from_config([entry], self._trust_code) for entry in switched_off(listed)]
        off = {column.name for features in sets for column in features.columns} - {*self.kinds}
        config, features = self._listed, tuple(in_use(listed))
        if config.added or features != listed:
            config = config.replace(features=features, added=())
        return reading(config, self._modules, added=self._added, off=off)

    def without(self, module: str) -> Config:
        """The configuration as if a module were off; the columns are those of all modules."""
        features = (entry for entry in self.config.features if module_name(entry) != module)
        config = self.config.replace(features=tuple(features))
        others = [(name, columns) for name, columns in self._modules if name != module]
        off = [column.name for column in self.modules[module]]
        return reading(config, others, added=self._added, off=off)

    @property
    def modules(self) -> dict[str, tuple[Column, ...]]:
        """Columns of the feature modules that are on, by name, in the order of the configuration.

        >>> from victor.config.layers import load
        >>> [column.name for column in FeatureExtractor(load("crf")).modules["duplicates"]]
        ['first-duplicate', 'duplicate-count']
        """
        modules: dict[str, tuple[Column, ...]] = {}
        for name, columns in self._modules:
            modules[name] = (*modules.get(name, ()), *columns)
        return modules

    @property
    def _modules(self) -> list[tuple[str, tuple[Column, ...]]]:
        names = map(module_name, in_use(self._listed.features))
        columns = (feature.columns for feature in self.features.features)
        return [*zip(names, columns, strict=True)]

    @property
    def _added(self) -> set[str]:
        """Modules that are read in any case: those that a layer added, and files of a user."""
        return {*self._listed.added, *modules.names(in_use(self._listed.features))}

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kind of every column."""
        return {column.name: column.kind for column in self.features.columns}

    @property
    def canonical(self) -> bool:
        """Are the segments of its tables those that labels of annotated pages belong to."""
        options = self._listed.segment
        return not (options.alt_text or options.pre_lines or self._listed.split == "line")

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        options = self._listed.segment
        if self._listed.split == "line":
            from victor.page.parsing.source_lines import record_lines  # few models cut at lines

            return segment(record_lines(pages, attributes=self._attributes), "line")
        return read_pages(
            pages, self._listed.split, alt_text=options.alt_text, attributes=self._attributes,
            pre_lines=options.pre_lines,
        )  # fmt: skip

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


# --- What reads a module goes with it -------------------------------------------------------------


def reading(
    config: Config, modules: Modules, *, added: Collection[str] = (), off: Collection[str] = ()
) -> Config:
    """The configuration, fitted to its modules.

    A module goes with everything that reads one of its columns: entries of the template,
    conjunctions among them, codes, scales, the edges and pooling. One that was added is read at
    offset 0 unless something reads a column of it.

    Args:
        config: with the entries of its template, as `victor.config.layers.load` gives it.
        modules: those that are on.
        added: names of those to be read in any case.
        off: columns of the others.

    Raises:
        ConfigError: nothing is left to read.
        TemplateError: the template is malformed or names an unknown column.
    """
    if off:
        config = _without(config, modules, off)
    if not added:
        return config
    template = Template.of(config, _kinds(modules))
    read = {*template.names, *template.edge_names}
    unread = [
        (name, columns)
        for name, columns in modules
        if name in added and not read & {column.name for column in columns}
    ]
    entries = [{"column": column.name} for _, columns in unread for column in columns]
    return config.replace(template=(*config.template, *entries)) if entries else config


def n_entries(config: Config, modules: Modules) -> int:
    """How many entries of a template its potentials have, those of edges among them."""
    template = Template.of(config, _kinds(modules))
    return len(template.entries) + len(template.edges)


def _without(config: Config, modules: Modules, off: Collection[str]) -> Config:
    """The configuration without what reads one of some columns."""
    kinds: dict[str, Kind] = {**_kinds(modules), **dict.fromkeys(off, "number")}
    listed = config.replace(crf=config.crf.replace(edges=None))  # entries of the list alone
    template = Template.of(listed, kinds).without(off)
    if not template.entries:
        raise ConfigError("every entry of the template uses these columns: no model is left")
    crf = config.crf.replace(
        scale={name: value for name, value in config.crf.scale.items() if name not in off},
        edges=None if config.crf.edges in off else config.crf.edges,
        pooling=config.crf.pooling if {*off}.isdisjoint(POOLED) else 0.0,
    )
    discretize = without_columns(config.discretize, off)
    return config.replace(template=tuple(template.structure), crf=crf, discretize=discretize)


def _kinds(modules: Modules) -> dict[str, Kind]:
    """Kind of every column of some modules."""
    return {column.name: column.kind for _, columns in modules for column in columns}
