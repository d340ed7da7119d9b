"""Names of the compared systems and the command of each one's child."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

VICTOR: Final = "victor"
REFERENCE: Final = "lxml-parse"
"""Not a system: parses and gives nothing; what times are divided by."""

_FOLDER: Final = Path(__file__).parent
_PYTHON: Final = (
    VICTOR,
    "trafilatura",
    "trafilatura-fast",
    "trafilatura-recall",
    "justext-english",
    "justext-language",
    "readability-lxml",
    "resiliparse",
    "newspaper4k",
    "goose3",
    "boilerpy3-article",
    "boilerpy3-default",
    "magic-html",
)
_NODE: Final = {"readability-js": "readability", "defuddle": "defuddle"}
NAMES: Final = (*_PYTHON, *_NODE)
BATCHED: Final = "victor-batches"
"""Victor given several pages at a time, as its command line does; timed only."""
BATCH: Final = 8


@dataclass(frozen=True, slots=True)
class System:
    """How a system is started, and how many pages it is given in one request."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    pages: int = 1


def systems(
    names: Sequence[str], node_modules: Path | None, *, timed: bool = False
) -> list[System]:
    """The systems of some names; `timed` ones run without garbage collection inside a request."""
    return [_system(name, node_modules, timed=timed) for name in names]


def _system(name: str, node_modules: Path | None, *, timed: bool) -> System:
    if name in _NODE:
        paths = {} if node_modules is None else {"NODE_PATH": str(node_modules.resolve())}
        return System(name, ["node", str(_FOLDER / "extract.cjs"), _NODE[name]], paths)
    loader, pages = (VICTOR, BATCH) if name == BATCHED else (name, 1)
    flags = ["--no-gc"] if timed else []
    command = [sys.executable, "-P", "-m", "peers.worker", loader, *flags]
    return System(name, command, {"PYTHONPATH": str(_FOLDER.parent)}, pages)
