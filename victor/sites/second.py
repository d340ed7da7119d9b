"""A second verdict on pages of one site: small trees that change the log-odds of the first.

"What repeats on the site is furniture" is wrong as a rule: listings repeat what is content. So the
change is learnt, from pages of sites with two annotated pages or more
(`benchmarks/site_trees.py`), and it is bounded.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats
from victor.base.errors import ModelError
from victor.base.files import package_folder
from victor.base.labels import Label
from victor.model import archive
from victor.model.trees import Trees
from victor.sites.columns import COLUMNS, SitePages

BOUND: Final = 1.0
"""Log-odds change by this at most: e times as probable, or as improbable."""
FORMAT: Final = 1
_NAME: Final = "sites.trees"


class SecondVerdict(Struct, frozen=True, eq=False):
    """Gives marginals anew.

    Attributes:
        trees: over `victor.sites.columns.COLUMNS`; what they say of text is added to the log-odds.
    """

    trees: Trees

    def __call__(self, pages: SitePages) -> Floats:
        """(n, 3) marginals; a page without others keeps those of the first pass to the bit."""
        marginals = pages.marginals.copy()
        if len(pages.changing):
            columns = pages.columns()
            starts = np.array([0, len(pages.changing)])
            potentials = self.trees(columns, starts)[:, Label.TEXT]
            odds = columns["log-odds"] + np.clip(potentials, -BOUND, BOUND)
            keep = 0.5 + 0.5 * np.tanh(odds / 2)
            header = columns["header"]
            marginals[pages.changing] = np.stack(
                [header * keep, (1 - header) * keep, 1 - keep], axis=1
            )
        return marginals

    def save(self, path: Path) -> None:
        """Write a file; the same trees are the same bytes."""
        document, arrays = self.trees.to_arrays()
        archive.write(path, {"format": FORMAT, "trees": document}, arrays)

    @classmethod
    def load(cls, path: Path) -> SecondVerdict:
        """Read a file.

        Raises:
            ModelError: it is missing, damaged or of another format.
        """
        document, arrays = archive.read(path)
        trees: Any = document.get("trees")
        if document.get("format") != FORMAT or not isinstance(trees, dict):
            raise ModelError(
                f"{path} holds no trees for sites; install this version of Victor anew"
            )
        loaded = Trees.from_arrays(trees, arrays)
        if not {*loaded.columns} <= COLUMNS.keys():
            raise ModelError(f"{path} reads columns that there are not; install Victor anew")
        return cls(loaded)


@cache
def shipped() -> SecondVerdict:
    """The trees that come with the package."""
    return SecondVerdict.load(package_folder("victor.models") / _NAME)
