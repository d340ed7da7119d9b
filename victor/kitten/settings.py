"""The rules of Kitten and their limits; ``configs/kitten.yaml`` says what each of them means."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from victor.config.layers import load_as
from victor.config.schema import Count, Flat, Limits


class Settings(Flat, frozen=True):
    """The schema of ``configs/kitten.yaml``."""

    labeler: Literal["none"] = "none"
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")] | None = None
    normalize_exclude_sitemaps: bool = True
    normalize_read_converted: bool = True
    lists_drop_links: bool = True
    lists_link_words: Count = 5
    lists_drop_bullets: bool = True
    lists_every_number: bool = False
    lists_flatten: bool = True
    lists_flat_length: Count = 60
    lists_every_item: bool = False
    lists_every_comma: bool = False
    lists_repeat_triggers: bool = True
    tables_clauses: bool = True
    sentences_split: bool = True
    sentences_full_stops: bool = True
    sentences_join_breaks: bool = True
    sentences_expand_abbreviations: bool = True
    sentences_drop_options: bool = True
    sentences_drop_menus: bool = False
    limits: Limits = Limits()


def load_settings(source: str | Path = "kitten", overrides: tuple[str, ...] = ()) -> Settings:
    """Settings of a shipped name or a YAML file, changed by ``key=value`` overrides.

    Raises:
        ConfigError: as `victor.config.layers.load`.
    """
    return load_as(Settings, source, overrides)
