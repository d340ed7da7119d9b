"""Which elements surround a block: flags per element name, container, depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from victor.base.arrays import Ints
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import of_tag_ids, tag_ids
from victor.page.parsing.tags import HEADINGS, IDS, NAMES
from victor.page.table.blocks import BlockTable

NAMED = ("article", "main")
_CONTAINERS = ("p", "div", "li", "td", "th", "dd", "dt", "section", "article", "span", *HEADINGS)


def build(names: Sequence[str] = NAMED) -> Feature:
    """Flags for ancestors of the given element names, the container's kind, depth.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<nav>Home</nav><div><h2>News</h2></div><p>Bees"])
    >>> values = build(["nav"])(table)
    >>> values["inside.nav"], values["heading.level"], values["element.depth"]
    (array([ True, False, False]), array([0, 2, 0]), array([3, 4, 3]))
    """
    columns = [Column(f"inside.{name}", "bool", f"stands inside <{name}>") for name in names]
    columns += [
        Column("container.tag", "category", f"innermost block: {_container_names()}"),
        Column("heading.level", "category", "level of the heading around it, 0 outside"),
        Column("element.depth", "count", "elements around the innermost block-level element"),
    ]

    codes = _container_codes()

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        values: dict[str, ColumnValues] = {
            f"inside.{name}": table.blocks_inside(frozenset({name})) for name in names
        }
        values["container.tag"] = codes[table.elements.tag[table.container]]
        values["heading.level"] = table.heading_level
        values["element.depth"] = table.elements.depth[table.container]
        return values

    kernel = Kernel("ancestors", (tag_ids(names), of_tag_ids(codes)))
    return Measure(tuple(columns), compute, kernel=kernel)


def _container_names() -> str:
    """What the codes stand for, for people."""
    return ", ".join(f"{code} {name}" for code, name in enumerate(("another", *_CONTAINERS)))


def _container_codes() -> Ints:
    """Small code of every tag id: 1... for the containers worth telling apart, 0 for the rest."""
    codes = np.zeros(len(NAMES), dtype=np.int64)
    for code, name in enumerate(_CONTAINERS, 1):
        codes[IDS[name]] = code
    return codes
