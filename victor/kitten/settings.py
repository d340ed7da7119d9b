"""The rules of Kitten and their limits: schema of ``configs/kitten.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from victor.config import Limits, Section, load_as
from victor.config.section import Count


class Normalize(Section, frozen=True):
    """Any page to XHTML."""

    exclude_sitemaps: bool = True
    """XML sitemaps are not pages."""
    read_converted: bool = True
    """XML of converted documents is read without the HTML parser."""


class Lists(Section, frozen=True):
    """What becomes of ul, ol and dl."""

    drop_links: bool = True
    """Lists of nothing but links lose short items."""
    link_words: Count = 5
    """Items with fewer words are dropped."""
    drop_bullets: bool = True
    """Bullets typed by hand are dropped."""
    every_number: bool = False
    """A number before an item is a bullet even where it may be part of the text."""
    flatten: bool = True
    """A list after a clause with a colon joins it."""
    flat_length: Count = 60
    """One sentence if the median item has fewer characters."""
    every_item: bool = False
    """Items of several blocks, and terms with their definitions, join the clause, too."""
    every_comma: bool = False
    """An item without . ? ! ; , gets a comma even after a conjunction or a colon."""
    repeat_triggers: bool = True
    """A clause that ends with a trigger word is repeated with every item."""


class Tables(Section, frozen=True):
    """What becomes of leaf tables."""

    clauses: bool = True
    """Rows of data tables become clauses."""


class Sentences(Section, frozen=True):
    """Where lines end and with what."""

    split: bool = True
    """One sentence a line."""
    full_stops: bool = True
    """A block ends with a full stop."""
    join_breaks: bool = True
    """Sentences cut by <br> are joined."""
    expand_abbreviations: bool = True
    """Titles of <abbr> and <acronym> follow in brackets."""
    drop_options: bool = True
    """Texts of <option> are dropped."""
    drop_menus: bool = False
    """Divisions whose id holds `menu` are dropped."""


class Settings(Section, frozen=True):
    """The schema."""

    labeler: Literal["none"] = "none"
    """By itself Kitten keeps the whole page."""
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")] | None = None
    """Code of the language, e.g. cs; null asks the page, then its words."""
    normalize: Normalize = Normalize()
    """Any page to XHTML."""
    lists: Lists = Lists()
    """Lists."""
    tables: Tables = Tables()
    """Tables."""
    sentences: Sentences = Sentences()
    """Sentences."""
    limits: Limits = Limits()
    """Bounds of one page."""


def load_settings(source: str | Path = "kitten", overrides: tuple[str, ...] = ()) -> Settings:
    """Settings of a shipped name or a YAML file, changed by ``key=value`` overrides.

    Raises:
        ConfigError: as `victor.config.load`.
    """
    return load_as(Settings, source, overrides)
