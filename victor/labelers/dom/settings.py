"""The constants of DOM + named entities; ``configs/dom.yaml`` says what each of them means."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from victor.config.schema import Limits, Scope
from victor.config.section import Count, Flat, NonNegative, Positive, PositiveInt, Share
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


class Settings(Flat, frozen=True):
    """The schema of ``configs/dom.yaml``."""

    labeler: Literal["dom"] = "dom"
    filters_scripts: bool = True
    filters_noscript: bool = True
    filters_styles: bool = True
    filters_style_attributes: Literal["all", "div", "none"] = "all"
    filters_non_link_images: bool = False
    filters_alt_for_images: bool = False
    filters_image_links: bool = False
    filters_alt_for_image_links: bool = False
    filters_text_links: bool = False
    filters_forms: bool = False
    filters_inputs: bool = True
    filters_buttons: bool = True
    filters_selects: bool = True
    filters_meta: bool = False
    filters_iframes: bool = True
    filters_embeds: bool = True
    filters_cell_widths: bool = True
    ads_remove: bool = True
    ads_lists: tuple[str, ...] = ()
    link_lists_remove: bool = True
    link_lists_tags: Names = ("td", "th", "div", "ul")
    link_lists_cell: bool = True
    link_lists_ratio: NonNegative = 0.35
    link_lists_characters_per_word: Positive = 5.0
    tables_remove: bool = True
    tables_tags: Names = ("img",)
    tables_characters: Count = 10
    article_characters: Count = 500
    article_subtree: Literal["first", "common"] = "first"
    images_relevance: Share = 0.1
    images_short: Count = 5
    images_representatives: PositiveInt = 3
    texts_compare: bool = True
    texts_relevance: Share = 0.0
    texts_entities: PositiveInt = 3
    texts_share: Share = 0.2
    texts_main: PositiveInt = 3
    entities_recogniser: str = "capitals"
    output_form: Literal["text", "html"] = "text"
    output_removed_links: bool = False
    output_line_breaks: PositiveInt = 2
    limits: Limits = Limits()
    scope: Scope = Scope()

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, paths relative to the file made absolute."""
        resolved = super().read_in(layer, directory, where)
        for key in ("ads_lists", "ads_lists+"):
            if resolved.get(key):
                listed = resolved[key]
                paths = [listed] if isinstance(listed, str) else listed
                resolved[key] = [str((directory / path).resolve()) for path in paths]
        return resolved
