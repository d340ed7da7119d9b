"""Markups of comment sections and teaser lists, and the words around them, read from YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any, Final

from victor.config import Section, from_data, yaml12
from victor.errors import ConfigError
from victor.files import package_folder

MARKUPS: Final = "markups.yaml"
_WORDS: Final = "words.yaml"
_HASHES: Final = tuple(f"h{number}" for number in range(1, 10))
_FIELDS: Final[Mapping[str, str]] = {
    "heading": "text",
    "section": "heading posts items form",
    "post": "author initial date body says reply report like points number replies",
    "replies": "posts",
    "paragraph": "text",
    "join": "",
    "form": "leave name email website comment submit",
    "item": "title lead more date author number",
}
"""What each piece of a markup may hold, besides meaningless names."""


class CommentMarkup(Section, frozen=True):
    """Markup of a comment section; the pieces are templates as in ``markups.yaml``."""

    name: str = ""
    section: str = ""
    post: str = ""
    heading: str = "$text"
    paragraph: str = "$text"
    join: str = ""
    """Between the paragraphs of a post."""
    replies: str = ""
    """Around the posts below a post; empty where there is no nesting."""
    form: str = ""


class TeaserMarkup(Section, frozen=True):
    """Markup of a list of teasers."""

    name: str = ""
    section: str = ""
    item: str = ""
    heading: str = "$text"


class Markups(Section, frozen=True):
    """Markups to choose from."""

    comments: tuple[CommentMarkup, ...]
    teasers: tuple[TeaserMarkup, ...]


class Phrases(Section, frozen=True):
    """What pages of one language say; the comments in ``words.yaml`` say where."""

    title: tuple[str, ...]
    leave: tuple[str, ...]
    reply: tuple[str, ...]
    report: tuple[str, ...]
    like: tuple[str, ...]
    says: tuple[str, ...]
    fields: tuple[str, ...]
    submit: tuple[str, ...]
    related: tuple[str, ...]
    more: tuple[str, ...]
    ago: tuple[str, ...]


class Words(Section, frozen=True):
    """Phrases by language, names by script, and the script of languages without Latin letters."""

    languages: Mapping[str, Phrases]
    names: Mapping[str, tuple[str, ...]]
    scripts: Mapping[str, str]

    def phrases(self, language: str) -> Phrases:
        """Phrases of a language; English ones where there are none."""
        return self.languages.get(language, self.languages["en"])

    def authors(self, language: str) -> tuple[str, ...]:
        """Names in the script of a language."""
        return self.names[self.scripts.get(language, "latin")]


def read_markups(path: Path | None = None) -> Markups:
    """Markups of a file, by default of those for training.

    Raises:
        ConfigError: the file cannot be read or a markup has an unknown word.
    """
    path = path or package_folder("victor.corpus.graft") / MARKUPS
    data = yaml12.read(path)
    markups = Markups(
        comments=tuple(_read(CommentMarkup, row, path) for row in _rows(data, "comments", path)),
        teasers=tuple(_read(TeaserMarkup, row, path) for row in _rows(data, "teasers", path)),
    )
    for comment in markups.comments:
        _check(comment, path)
    for teaser in markups.teasers:
        _check(teaser, path)
    return markups


def read_words() -> Words:
    """The words that ship with Victor."""
    path = package_folder("victor.corpus.graft") / _WORDS
    data = yaml12.read(path)
    languages = {
        key: from_data(Phrases, row, f"{path}: {key}") for key, row in data["languages"].items()
    }
    names = {key: tuple(row) for key, row in data["names"].items()}
    return Words(languages, names, data["scripts"])


def _rows(data: Any, key: str, path: Path) -> list[Any]:  # noqa: ANN401  (whatever the file holds)
    rows = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(rows, list) or not rows:
        raise ConfigError(f"{path}: want a list of markups named {key}")
    return rows


def _read(schema: type[Any], row: object, path: Path) -> Any:  # noqa: ANN401
    return from_data(schema, row, f"{path}: markup")


def _check(markup: CommentMarkup | TeaserMarkup, path: Path) -> None:
    """Refuse markups without what they are for, and words that nothing fills in."""
    needed = "section post" if isinstance(markup, CommentMarkup) else "section item"
    for field in ("name", *needed.split()):
        if not getattr(markup, field):
            raise ConfigError(f"{path}: markup {markup.name!r} lacks {field}")
    for field, unknown in _unknown_words(markup):
        known = ", ".join(f"${name}" for name in _FIELDS[field].split()) or "none"
        raise ConfigError(f"{path}: {markup.name}: {field}: unknown ${unknown}; known are {known}")


def _unknown_words(markup: CommentMarkup | TeaserMarkup) -> Iterator[tuple[str, str]]:
    for field, known in _FIELDS.items():
        template = Template(getattr(markup, field, ""))
        for word in template.get_identifiers():
            if word not in known.split() and word not in _HASHES:
                yield field, word


def hashes() -> tuple[str, ...]:
    """Words of a markup that stand for meaningless names."""
    return _HASHES
