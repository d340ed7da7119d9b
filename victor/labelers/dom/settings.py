"""The constants of DOM + named entities: schema of ``configs/dom.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from victor.config import Limits, Scope, Section
from victor.config.section import Count, NonNegative, Positive, PositiveInt, Share
from victor.page.parsing.tags import BLOCK_LEVEL, INLINE

_NAMES: Final = BLOCK_LEVEL | INLINE


def _are_names(names: object) -> object:
    """Refuse what is no element name; what is no list at all is refused by its type."""
    listed = names if isinstance(names, list | tuple) else ()
    unknown = [str(name) for name in listed if name not in _NAMES]
    if unknown:
        raise ValueError(
            f"{', '.join(unknown)}: no such element reaches the blocks of a page; name elements "
            "that hold or stand in visible text"
        )
    return names


Names = Annotated[tuple[str, ...], _are_names]
"""Element names that the stream of events knows."""
Paths = tuple[str, ...]


class Filters(Section, frozen=True):
    """What goes from the page; ``configs/dom.yaml`` says what of it only HTML shows."""

    scripts: bool = True
    """HTML only: script elements."""
    noscript: bool = True
    """Text for browsers without scripts."""
    styles: bool = True
    """HTML only: style elements and style sheets."""
    style_attributes: Literal["all", "div", "none"] = "all"
    """HTML only: style attributes, of all elements or of div only (the paper)."""
    non_link_images: bool = False
    """Images outside links; none of them is listed then."""
    alt_for_images: bool = False
    """The alternative text of such an image stands in its place."""
    image_links: bool = False
    """Links that hold an image."""
    alt_for_image_links: bool = False
    """The alternative texts of its images stand in place of such a link."""
    text_links: bool = False
    """Links that hold no image."""
    forms: bool = False
    """Forms with all in them."""
    inputs: bool = True
    """HTML only: input and textarea."""
    buttons: bool = True
    """Buttons."""
    selects: bool = True
    """Lists to choose from."""
    meta: bool = False
    """HTML only: meta elements but the encoding."""
    iframes: bool = True
    """HTML only: inner frames."""
    embeds: bool = True
    """HTML only: embed, object, applet."""
    cell_widths: bool = True
    """HTML only: width of table cells."""


class Ads(Section, frozen=True):
    """Elements whose ``src`` or ``href`` leads to an ad server go."""

    remove: bool = True
    """Remove them."""
    lists: Paths = ()
    """Paths of further lists in the format of EasyList."""


class LinkLists(Section, frozen=True):
    """Elements with many links and few other words lose their content."""

    remove: bool = True
    """Remove it."""
    cell: bool = True
    """The element goes, too; without it, the paper's option, it stays empty in HTML."""
    tags: Names = ("td", "th", "div", "ul")
    """Names of such elements."""
    ratio: NonNegative = 0.35
    """More links per unlinked word are many."""
    characters_per_word: Positive = 5.0
    """Unlinked characters that count as one word."""


class Tables(Section, frozen=True):
    """Tables without substance go."""

    remove: bool = True
    """Remove them."""
    tags: Names = ("img",)
    """Elements that are substance."""
    characters: Count = 10
    """So many characters are substance."""


class Article(Section, frozen=True):
    """The subtree that is kept."""

    characters: Count = 500
    """Its own text is longer than this."""
    subtree: Literal["first", "common"] = "first"
    """first: the first such element of the document (the paper); common: the smallest element
    around all of them."""


class Images(Section, frozen=True):
    """Which images stay."""

    relevance: Share = 0.1
    """Their relevance is above this."""
    short: Count = 5
    """Captions of at most so many words need a main entity."""
    representatives: PositiveInt = 3
    """So many most frequent entities of the article are main ones."""


class Texts(Section, frozen=True):
    """Which text blocks of the article stay."""

    compare: bool = True
    """Those that name others than the rest of the article go, and so do captions of ads."""
    relevance: Share = 0.0
    """Blocks of a relevance up to this go."""
    entities: PositiveInt = 3
    """Blocks with fewer different entities are not compared."""
    share: Share = 0.2
    """Nor are those whose entities are a smaller share of their words."""
    main: PositiveInt = 3
    """Nor are those of articles that name no entity so often."""


class Entities(Section, frozen=True):
    """What recognises named entities."""

    recogniser: Literal["capitals", "spacy", "nametag"] = "capitals"
    """Capitalised words, or a model of spaCy or NameTag."""
    model: str | None = None
    """Path of the model."""
    lemmas: tuple[str, ...] = ()
    """Languages whose words simplemma reduces to lemmas, e.g. [cs]."""


class Output(Section, frozen=True):
    """What `victor.labelers.dom.native_output.output` writes."""

    form: Literal["text", "html"] = "text"
    """Text or HTML."""
    removed_links: bool = False
    """Append the links that were removed."""
    line_breaks: PositiveInt = 2
    """text: most line breaks in a row."""


class Settings(Section, frozen=True):
    """The schema of ``configs/dom.yaml``."""

    labeler: Literal["dom"] = "dom"
    """The system."""
    filters: Filters = Filters()
    """What goes from the page."""
    ads: Ads = Ads()
    """Advertisement remover."""
    link_lists: LinkLists = LinkLists()
    """Link-list remover."""
    tables: Tables = Tables()
    """Empty-table remover."""
    article: Article = Article()
    """The subtree that is kept."""
    images: Images = Images()
    """Which images stay."""
    texts: Texts = Texts()
    """Which text blocks stay."""
    entities: Entities = Entities()
    """Named entities."""
    output: Output = Output()
    """What is written."""
    limits: Limits = Limits()
    """Bounds of one page."""
    scope: Scope = Scope()
    """Which parts of pages are kept."""

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, paths relative to the file made absolute."""
        resolved = super().read_in(layer, directory, where)
        ads, entities = dict(resolved.get("ads") or {}), dict(resolved.get("entities") or {})
        for key in ("lists", "lists+"):
            if ads.get(key):
                paths = [ads[key]] if isinstance(ads[key], str) else ads[key]
                resolved["ads"] = ads = ads | {key: [str((directory / p).resolve()) for p in paths]}
        if entities.get("model") is not None:
            resolved["entities"] = entities | {
                "model": str((directory / entities["model"]).resolve())
            }
        return resolved
