"""The constants of DOM + named entities: schema of ``configs/dom.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field

from victor.config import Limits, Section
from victor.page.tags import BLOCK_LEVEL, INLINE

_NAMES: Final = BLOCK_LEVEL | INLINE


def _are_names(names: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [name for name in names if name not in _NAMES]
    if unknown:
        raise ValueError(
            f"{', '.join(unknown)}: no such element reaches the blocks of a page; name elements "
            "that hold or stand in visible text"
        )
    return names


Names = Annotated[
    tuple[str, ...],
    Field(strict=False),
    AfterValidator(_are_names),
]
"""Element names that the stream of events knows."""
Paths = Annotated[tuple[str, ...], Field(strict=False)]


class Filters(Section):
    """What goes from the page; ``configs/dom.yaml`` says which ones labels and which HTML see."""

    scripts: bool = Field(default=True, description="HTML only: script elements.")
    noscript: bool = Field(default=True, description="Text for browsers without scripts.")
    styles: bool = Field(default=True, description="HTML only: style elements and style sheets.")
    style_attributes: bool = Field(default=True, description="HTML only: style attributes.")
    images: bool = Field(default=False, description="All images; none is listed then.")
    image_links: bool = Field(default=False, description="Links that hold an image.")
    text_links: bool = Field(default=False, description="Links that hold no image.")
    forms: bool = Field(default=False, description="Forms with all in them.")
    inputs: bool = Field(default=True, description="HTML only: input and textarea.")
    buttons: bool = Field(default=True, description="Buttons.")
    selects: bool = Field(default=True, description="Lists to choose from.")
    meta: bool = Field(default=False, description="HTML only: meta elements but the encoding.")
    iframes: bool = Field(default=True, description="HTML only: inner frames.")
    embeds: bool = Field(default=True, description="HTML only: embed, object, applet.")
    cell_widths: bool = Field(default=True, description="HTML only: width of table cells.")


class Ads(Section):
    """Elements whose ``src`` or ``href`` leads to an ad server go."""

    remove: bool = Field(default=True, description="Remove them.")
    lists: Paths = Field(
        default=(), description="Paths of further lists in the format of EasyList."
    )


class LinkLists(Section):
    """Elements with many links and few other words go."""

    remove: bool = Field(default=True, description="Remove them.")
    tags: Names = Field(default=("td", "th", "div", "ul"), description="Names of such elements.")
    ratio: float = Field(default=0.35, ge=0, description="More links per unlinked word are many.")
    characters_per_word: float = Field(
        default=5.0, gt=0, description="Unlinked characters that count as one word."
    )


class Tables(Section):
    """Tables without substance go."""

    remove: bool = Field(default=True, description="Remove them.")
    tags: Names = Field(default=("img",), description="Elements that are substance.")
    characters: int = Field(default=10, ge=0, description="So many characters are substance.")


class Article(Section):
    """The subtree that is kept."""

    characters: int = Field(default=500, ge=0, description="Its own text is longer than this.")
    subtree: Literal["first", "common"] = Field(
        default="first",
        description="first: the first such element of the document (the paper); common: the "
        "smallest element around all of them.",
    )


class Images(Section):
    """Which images stay."""

    relevance: float = Field(default=0.1, ge=0, le=1, description="Their relevance is above this.")
    short: int = Field(
        default=5, ge=0, description="Captions of at most so many words need a main entity."
    )
    representatives: int = Field(
        default=3, ge=1, description="So many most frequent entities of the article are main ones."
    )


class Entities(Section):
    """What recognises named entities."""

    recogniser: Literal["capitals", "spacy", "nametag"] = Field(
        default="capitals", description="Capitalised words, or a model of spaCy or NameTag."
    )
    model: str | None = Field(default=None, description="Path of the model.")
    lemmas: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="Languages whose words simplemma reduces to lemmas, e.g. [cs]."
    )


class Output(Section):
    """What `victor.labelers.dom.native_output.output` writes."""

    form: Literal["text", "html"] = Field(default="text", description="Text or HTML.")
    removed_links: bool = Field(default=False, description="Append the links that were removed.")
    line_breaks: int = Field(default=2, ge=1, description="text: most line breaks in a row.")


class Settings(Section):
    """The schema of ``configs/dom.yaml``."""

    labeler: Literal["dom"] = Field(default="dom", description="The system.")
    filters: Filters = Field(default=Filters(), description="What goes from the page.")
    ads: Ads = Field(default=Ads(), description="Advertisement remover.")
    link_lists: LinkLists = Field(default=LinkLists(), description="Link-list remover.")
    tables: Tables = Field(default=Tables(), description="Empty-table remover.")
    article: Article = Field(default=Article(), description="The subtree that is kept.")
    images: Images = Field(default=Images(), description="Which images stay.")
    entities: Entities = Field(default=Entities(), description="Named entities.")
    output: Output = Field(default=Output(), description="What is written.")
    limits: Limits = Field(default=Limits(), description="Bounds of one page.")

    @classmethod
    def read_in(cls, data: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, checked, paths relative to the file made absolute."""
        found = super().read_in(data, directory, where)
        ads, entities = dict(found.get("ads") or {}), dict(found.get("entities") or {})
        if "lists" in ads:
            found["ads"] = ads | {"lists": [str((directory / p).resolve()) for p in ads["lists"]]}
        if entities.get("model") is not None:
            found["entities"] = entities | {"model": str((directory / entities["model"]).resolve())}
        return found
