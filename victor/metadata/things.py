"""The things of schema.org that a page declares, by the place where it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal

from victor.base.cached import cached_property
from victor.metadata.graph import Graph, Node
from victor.metadata.schema_org import by_id, microdata, nested, objects, types
from victor.page.parsing.heads import Head

Place = Literal["json-ld", "microdata"]
_MOST_NODES: Final = 20_000


@dataclass(frozen=True, eq=False)
class Things:
    """What one place of a page declares.

    Attributes:
        outermost: in order; what stands in lists and ``@graph`` is outermost, too.
        place: where it is declared.
    """

    outermost: Sequence[Mapping[str, Any]]
    place: Place

    @cached_property
    def graph(self) -> Graph:
        """The same, which finds what a value refers to."""
        return Graph(self.outermost, by_id(self.outermost))

    def of_type(self, *names: str) -> Iterator[Node]:
        """Each thing of one of some types, in lower case, wherever it stands."""
        wanted = {*names}
        for thing in islice(nested([*self.outermost]), _MOST_NODES):
            if not wanted.isdisjoint(types(thing)):
                yield thing


def declared(head: Head, markup: bytes) -> Iterator[Things]:
    """What a page declares in JSON-LD, then in microdata, each read when it is asked for.

    Args:
        head: of the page.
        markup: the page as UTF-8 bytes.
    """
    yield Things(objects(head), "json-ld")
    yield Things(microdata(markup), "microdata")
