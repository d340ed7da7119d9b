"""Images that belong to an article, and links that went.

Source of the relevance of images: Agarwal, Chheda, Shah, Narvekar: Content extraction using
document object model and natural language processing for web. IJCSE 3(2), 2014; after Joshi, Liu:
Web document text and images extraction using DOM analysis and natural language processing. DocEng
2009.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.arrays import Ints
from victor.labelers.dom.entities import Recogniser, cosine
from victor.labelers.dom.findings import Found
from victor.labelers.dom.settings import Images, Settings
from victor.page.blocks import BlockTable
from victor.page.texts import block_texts, text_of
from victor.page.verdict import Verdict

_LONGEST_CAPTION: Final = 500
"""Characters; nested elements could otherwise repeat the text of a page for every image."""
_MOST_IMAGES: Final = 1000
"""Of a page; no more are looked at, as finding entities takes longer than all the rest."""
_NO_TARGETS: Final = ("#", "javascript:", "mailto:")


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a page.

    Attributes:
        url: its ``src`` as written.
        alt: alternative text.
        caption: text of the first block-level element around it, at most 500 characters.
        relevance: 0..1; cosine of the entities of caption and article, or for a short caption
            whether it names a main entity of the article.
        tag: its tag in the table.
    """

    url: str
    alt: str
    caption: str
    relevance: float
    tag: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link that went: its target as written, and its text."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Extras:
    """What a page has beside its text: the images that stay, the links that went."""

    images: tuple[Image, ...] = ()
    removed_links: tuple[Link, ...] = ()


def images(
    found: Found, verdict: Verdict, page: int, recogniser: Recogniser, settings: Settings
) -> list[Image]:
    """The images of a page that stay, in order.

    Those of advertisements and of elements that go do not stay, nor do images without a ``src``
    or with a relevance that is not above the limit. The article is the kept text of the verdict.
    Of the images that nothing has removed the first 1,000 are looked at.

    Args:
        found: what the steps found on the batch.
        verdict: labels of the batch.
        page: number of the page in the batch.
        recogniser: what finds named entities.
        settings: the constants.
    """
    candidates = [] if settings.filters.images else _candidates(found, page)
    elements = list(dict.fromkeys(element for _, element in candidates))
    captions = {element: _text(found.table, element) for element in elements}
    if not any(captions.values()):
        return []
    kept = verdict.page(page)
    blocks = kept.start + np.flatnonzero(verdict.kept[kept])
    article = "\n".join(block_texts(verdict.table, blocks))
    first, *others = recogniser.counts([article, *captions.values()])
    scores = {
        element: relevance(captions[element], counts, first, settings.images)
        for element, counts in zip(elements, others, strict=True)
    }
    made = (_image(found.table, tag, captions[e], scores[e]) for tag, e in candidates)
    return [image for image in made if image.url and image.relevance > settings.images.relevance]


def relevance(
    caption: str, entities: Counter[str], article: Counter[str], settings: Images
) -> float:
    """How much a caption belongs to an article, 0..1.

    Args:
        caption: its text.
        entities: how often each entity is named in it.
        article: how often each entity is named in the article.
        settings: what is short, and how many entities are main ones.
    """
    if len(caption.split()) > settings.short:
        return cosine(entities, article)
    main = [name for name, _ in article.most_common(settings.representatives)]
    return float(any(name in entities for name in main))


def removed_links(found: Found, verdict: Verdict, page: int) -> list[Link]:
    """The links of a page that went, each target once; those to ad servers are left out.

    A link went if it lies in an element that goes, or holds text of which nothing is kept.
    """
    table, (first, last) = verdict.table, found.page_tags(page)
    own = slice(*np.searchsorted(table.elements.open, (first, last)))
    segments = slice(*np.searchsorted(table.segments.tag, (first, last)))
    tags = table.segments.tag[segments]
    shown = verdict.kept[table.block_of_segment[segments]] & ~found.gone[tags]
    n_shown = np.concatenate(([0], np.cumsum(shown)))
    opens, closes = table.elements.open[own], table.elements.close[own]
    a, b = np.searchsorted(tags, opens), np.searchsorted(tags, closes)
    went = found.gone[opens] | ((b > a) & (n_shown[b] == n_shown[a]))
    rows = own.start + np.flatnonzero(found.links[own] & went & ~found.ads[opens])
    return list(_links(table, rows))


def _links(table: BlockTable, rows: Ints) -> Iterator[Link]:
    targets, seen = table.attribute("href"), set()
    for row in rows.tolist():
        url = (targets[table.elements.bundle[row]] or "").strip()
        if url and url not in seen and not url.lower().startswith(_NO_TARGETS):
            seen.add(url)
            yield Link(url, " ".join(_text(table, row).split()))


def _candidates(found: Found, page: int) -> list[tuple[int, int]]:
    """Images of a page that nothing has removed yet: tag, and element of the caption."""
    own = slice(*np.searchsorted(found.images, found.page_tags(page)))
    tags = found.images[own]
    stays = np.flatnonzero(~(found.gone[tags] | found.ads[tags]))[:_MOST_IMAGES]
    return [*zip(tags[stays].tolist(), found.captions[own][stays].tolist(), strict=True)]


def _image(table: BlockTable, tag: int, caption: str, score: float) -> Image:
    row = int(table.tags.bundle[tag])
    bundle = table.bundles[row] if row >= 0 else ()
    values = dict(zip(table.attributes, bundle, strict=False))
    url, alt = values.get("src") or "", values.get("alt") or ""
    return Image(url.strip(), " ".join(alt.split()), caption, score, tag)


def _text(table: BlockTable, element: int) -> str:
    """Text inside an element, a line for each block, without the end of a very long one."""
    segments = table.segments
    bounds = (table.elements.open[element], table.elements.close[element])
    first, last = np.searchsorted(segments.tag, bounds).tolist()
    if first == last:
        return ""
    longest = segments.start[first] + _LONGEST_CAPTION
    last = max(first + 1, min(last, int(np.searchsorted(segments.start, longest))))
    new = np.diff(table.block_of_segment[first:last], prepend=-1) > 0
    starts = segments.start[first:last][new]
    ends = segments.end[first:last][np.append(new[1:], True)]
    texts = (text_of(table.chars[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True))
    return "\n".join(texts)[:_LONGEST_CAPTION].rstrip()
