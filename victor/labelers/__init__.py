"""Labelers: systems that turn the pages of a batch into labelled blocks, behind one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from victor.config import Limits, load_as
from victor.config.own_modules import TRUST
from victor.errors import ConfigError
from victor.model.decide import Decision
from victor.page.blocks import BlockTable
from victor.page.verdict import Verdict

LABELERS: Final[Mapping[str, str]] = {
    "bte": "victor.labelers.bte",
    "cetr": "victor.labelers.cetr",
    "density": "victor.labelers.density",
    "dom": "victor.labelers.dom",
    "kimatu": "victor.labelers.kimatu",
    "link-quota": "victor.labelers.link_quota",
    "none": "victor.labelers.none",
}
"""Systems that need no model: name to the module that makes one.

Each has a shipped configuration of its name. Its module has the schema, ``Settings``, a function
``labeler`` of settings, perhaps ``code_of`` settings, the path of what can run code, and ``SPACE``,
the values of the constants that `victor.training.search` tries.
"""

OF_SITES: Final = ("kimatu",)
"""Those that can be given the texts which are frequent on sites; `victor sites` counts them."""


@runtime_checkable
class Labeler(Protocol):
    """The interface that rendering, evaluation, sweep, crawl and annotation use."""

    @property
    def name(self) -> str:
        """Name as users give it, e.g. ``crf``."""
        ...

    @property
    def limits(self) -> Limits:
        """Bounds of one page as the system is configured."""
        ...

    @property
    def canonical(self) -> bool:
        """Do its tables have the segments that the labels of annotated pages belong to."""
        ...

    @property
    def decision(self) -> Decision:
        """How labels are chosen by default."""
        ...

    @property
    def presets(self) -> Mapping[str, float]:
        """Named thresholds, e.g. ``precision``; empty if the system has none."""
        ...

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes, cut as this system needs it."""
        ...

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Label the blocks of a batch; without a decision, as the system is configured."""
        ...


@runtime_checkable
class SiteLabeler(Labeler, Protocol):
    """A labeler that knows something of the sites that pages come from."""

    def label_pages(
        self, table: BlockTable, urls: Sequence[str | None], decision: Decision | None = None
    ) -> Verdict:
        """As `label`, given the address of every page."""
        ...


def build_labeler(
    name: str,
    source: str | Path | None = None,
    overrides: Sequence[str] = (),
    sites: str | Path | None = None,
    trust_code: bool = False,
) -> Labeler:
    """A system that needs no model, built from a configuration.

    Args:
        name: one of `LABELERS`.
        source: shipped name or path of a YAML file; None for the shipped one of that name.
        overrides: ``key=value``.
        sites: file of texts that are frequent on sites, for the systems in `OF_SITES`.
        trust_code: load what the configuration names and what can run code: a model of spaCy.

    Raises:
        ConfigError: there is no such system, its configuration is wrong, or a list that this names
            is missing; it has no use for texts of sites, or their file is missing; it names code
            that `trust_code` does not allow.
        ModelError: a model that it names is missing or damaged.
    """
    if name not in LABELERS:
        raise ConfigError(f"there is no labeler {name!r}; choose {', '.join(sorted(LABELERS))}")
    module = import_module(LABELERS[name])
    settings = load_as(module.Settings, source or name, overrides)
    code = module.code_of(settings) if hasattr(module, "code_of") else None
    if code is not None and not trust_code:
        raise ConfigError(
            f"the configuration wants {str(code)!r} to be loaded, which can run code; nothing was "
            f"run. If you trust it, say so in this call: {TRUST}"
        )
    if sites is None:
        built: Labeler = module.labeler(settings)
    else:
        check_sites(name)
        built = module.labeler(settings, sites=module.SiteTexts.load(Path(sites)))
    return built


def check_sites(name: str | None) -> None:
    """Make sure that a system has a use for texts of sites; None stands for models.

    Raises:
        ConfigError: it has none.
    """
    if name not in OF_SITES:
        raise ConfigError(f"--sites is of use with --labeler {' or '.join(OF_SITES)} only")
