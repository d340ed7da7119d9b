"""How much a block's text looks like one language, by two methods (Victor 2008: langid*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from victor.base.arrays import Floats
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.profiles import load_profiles
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts


class _Identifier(Protocol):
    def scores(self, texts: Sequence[str], language: str) -> Floats: ...


def build(*, language: str = "en", profiles: str | None = None) -> Feature:
    """Scores in [0, 1] of every block for a target language; 0 for a block without words.

    Args:
        language: code of a language with a profile.
        profiles: directory of profiles made with ``victor language train``; else those that ship.

    Raises:
        ConfigError: the language has no profile.
        ModelError: the directory has no profiles.

    >>> from victor.page.table.segment import parse_pages
    >>> pages = [b"<p>the weather was fine all through the week<p>den ganzen Sommer lang Regen"]
    >>> values = build(language="de")(parse_pages(pages, "tag"))
    >>> english, german = values["langid2"]
    >>> values["langid1"].round(1), bool(german > english)
    (array([0., 1.]), True)
    """
    languages = load_profiles(None if profiles is None else Path(profiles))
    methods: dict[str, _Identifier] = {
        "langid1": BeesleyIdentifier(languages),
        "langid2": CavnarIdentifier(languages),
    }
    for method in methods.values():
        method.scores([], language)  # an unknown language is refused here, not at the first page
    columns = (
        Column("langid1", "number", f"probability of {language} (Beesley 1988)"),
        Column("langid2", "number", f"likeness to {language} (Cavnar and Trenkle 1994)"),
    )

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        texts = block_texts(table)
        return {name: method.scores(texts, language) for name, method in methods.items()}

    return Measure(columns, compute)
