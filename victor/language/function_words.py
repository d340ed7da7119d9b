"""Lists of the function words of languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from victor.base.files import package_folder
from victor.config import plain_yaml

_FOLDER: Final = "word_lists"
_WORD: Final = re.compile(r"[^\W\d_]+")
_KINDS: Final = ("prepositions", "auxiliaries", "negation", "conjunctions")


@cache
def word_lists() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By language the lists that there are: prepositions, auxiliaries, negation, conjunctions."""
    folder = package_folder("victor.language") / _FOLDER
    return {path.stem: _read(path) for path in sorted(folder.glob("*.yaml"))}


def _read(path: Path) -> Mapping[str, frozenset[str]]:
    words = plain_yaml.read(path)
    return {kind: frozenset(words[kind]) for kind in _KINDS}
