"""Comment sections and teaser lists: markups filled with the texts of donors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from random import Random
from string import Template, ascii_letters, digits
from typing import Any, Final, NamedTuple

from grafts.donors import Texts
from victor.corpus.pages import segment_hash

HASHES: Final = tuple(f"h{number}" for number in range(1, 10))
MOST_POSTS: Final = 60
MOST_ITEMS: Final = 12
NESTED: Final = 0.25
"""Share of posts that answer the one before them, where a markup nests posts."""
DEEPEST: Final = 4
HEADED: Final = 0.8
WITH_FORM: Final = 0.5
WITH_MARK: Final = 0.7
"""Shares of sections with a heading, a form, and each kind of date or link."""
DATES: Final = (
    "{d}.{m}.{y} {H}:{M}", "{d}. {m}. {y}", "{y}-{m:02d}-{d:02d} {H}:{M}", "{d:02d}/{m:02d}/{y}",
    "{m}/{d}/{y}, {H}:{M}",
)  # fmt: skip
ENGLISH_DATES: Final = ("{month} {d}, {y} at {H}:{M} pm", "{d} {month} {y}", "{month} {d}, {y}")
MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()
Markup = Mapping[str, str]


class Graft(NamedTuple):
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


class Filling:
    """What fills the templates of one section: the same choices all over it."""

    def __init__(self, words: Mapping[str, Any], language: str, rng: Random) -> None:
        languages = words["languages"]
        self.rng = rng
        self.phrases = phrases = languages.get(language, languages["en"])
        self.authors = words["names"][words["scripts"].get(language, "latin")]
        is_english = language in ("en", "") or language not in languages
        forms = (*DATES, *ENGLISH_DATES) if is_english else DATES
        self.marks = {
            key: maybe(rng, WITH_MARK, rng.choice(phrases[key]))
            for key in ("reply", "report", "like", "says", "more")
        }
        self.names = {key: nonsense(rng) for key in HASHES}
        self.date = rng.choice([*forms, rng.choice(phrases["ago"]), ""])

    def filled(self, template: str, html: Mapping[str, str] | None = None, **texts: str) -> str:
        """A template with markup and with texts, which are escaped."""
        values = {key: escape(text) for key, text in texts.items()}
        return Template(template).substitute({**self.names, **values, **(html or {})})

    def heading(self, markup: Markup, titles: Sequence[str], n: int) -> str:
        """The heading of the section, if it has one."""
        title = self.rng.choice(titles).format(n=n)
        return maybe(self.rng, HEADED, self.filled(markup.get("heading", "$text"), text=title))

    def one_date(self) -> str:
        """A date of the form of this section."""
        rng = self.rng
        return self.date.format(
            n=rng.randint(1, 23), d=rng.randint(1, 28), m=rng.randint(1, 12),
            y=rng.randint(2003, 2025), H=rng.randint(1, 12), M=f"{rng.randint(0, 59):02d}",
            month=rng.choice(MONTHS),
        )  # fmt: skip


def comments(
    markup: Markup, texts: Texts, words: Mapping[str, Any], language: str, rng: Random
) -> Graft:
    """A comment section of 1 to 60 posts, few of them more often than many."""
    fill = Filling(words, language, rng)
    n_posts = int(math.exp(rng.uniform(0, math.log(MOST_POSTS + 1))))
    bodies = texts.bodies(rng)[:n_posts]
    parts = {
        "heading": fill.heading(markup, fill.phrases["title"], len(bodies)),
        "posts": thread(markup, fill, bodies),
        "form": maybe(rng, WITH_FORM, form(markup, fill)),
    }
    shown = frozenset(segment_hash(text) for body in bodies for text in body)
    return Graft(markup["name"], fill.filled(markup["section"], parts), shown, "comment-meta")


def teasers(
    markup: Markup, texts: Texts, words: Mapping[str, Any], language: str, rng: Random
) -> Graft:
    """A list of teasers, one per donor."""
    fill = Filling(words, language, rng)
    leads = texts.leads[: rng.randint(2, MOST_ITEMS)]
    with_lead = rng.random() < WITH_MARK
    items = [
        fill.filled(
            markup["item"],
            title=donor.title,
            lead=donor.lead if with_lead else "",
            more=fill.marks["more"],
            date=fill.one_date(),
            author=rng.choice(fill.authors),
            number=str(rng.randint(1000, 99999)),
        )
        for donor in leads
    ]
    heading = fill.heading(markup, fill.phrases["related"], len(items))
    html = fill.filled(markup["section"], {"heading": heading, "items": "\n".join(items)})
    return Graft(markup["name"], html, frozenset(), "teaser")


def thread(markup: Markup, fill: Filling, bodies: Sequence[Sequence[str]]) -> str:
    """All posts; some stand below the one before them."""
    replies_markup = markup.get("replies", "")
    depths = [0]
    for _ in bodies[1:]:
        deeper = bool(replies_markup) and fill.rng.random() < NESTED
        depths.append(min(depths[-1] + 1, DEEPEST) if deeper else fill.rng.randint(0, depths[-1]))
    below: dict[int, list[str]] = {}
    # What stands below a post is written before it.
    for depth, body in zip(reversed(depths), reversed(bodies), strict=True):
        answers = [*reversed(below.pop(depth + 1, []))]
        replies = fill.filled(replies_markup, {"posts": "\n".join(answers)}) if answers else ""
        below.setdefault(depth, []).append(post(markup, fill, body, replies))
    return "\n".join(reversed(below[0]))


def post(markup: Markup, fill: Filling, paragraphs: Sequence[str], replies: str) -> str:
    """A post, with the posts below it."""
    rng = fill.rng
    author = rng.choice(fill.authors)
    paragraph = markup.get("paragraph", "$text")
    body = markup.get("join", "").join(fill.filled(paragraph, text=text) for text in paragraphs)
    return fill.filled(
        markup["post"],
        {"body": body, "replies": replies},
        author=author,
        initial=author[0],
        date=fill.one_date(),
        points=rng.choice(["", str(rng.randint(0, 40))]),
        number=str(rng.randint(1, 99999)),
        **{key: fill.marks[key] for key in ("says", "reply", "report", "like")},
    )


def form(markup: Markup, fill: Filling) -> str:
    """The form to write a comment in."""
    labels, rng = fill.phrases["fields"], fill.rng
    return fill.filled(
        markup.get("form", ""),
        leave=rng.choice(fill.phrases["leave"]),
        name=labels[0],
        email=labels[1],
        website=labels[-2],
        comment=labels[-1],
        submit=rng.choice(fill.phrases["submit"]),
    )


def maybe(rng: Random, share: float, text: str) -> str:
    """The text in this share of all cases, else nothing."""
    return text if rng.random() < share else ""


def nonsense(rng: Random) -> str:
    """A name that means nothing, as tools for style sheets make them."""
    prefix = rng.choice(["css-", "sc-", "_", "jsx-", ""])
    return prefix + rng.choice(ascii_letters) + "".join(rng.choices(ascii_letters + digits, k=6))
