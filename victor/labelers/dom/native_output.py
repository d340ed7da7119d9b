"""Output in the form of the paper: filtered text or HTML, with the removed links at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from victor.errors import ConfigError
from victor.labelers.dom.findings import Findings
from victor.labelers.dom.images import Extras, Link
from victor.labelers.dom.settings import Filters, Settings
from victor.page.full_record import Item, Kind, Markup, markup_of
from victor.page.tags import VOID
from victor.page.verdict import Verdict
from victor.render import renderer

_NO_EXTRAS: Final = Extras()
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
    *,
    markup: bytes | None = None,
    extras: Extras = _NO_EXTRAS,
) -> str:
    """A page in the form of the settings.

    Args:
        findings: of the steps on the batch.
        verdict: labels of the batch.
        page: number of the page in the batch.
        settings: the constants.
        markup: the UTF-8 bytes of the page, needed for HTML.
        extras: the images that stay, for HTML, and the links to append if the settings ask for it.

    Raises:
        ConfigError: the form is HTML and there is no markup of the page.
    """
    appended = extras.removed_links if settings.output.removed_links else ()
    if settings.output.form == "text":
        return _text(verdict, page, settings.output.line_breaks, appended)
    if markup is None:
        raise ConfigError("the html form needs the markup of the page: give markup=<UTF-8 bytes>")
    full = markup_of(verdict.table, page, markup)
    first, _ = findings.page_tags(page)
    staying = frozenset(image.tag - first for image in extras.images)
    items = [*_filtered(full.items, findings.gone[first:].tolist(), staying, settings.filters)]
    reduced = Markup((*_with_links(items, appended),), full.n_tags, full.alt_text)
    return renderer("html")(verdict, page, markup=reduced)


def _text(verdict: Verdict, page: int, line_breaks: int, links: Sequence[Link]) -> str:
    """Text, then a line for each link, with at most `line_breaks` newlines in a row."""
    text = renderer("text")(verdict, page)
    lines = "".join(f"{link.text} {link.url}".lstrip() + "\n" for link in links)
    output = f"{text}\n{lines}" if text and lines else text + lines
    return re.sub(rf"\n{{{line_breaks + 1},}}", "\n" * line_breaks, output)


def _filtered(
    items: Sequence[Item], gone: Sequence[bool], images: frozenset[int], filters: Filters
) -> Iterator[Item]:
    """The items that the filters and removers leave; removed text becomes a space.

    Args:
        items: the page.
        gone: per tag of the page, is the place after it removed.
        images: tags of the images that stay.
        filters: which elements are removed.
    """
    unseen = frozenset().union(*(names for key, names in _UNSEEN.items() if getattr(filters, key)))
    depth = 0
    for item in items:
        is_start = item.kind is Kind.START
        step = {Kind.START: 1, Kind.END: -1}.get(item.kind, 0) * (item.text not in VOID)
        if depth:
            depth += step
        elif is_start and (item.text in unseen or (not item.dropped and gone[item.tag])):
            depth += step
            if not item.dropped:
                yield Item(Kind.TEXT, " ", _NOTHING, item.tag, dropped=True)
        elif is_start and _is_filtered(item, images, filters):
            continue
        else:
            yield _trimmed(item, filters) if is_start else item


def _is_filtered(item: Item, images: frozenset[int], filters: Filters) -> bool:
    """Is a void element removed."""
    match item.text:
        case "img":
            return item.dropped or item.tag not in images
        case "meta":
            return filters.meta and not _declares_encoding(item.attributes)
        case "link":
            kinds = item.attributes.get("rel", "").lower().split()
            return filters.styles and "stylesheet" in kinds
        case _:
            return False


def _declares_encoding(attributes: Mapping[str, str]) -> bool:
    kind = attributes.get("http-equiv", "").strip().lower()
    return "charset" in attributes or kind == "content-type"


def _trimmed(item: Item, filters: Filters) -> Item:
    """A start tag without its filtered attributes."""
    unwanted = {"style"} if filters.style_attributes else set()
    if filters.cell_widths and item.text in _CELLS:
        unwanted.add("width")
    if unwanted.isdisjoint(item.attributes):
        return item
    kept = {name: value for name, value in item.attributes.items() if name not in unwanted}
    return item._replace(attributes=kept)


def _with_links(items: Sequence[Item], links: Sequence[Link]) -> Iterator[Item]:
    """The items with a list of links before the end of the body, or at the end without one."""
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
