"""Names of the compared systems and the command of each one's child."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

VICTOR: Final = "victor"
_FOLDER: Final = Path(__file__).parent
_PYTHON: Final = (
    VICTOR,
    "victor-kimatu",
    "victor-crf",
    "victor-crf-0.5",
    "victor-czech",
    "victor-0.5",
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


@dataclass(frozen=True, slots=True)
class System:
    """How a system is started."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


def systems(names: Sequence[str], node_modules: Path | None) -> list[System]:
    """The systems of some names."""
    return [_node(name, node_modules) if name in _NODE else _python(name) for name in names]


def _node(name: str, node_modules: Path | None) -> System:
    paths = {} if node_modules is None else {"NODE_PATH": str(node_modules.resolve())}
    return System(name, ["node", str(_FOLDER / "extract.cjs"), _NODE[name]], paths)


def _python(name: str) -> System:
    command = [sys.executable, "-P", "-m", "peers.worker", name]
    folders = [str(_FOLDER.parent), str(_FOLDER.parents[1])]  # Victor is that of this tree
    return System(name, command, {"PYTHONPATH": os.pathsep.join(folders)})
