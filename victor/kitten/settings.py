"""The rules of Kitten and their limits: schema of ``configs/kitten.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from victor.config import Limits, Section, load_as


class Normalize(Section):
    """Any page to XHTML."""

    exclude_sitemaps: bool = Field(default=True, description="XML sitemaps are not pages.")
    read_converted: bool = Field(
        default=True, description="XML of converted documents is read without the HTML parser."
    )


class Lists(Section):
    """What becomes of ul, ol and dl."""

    drop_links: bool = Field(default=True, description="Lists of links lose short items.")
    link_share: float = Field(
        default=0.5, ge=0, le=1, description="More than this share of its words stands in links."
    )
    link_words: int = Field(default=5, ge=0, description="Items with fewer words are dropped.")
    drop_bullets: bool = Field(default=True, description="Bullets typed by hand are dropped.")
    flatten: bool = Field(default=True, description="A list after a clause with a colon joins it.")
    flat_length: int = Field(
        default=60, ge=0, description="One sentence if the median item has fewer characters."
    )
    repeat_triggers: bool = Field(
        default=True, description="A trigger word that ends the clause is repeated by every item."
    )


class Tables(Section):
    """What becomes of leaf tables."""

    clauses: bool = Field(default=True, description="Rows of data tables become clauses.")


class Sentences(Section):
    """Where lines end and with what."""

    split: bool = Field(default=True, description="One sentence a line.")
    full_stops: bool = Field(default=True, description="A block ends with a full stop.")
    join_breaks: bool = Field(default=True, description="Sentences cut by <br> are joined.")
    expand_abbreviations: bool = Field(
        default=True, description="Titles of <abbr> and <acronym> follow in brackets."
    )
    drop_options: bool = Field(default=True, description="Texts of <option> are dropped.")
    drop_menus: bool = Field(
        default=False, description="Divisions whose id holds `menu` are dropped."
    )


class Settings(Section):
    """The schema."""

    labeler: Literal["none"] = Field(
        default="none", description="By itself Kitten keeps the whole page."
    )
    language: str | None = Field(
        default=None,
        pattern=r"^[a-z]{2,3}$",
        description="Code of the language, e.g. cs; null asks the page, then its words.",
    )
    normalize: Normalize = Field(default=Normalize(), description="Any page to XHTML.")
    lists: Lists = Field(default=Lists(), description="Lists.")
    tables: Tables = Field(default=Tables(), description="Tables.")
    sentences: Sentences = Field(default=Sentences(), description="Sentences.")
    limits: Limits = Field(default=Limits(), description="Bounds of one page.")


def load_settings(source: str | Path = "kitten", overrides: tuple[str, ...] = ()) -> Settings:
    """Settings of a shipped name or a YAML file, changed by ``key=value`` overrides.

    Raises:
        ConfigError: as `victor.config.load`.
    """
    return load_as(Settings, source, overrides)
