"""Which elements surround a block: flags per element name, container, depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from victor.base.arrays import Ints
from victor.features.base import Column, Feature, Kernel, of_tag_ids, tag_ids
from victor.page.parsing.tags import HEADINGS, IDS, NAMES

NAMED = ("article", "main")
_CONTAINERS = ("p", "div", "li", "td", "th", "dd", "dt", "section", "article", "span", *HEADINGS)


def build(names: Sequence[str] = NAMED) -> Feature:
    """Flags for ancestors of the given element names, the container's kind, depth.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<nav>Home</nav><div><h2>News</h2></div><p>Bees"])
    >>> values = build(["nav"])(table)
    >>> [values[name].tolist() for name in ("inside.nav", "heading.level", "element.depth")]
    [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [3.0, 4.0, 3.0]]
    """
    columns = [Column(f"inside.{name}", "bool", f"stands inside <{name}>") for name in names]
    columns += [
        Column("container.tag", "category", f"innermost block: {_container_names()}"),
        Column("heading.level", "category", "level of the heading around it, 0 outside"),
        Column("element.depth", "count", "elements around the innermost block-level element"),
    ]

    parameters = tag_ids(names), of_tag_ids(_container_codes())
    return Kernel(tuple(columns), "ancestors", parameters)


def _container_names() -> str:
    """What the codes stand for, for people."""
    return ", ".join(f"{code} {name}" for code, name in enumerate(("another", *_CONTAINERS)))


def _container_codes() -> Ints:
    """Small code of every tag id: 1... for the containers worth telling apart, 0 for the rest."""
    codes = np.zeros(len(NAMES), dtype=np.int64)
    for code, name in enumerate(_CONTAINERS, 1):
        codes[IDS[name]] = code
    return codes
