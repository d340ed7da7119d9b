"""The protocol of labelers, which turn pages into labelled blocks, and the names of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from victor.base.errors import ConfigError, hint
from victor.config.modules import TRUST
from victor.config.schema import Limits, Section
from victor.model.decide import Decision
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

_MODULES: Final = {
    "density": "density.labeler",
    "dom": "dom.labeler",
    "kimatu": "kimatu.steps",
    "none": "rules",
}
"""Where each system that needs no model has its ``SYSTEM``, which says how it is made."""
LABELERS: Final = tuple(_MODULES)
"""Systems that need no model, each with a shipped configuration of its name."""


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
        """Label the blocks of a batch; without a decision, as the system is configured.

        Loops over many rows ask the `allowance` of the table whether there is time for them.
        """
        ...


class System(Struct, frozen=True):
    """How a labeler is made of its constants."""

    settings: type[Section]  # the schema of the constants
    labeler: Callable[[Any], Labeler]  # settings to the labeler
    # settings to the code that they name; None if they name none
    code_of: Callable[[Any], str | None] = lambda _: None


def system(name: str) -> System:
    """The system of a name.

    Raises:
        ConfigError: it is not one of `LABELERS`.
    """
    if name not in LABELERS:
        raise ConfigError(f"there is no labeler {name!r}{hint(name, LABELERS)}")
    made: System = import_module(f"victor.labelers.{_MODULES[name]}").SYSTEM
    return made


def labeler_of(source: str | Path) -> str | None:
    """The labeler whose configuration a shipped name or a YAML file is; None for all else."""
    from victor.config.plain_yaml import CONFIGS, locate, read, shipped  # models need none

    if str(source) not in shipped(CONFIGS) and Path(source).suffix not in (".yaml", ".yml"):
        return None
    data = read(locate(source, CONFIGS, Path(), "configuration"))
    name = data.get("labeler") if isinstance(data, dict) else None
    return name if name in LABELERS else None


def build_labeler(
    name: str,
    source: str | Path | None = None,
    overrides: Sequence[str] = (),
    trust_code: bool = False,
) -> Labeler:
    """A system that needs no model, built from a configuration.

    Args:
        name: one of `LABELERS`.
        source: shipped name or path of a YAML file; None for the shipped one of that name.
        overrides: ``key=value``.
        trust_code: run the code that the configuration names: a recogniser of entities.

    Raises:
        ConfigError: there is no such system, its configuration is wrong, or a list that this names
            is missing; it names code that `trust_code` does not allow.
        ModelError: a model that it names is missing or damaged.
    """
    made = system(name)
    from victor.config.layers import load_as  # models need no files of configurations

    settings = load_as(made.settings, source or name, overrides)
    code = made.code_of(settings)
    if code is not None and not trust_code:
        raise ConfigError(
            f"the configuration wants {code!r} to be loaded, which is code; nothing was run. "
            f"If you trust it, say so in this call: {TRUST}"
        )
    return made.labeler(settings)
