"""DOM + named entities: filters and removers, the article's subtree, and the images that fit it.

Source: Agarwal, Chheda, Shah, Narvekar: Content extraction using document object model and natural
language processing for web. IJCSE 3(2), 2014; filters and removers are those of Gupta, Kaiser,
Neistadt, Grimm: DOM-based content extraction of HTML documents. WWW 2003.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from msgspec import structs

from victor.base.errors import ConfigError
from victor.labelers.dom.findings import Findings, clues
from victor.labelers.dom.relevance import (
    CAPITALS,
    Extras,
    Link,
    Recogniser,
    images,
    load_recogniser,
    removed_links,
    unrelated,
)
from victor.labelers.dom.removal import AdHosts, Settings, ad_hosts, blocks_of, shows_alternatives
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler
from victor.model.decide import Decision
from victor.page.markup.full_record import Item, Kind, Markup, markup_of
from victor.page.parsing.tags import IDS, VOID
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict
from victor.render.html import written
from victor.render.text import plain_text

NAME: Final = "dom"
_OF_IMAGES: Final = ("url", "alt", "caption", "relevance")


def labeler(settings: Settings) -> DomLabeler:
    """The labeler with given constants.

    Raises:
        ConfigError: a list or function that they name is missing.
    """
    hosts, recogniser = ad_hosts(settings.ads_lists), load_recogniser(settings.entities_recogniser)
    find = partial(findings, settings=settings, hosts=hosts, recogniser=recogniser)
    return DomLabeler(
        NAME,
        lambda table: find(table).keep(),
        limits=settings.limits,
        scope=settings.scope,
        canonical=not shows_alternatives(settings),
        settings=settings,
        find=find,
        recogniser=recogniser,
    )


def code_of(settings: Settings) -> str | None:
    """The function that recognises entities, which is code."""
    named = settings.entities_recogniser
    return None if named == CAPITALS else named


SYSTEM: Final = System(Settings, labeler, code_of=code_of)


def findings(
    table: BlockTable, settings: Settings, hosts: AdHosts, recogniser: Recogniser
) -> Findings:
    """The findings of all steps on the pages of a batch."""
    steps = Findings.of(table, settings, hosts)
    return replace(steps, unrelated=unrelated(steps, recogniser, settings))


@dataclass(frozen=True, kw_only=True)
class DomLabeler(RuleLabeler):
    """A rule labeler whose verdicts also hold images and links.

    Threshold 0.5 gives what the steps decide; a lower one keeps only the densest of these blocks, a
    higher one adds the densest of the others.
    """

    settings: Settings  # the constants
    # table to the findings of the steps on the pages of a batch
    find: Callable[[BlockTable], Findings]
    recogniser: Recogniser  # finds named entities

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        return blocks_of(pages, self.settings)

    def clues(self, table: BlockTable) -> Sequence[Clue]:
        """What the steps found of the blocks of a batch."""
        return clues(self.find(table))

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Marginals and labels of every block of a batch.

        Raises:
            ConfigError: the decision wants a sequence model.
        """
        findings = self.find(table)
        verdict = self.verdict(table, findings.keep(), decision)
        return structs.replace(
            verdict, extras=partial(self._more, findings), native=self.output, cut=findings.cut
        )

    def extras(self, findings: Findings, verdict: Verdict, page: int) -> Extras:
        """The images of a page that stay and the removed links; see `dom.relevance`."""
        kept = images(findings, verdict, page, self.recogniser, self.settings)
        return Extras((*kept,), (*removed_links(findings, verdict, page),))

    def output(self, verdict: Verdict, page: int, markup: bytes | None = None) -> str:
        """A page in the form of the settings, which is that of the paper.

        Raises:
            ConfigError: the form is HTML and there is no markup of the page.
        """
        findings = self.find(verdict.table)
        extras = self.extras(findings, verdict, page)
        return output(findings, verdict, page, self.settings, extras, markup)

    def _more(self, findings: Findings, verdict: Verdict, page: int) -> Mapping[str, Any]:
        extras = self.extras(findings, verdict, page)
        shown = [{key: getattr(one, key) for key in _OF_IMAGES} for one in extras.images]
        links = [{"url": link.url, "text": link.text} for link in extras.removed_links]
        listed = {"removed_links": links} if self.settings.output_removed_links else {}
        removed = findings.removed_words(verdict, page)
        return {"images": shown, "removed_words": removed, **listed}


_NOTHING: Final[Mapping[str, str]] = {}
_UNSEEN: Final = {
    "scripts": frozenset({"script"}),
    "styles": frozenset({"style"}),
    "inputs": frozenset({"input", "textarea"}),
    "iframes": frozenset({"iframe"}),
    "embeds": frozenset({"embed", "object", "applet"}),
}
"""Elements that never hold text of a block, so they matter for HTML only."""
_CELLS: Final = frozenset({"td", "th"})


def output(
    findings: Findings,
    verdict: Verdict,
    page: int,
    settings: Settings,
    extras: Extras,
    markup: bytes | None,
) -> str:
    """A page in the form of the settings.

    Args:
        findings: of the steps on the batch.
        verdict: labels of the batch.
        page: number of the page in the batch.
        settings: the constants.
        extras: the images that stay, for HTML, and the links to append if the settings ask for it.
        markup: the UTF-8 bytes of the page, needed for HTML.

    Raises:
        ConfigError: the form is HTML and there is no markup of the page.
    """
    appended = extras.removed_links if settings.output_removed_links else ()
    if settings.output_form == "text":
        return _text(verdict, page, settings.output_line_breaks, appended)
    if markup is None:
        raise ConfigError("the html form needs the markup of the page: give markup=<UTF-8 bytes>")
    full = markup_of(verdict.table, page, markup)
    first_tag, _ = findings.page_tags(page)
    staying = frozenset(image.tag - first_tag for image in extras.images)
    items = [*_Filter(findings, page, staying, settings).items(full.items)]
    reduced = Markup.of([*_with_links(items, appended)], full.n_tags, alt_text=full.alt_text)
    return written(verdict, page, reduced)


def _text(verdict: Verdict, page: int, line_breaks: int, links: Sequence[Link]) -> str:
    text = plain_text(verdict, page)
    lines = "".join(f"{link.text} {link.url}".lstrip() + "\n" for link in links)
    output = f"{text}\n{lines}" if text and lines else text + lines
    return re.sub(rf"\n{{{line_breaks + 1},}}", "\n" * line_breaks, output)


class _Filter:
    """What the filters and removers leave of the items of a page; removed text becomes a space.

    Args:
        findings: of the steps on the batch.
        page: number of the page in the batch.
        images: tags of the images that stay, counted from the first of the page.
        settings: which elements are removed.
    """

    def __init__(
        self, findings: Findings, page: int, images: frozenset[int], settings: Settings
    ) -> None:
        table, (first_tag, last_tag) = findings.table, findings.page_tags(page)
        emptied = table.elements.open[findings.removal.emptied]
        texts = table.segments.tag
        texts = texts[(table.tags.id[texts] == IDS["img"]) & (table.tags.step[texts] > 0)]
        self._gone = findings.gone[first_tag : last_tag + 1].tolist()
        self._emptied = frozenset((emptied - first_tag).tolist())
        self._alternatives = frozenset((texts - first_tag).tolist())
        self._images = images
        self._settings = settings
        self._unseen = frozenset[str]().union(
            *(names for key, names in _UNSEEN.items() if getattr(settings, f"filters_{key}"))
        )

    def items(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items that stay."""
        depth = 0
        end: Item | None = None
        for item in items:
            step = {Kind.START: 1, Kind.END: -1}.get(item.kind, 0) * (item.text not in VOID)
            if self._has_alternative(item):
                yield Item(Kind.TEXT, item.attributes["alt"], _NOTHING, item.tag, dropped=False)
            elif depth:
                depth += step
                if not depth and end is not None:
                    yield end
            elif item.kind is Kind.START and self._is_removed(item):
                depth, end = step, None
                if item.tag in self._emptied and not item.dropped:
                    start, end = _outside(item)
                    yield _trimmed(start, self._settings)
                elif not item.dropped:
                    yield Item(Kind.TEXT, " ", _NOTHING, item.tag, dropped=True)
            elif item.kind is Kind.START:
                if not _is_filtered(item, self._images, self._settings):
                    yield _trimmed(item, self._settings)
            else:
                yield item

    def _has_alternative(self, item: Item) -> bool:
        is_image = item.kind is Kind.START and item.text == "img" and not item.dropped
        return is_image and item.tag in self._alternatives and not self._gone[item.tag]

    def _is_removed(self, item: Item) -> bool:
        return item.text in self._unseen or (not item.dropped and self._gone[item.tag])


def _outside(start: Item) -> tuple[Item, Item]:
    """The tags of an emptied element, as part of what is around it: it stays while that does."""
    start = start._replace(tag=start.tag - 1, dropped=True)
    return start, start._replace(kind=Kind.END, attributes=_NOTHING)


def _is_filtered(item: Item, images: frozenset[int], settings: Settings) -> bool:
    match item.text:
        case "img":
            return item.dropped or item.tag not in images
        case "meta":
            return settings.filters_meta and not _declares_encoding(item.attributes)
        case "link":
            kinds = item.attributes.get("rel", "").lower().split()
            return settings.filters_styles and "stylesheet" in kinds
        case _:
            return False


def _declares_encoding(attributes: Mapping[str, str]) -> bool:
    kind = attributes.get("http-equiv", "").strip().lower()
    return "charset" in attributes or kind == "content-type"


def _trimmed(item: Item, settings: Settings) -> Item:
    styled = settings.filters_style_attributes == "all" or (
        settings.filters_style_attributes == "div" and item.text == "div"
    )
    unwanted = {"style"} if styled else set()
    if settings.filters_cell_widths and item.text in _CELLS:
        unwanted.add("width")
    if unwanted.isdisjoint(item.attributes):
        return item
    kept = {name: value for name, value in item.attributes.items() if name not in unwanted}
    return item._replace(attributes=kept)


def _with_links(items: Sequence[Item], links: Sequence[Link]) -> Iterator[Item]:
    ends = [n for n, item in enumerate(items) if item.kind is Kind.END and item.text == "body"]
    position = ends[-1] if ends else len(items)
    yield from items[:position]
    if links:
        yield from _link_items(links, items[position - 1].tag if position else 0)
    yield from items[position:]


def _link_items(links: Sequence[Link], tag: int) -> Iterator[Item]:
    def item(kind: Kind, text: str, attributes: Mapping[str, str] = _NOTHING) -> Item:
        return Item(kind, text, attributes, tag, dropped=True)

    yield item(Kind.START, "ul")
    for link in links:
        yield item(Kind.START, "li")
        yield item(Kind.START, "a", {"href": link.url})
        yield item(Kind.TEXT, link.text or link.url)
        yield item(Kind.END, "a")
        yield item(Kind.END, "li")
    yield item(Kind.END, "ul")
