"""Comment sections and teaser lists: markups read from YAML, filled with the texts of donors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random
from string import Template, ascii_letters, digits
from typing import Final

from victor.base.errors import ConfigError
from victor.base.files import package_folder
from victor.config import AnySection, Section, from_data, plain_yaml
from victor.corpus.graft.donors import Texts
from victor.corpus.pages import segment_hash

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
    data = plain_yaml.read(path)
    markups = Markups(
        comments=_read(CommentMarkup, data, "comments", path),
        teasers=_read(TeaserMarkup, data, "teasers", path),
    )
    every: list[CommentMarkup | TeaserMarkup] = [*markups.comments, *markups.teasers]
    for markup in every:
        _check(markup, path)
    return markups


def read_words() -> Words:
    """The words that ship with Victor."""
    path = package_folder("victor.corpus.graft") / _WORDS
    return from_data(Words, plain_yaml.read(path), str(path))


def _read(schema: type[AnySection], data: object, key: str, path: Path) -> tuple[AnySection, ...]:
    """The markups of one of the two lists of a file."""
    rows = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(rows, list) or not rows:
        raise ConfigError(f"{path}: want a list of markups named {key}")
    return tuple(from_data(schema, row, f"{path}: markup") for row in rows)


def _check(markup: CommentMarkup | TeaserMarkup, path: Path) -> None:
    """Refuse markups without what they are for, and words that nothing fills in."""
    needed = "section post" if isinstance(markup, CommentMarkup) else "section item"
    for field in ("name", *needed.split()):
        if not getattr(markup, field):
            raise ConfigError(f"{path}: markup {markup.name!r} lacks {field}")
    for field, unknown in _unknown_words(markup):
        words = ", ".join(f"${name}" for name in _FIELDS[field].split()) or "none"
        raise ConfigError(f"{path}: {markup.name}: {field}: unknown ${unknown}; known are {words}")


def _unknown_words(markup: CommentMarkup | TeaserMarkup) -> Iterator[tuple[str, str]]:
    for field, allowed in _FIELDS.items():
        template = Template(getattr(markup, field, ""))
        for word in template.get_identifiers():
            if word not in allowed.split() and word not in _HASHES:
                yield field, word


_MOST_POSTS: Final = 60
_MOST_ITEMS: Final = 12
_NESTED: Final = 0.25
"""Share of posts that answer the one before them, where a markup nests posts."""
_DEEPEST: Final = 4
_HEADED: Final = 0.8
_WITH_FORM: Final = 0.5
_WITH_MARK: Final = 0.7
"""Shares of sections with a heading, a form, and each kind of date or link."""
_DATES: Final = (
    "{d}.{m}.{y} {H}:{M}", "{d}. {m}. {y}", "{y}-{m:02d}-{d:02d} {H}:{M}", "{d:02d}/{m:02d}/{y}",
    "{m}/{d}/{y}, {H}:{M}",
)  # fmt: skip
_ENGLISH_DATES: Final = ("{month} {d}, {y} at {H}:{M} pm", "{d} {month} {y}", "{month} {d}, {y}")
_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()

_NONE: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, eq=False)
class Graft:
    """A section to be put into a page.

    Attributes:
        name: of its markup.
        html: its markup.
        bodies: `segment_hash` of the texts of comments.
        rest: kind of all other text.
    """

    name: str
    html: str
    bodies: frozenset[str]
    rest: str

    def kind_of(self, key: str) -> str:
        """Kind of a segment, given its hash."""
        return "comment" if key in self.bodies else self.rest


@dataclass(eq=False)
class _Filling:
    """What fills the templates of one section: the same choices all over it."""

    phrases: Phrases
    authors: Sequence[str]
    rng: Random
    names: dict[str, str]
    date: str
    marks: dict[str, str]

    @classmethod
    def of(cls, words: Words, language: str, rng: Random) -> _Filling:
        phrases = words.phrases(language)
        is_english = language in ("en", "") or language not in words.languages
        forms = (*_DATES, *_ENGLISH_DATES) if is_english else _DATES
        marks = {
            key: _maybe(rng, _WITH_MARK, rng.choice(getattr(phrases, key)))
            for key in ("reply", "report", "like", "says", "more")
        }
        return cls(
            phrases=phrases,
            authors=words.authors(language),
            rng=rng,
            names={key: _nonsense(rng) for key in _HASHES},
            date=rng.choice([*forms, rng.choice(phrases.ago), ""]),
            marks=marks,
        )

    def filled(self, template: str, html: Mapping[str, str] = _NONE, **texts: str) -> str:
        """A template with markup and with texts, which are escaped."""
        values = {key: escape(text) for key, text in texts.items()}
        return Template(template).substitute({**self.names, **values, **html})

    def one_date(self) -> str:
        """A date of the form of this section."""
        rng = self.rng
        return self.date.format(
            n=rng.randint(1, 23), d=rng.randint(1, 28), m=rng.randint(1, 12),
            y=rng.randint(2003, 2025), H=rng.randint(1, 12), M=f"{rng.randint(0, 59):02d}",
            month=rng.choice(_MONTHS),
        )  # fmt: skip


def comments(
    markup: CommentMarkup, texts: Texts, words: Words, language: str, rng: Random
) -> Graft:
    """A comment section of 1 to 60 posts, few of them more often than many."""
    fill = _Filling.of(words, language, rng)
    n_posts = int(math.exp(rng.uniform(0, math.log(_MOST_POSTS + 1))))
    bodies = texts.bodies(rng)[:n_posts]
    html = fill.filled(
        markup.section,
        {
            "heading": _heading(markup.heading, fill, fill.phrases.title, len(bodies)),
            "posts": _thread(markup, fill, bodies),
            "form": _maybe(rng, _WITH_FORM, _form(markup, fill)),
        },
    )
    shown = frozenset(segment_hash(text) for body in bodies for text in body)
    return Graft(markup.name, html, shown, "comment-meta")


def teasers(markup: TeaserMarkup, texts: Texts, words: Words, language: str, rng: Random) -> Graft:
    """A list of teasers, one per donor."""
    fill = _Filling.of(words, language, rng)
    leads = texts.leads[: rng.randint(2, _MOST_ITEMS)]
    with_lead = rng.random() < _WITH_MARK
    items = [
        fill.filled(
            markup.item,
            title=donor.title,
            lead=donor.lead if with_lead else "",
            more=fill.marks["more"],
            date=fill.one_date(),
            author=rng.choice(fill.authors),
            number=str(rng.randint(1000, 99999)),
        )
        for donor in leads
    ]
    heading = _heading(markup.heading, fill, fill.phrases.related, len(items))
    html = fill.filled(markup.section, {"heading": heading, "items": "\n".join(items)})
    return Graft(markup.name, html, frozenset(), "teaser")


def _heading(template: str, fill: _Filling, titles: Sequence[str], n: int) -> str:
    title = fill.rng.choice(titles).format(n=n)
    return _maybe(fill.rng, _HEADED, fill.filled(template, text=title))


def _thread(markup: CommentMarkup, fill: _Filling, bodies: Sequence[Sequence[str]]) -> str:
    """All posts; some stand below the one before them."""
    depths = [0]
    for _ in bodies[1:]:
        deeper = bool(markup.replies) and fill.rng.random() < _NESTED
        depths.append(min(depths[-1] + 1, _DEEPEST) if deeper else fill.rng.randint(0, depths[-1]))
    below: dict[int, list[str]] = {}
    # What stands below a post is written before it.
    for depth, body in zip(reversed(depths), reversed(bodies), strict=True):
        answers = [*reversed(below.pop(depth + 1, []))]
        replies = fill.filled(markup.replies, {"posts": "\n".join(answers)}) if answers else ""
        below.setdefault(depth, []).append(_post(markup, fill, body, replies))
    return "\n".join(reversed(below[0]))


def _post(markup: CommentMarkup, fill: _Filling, paragraphs: Sequence[str], replies: str) -> str:
    rng = fill.rng
    author = rng.choice(fill.authors)
    body = markup.join.join(fill.filled(markup.paragraph, text=text) for text in paragraphs)
    marks = {key: fill.marks[key] for key in ("says", "reply", "report", "like")}
    return fill.filled(
        markup.post,
        {"body": body, "replies": replies},
        author=author,
        initial=author[0],
        date=fill.one_date(),
        points=rng.choice(["", str(rng.randint(0, 40))]),
        number=str(rng.randint(1, 99999)),
        **marks,
    )


def _form(markup: CommentMarkup, fill: _Filling) -> str:
    phrases, rng = fill.phrases, fill.rng
    labels = [*phrases.fields]
    return fill.filled(
        markup.form,
        leave=rng.choice(phrases.leave),
        name=labels[0],
        email=labels[1],
        website=labels[-2],
        comment=labels[-1],
        submit=rng.choice(phrases.submit),
    )


def _maybe(rng: Random, share: float, text: str) -> str:
    """The text in this share of all cases, else nothing."""
    return text if rng.random() < share else ""


def _nonsense(rng: Random) -> str:
    """A name that means nothing, as tools for style sheets make them."""
    prefix = rng.choice(["css-", "sc-", "_", "jsx-", ""])
    return prefix + rng.choice(ascii_letters) + "".join(rng.choices(ascii_letters + digits, k=6))
