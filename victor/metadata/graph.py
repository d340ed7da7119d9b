"""The schema.org things of a page: resolve references, choose the thing that the page is about.

Vocabulary: https://schema.org; syntax: https://www.w3.org/TR/json-ld11/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from victor.base.cached import cached_property
from victor.metadata.schema_org import by_id, members, read, types
from victor.metadata.texts import clean, letters, words

Node = Mapping[str, Any]

_MOST_NODES: Final = 20_000
_MOST_THINGS: Final = 500
"""Nodes that the thing a page is about is chosen from."""
_WRITTEN: Final = 4
_THING: Final = 3
_PAGE: Final = 2
_RANKS: Final[Mapping[str, int]] = {
    **dict.fromkeys(
        "article newsarticle blogposting blog-posting techarticle scholarlyarticle report "
        "opinionnewsarticle reportagenewsarticle analysisnewsarticle backgroundnewsarticle "
        "reviewnewsarticle advertisercontentarticle satiricalarticle medicalscholarlyarticle "
        "liveblogposting socialmediaposting discussionforumposting recipe review criticreview "
        "howto claimreview".split(),
        _WRITTEN,
    ),
    **dict.fromkeys(
        "product productgroup event course book movie musicrecording musicalbum "
        "softwareapplication softwaresourcecode webapplication mobileapplication "
        "videoobject podcastepisode dataset "
        "jobposting question quiz creativework creativeworkseries tvepisode tvseries thesis "
        "chapter game videogame apireference presentationdigitaldocument medicalcondition drug "
        "exerciseplan service vehicle car house apartment singlefamilyresidence".split(),
        _THING,
    ),
    **dict.fromkeys(
        "webpage medicalwebpage itempage aboutpage contactpage checkoutpage collectionpage "
        "profilepage qapage faqpage searchresultspage realestatelisting imagegallery".split(),
        _PAGE,
    ),
}
"""How likely a thing of each type is what its page is about; others are not."""
ORGANIZATIONS: Final = frozenset(
    "organization newsmediaorganization corporation governmentorganization localbusiness ngo "
    "educationalorganization collegeoruniversity medicalorganization".split()
)
_SITE_TYPES: Final = frozenset({"website"})
_MAIN_OF: Final = ("mainEntity", "mainEntityOfPage", "about")
_LIKE: Final = 0.5
"""Least share of words in common with the page's titles."""


@dataclass(frozen=True, eq=False)
class Graph:
    """All that the JSON-LD of a page says.

    Attributes:
        top: the nodes that are of no other node: of a script itself, of lists and of ``@graph``,
            and what a page names as its main entity.
        known: identifier to the node that says something of it.
    """

    top: Sequence[Node]
    known: Mapping[str, Node]

    @classmethod
    def of(cls, scripts: Sequence[str]) -> Graph:
        """Read the scripts of a page."""
        roots = [value for script in scripts for value in read(script)]
        known = by_id(roots)
        return cls([*_top_nodes(roots, known)], known)

    def resolved(self, value: object) -> Any:  # noqa: ANN401
        """A node in place of a reference to it; other values are as they are."""
        if isinstance(value, str) or not isinstance(value, Mapping) or value.get("name"):
            return value
        name = value.get("@id")
        return self.known.get(name, value) if isinstance(name, str) else value

    def values(self, value: object) -> Iterator[Any]:
        """The values that a value stands for, nodes in place of references, each node once."""
        seen: set[int] = set()
        for each in map(self.resolved, members(value)):
            if isinstance(each, Mapping):
                if id(each) in seen:  # many may refer to one that holds many
                    continue
                seen.add(id(each))
            yield each

    def texts(self, value: object, key: str = "name") -> list[str]:
        """Texts of a value: strings, and of nodes what they hold under a key."""
        return [*self.each_text(value, key)]

    def text(self, value: object, key: str = "name") -> str:
        """First text of a value, or ""."""
        if value is None:
            return ""
        return clean(value) if isinstance(value, str) else next(self.each_text(value, key), "")

    def each_text(self, value: object, key: str = "name") -> Iterator[str]:
        """`texts`, read one by one."""
        for each in self.values(value):
            several = [each] if isinstance(each, str) else []
            if isinstance(each, Mapping):
                several = members(each.get(key) or each.get("@value"))
            yield from filter(None, map(clean, several))

    @cached_property
    def site(self) -> Node:
        """The site that the page is of; empty where no script names it."""
        return next((node for node in self.top if _SITE_TYPES & {*types(node)}), {})

    @cached_property
    def page(self) -> Node:
        """The page itself as a thing; empty where no script names it."""
        return next((node for node in self.top if _rank(node) == _PAGE), {})

    def main(self, titles: Sequence[str], addresses: Sequence[str]) -> Node:
        """The thing that the page is about; empty where no script names it.

        Written works come before other things and these before pages. Of several, that counts which
        has the address or the title of the page; a list of things is about none of them.

        Args:
            titles: of the page, from elsewhere.
            addresses: of the page.
        """
        ranked = [(rank, node) for node in self.top if (rank := _rank(node)) > _PAGE]
        ranked = ranked[:_MOST_THINGS]
        if not ranked:
            return {}
        declared = {_address(address) for address in addresses if address}
        best = max(ranked, key=lambda pair: (self._fits(pair[1], titles, declared), pair[0]))
        if len(ranked) > 1 and not self._fits(best[1], titles, declared):
            rank = max(rank for rank, _ in ranked)
            of_rank = [node for each, node in ranked if each == rank]
            return of_rank[0] if len(of_rank) <= 2 else {}
        return best[1]

    def _fits(self, node: Node, titles: Sequence[str], addresses: set[str]) -> int:
        """Does a node have the address, 2, or the title of the page, 1."""
        if self._is_at(node, addresses):
            return 2
        title = words(self.text(node.get("headline")) or self.text(node.get("name")))
        return int(any(_likeness(title, words(other)) >= _LIKE for other in titles))

    def _is_at(self, node: Node, addresses: set[str]) -> bool:
        named = (node.get(key) for key in ("url", "@id", "mainEntityOfPage"))
        texts = (text for value in named for text in self.texts(value, "@id"))
        return any(_address(text) in addresses for text in texts)


def _top_nodes(roots: Sequence[object], known: Mapping[str, Node]) -> Iterator[Node]:
    waiting: list[object] = [*reversed(roots)]
    seen: set[int] = set()
    left = _MOST_NODES
    while waiting and left:
        left -= 1
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value[:_MOST_NODES])
        elif isinstance(value, Mapping) and id(value) not in seen:
            seen.add(id(value))
            if isinstance(graph := value.get("@graph"), list | dict):
                waiting.append(graph)
            if types(value):
                yield value
                waiting += reversed(_main_of(value, known))


def _main_of(node: Node, known: Mapping[str, Node]) -> list[object]:
    """What a page, which is not a list of questions, names as its main entity."""
    if _rank(node) != _PAGE or "faqpage" in types(node):
        return []
    inner = [each for key in _MAIN_OF for each in members(node.get(key))]
    nodes = [each for each in inner if isinstance(each, Mapping)]
    return [known.get(str(each.get("@id")), each) for each in nodes]


def is_work(node: Node) -> bool:
    """Is a node a written work."""
    return _rank(node) == _WRITTEN


def _rank(node: Node) -> int:
    return max((_RANKS.get(kind, 0) for kind in types(node)), default=0)


def _address(text: str) -> str:
    """An address for comparing: without scheme, ``www.``, query, fragment and slash at the end."""
    text = text[:2000].partition("#")[0].partition("?")[0].rstrip("/").lower()
    return letters(text.partition("://")[2].removeprefix("www.") or text)


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    if not first or not second:
        return 0.0
    return len({*first} & {*second}) / min(len({*first}), len({*second}))
