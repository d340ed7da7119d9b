"""Texts of pages in all places that Markdown writes, and what no reader may find in it.

Places and texts are in ``tests/render/injection``: in a place, ``{}`` is a text, ``{raw}`` one
without references, ``{prose}`` a sentence, ``«a|b»`` one of several.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import lxml.html
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from victor.api import Cleaner, load_cleaner
from victor.render.inline_markdown import TAGS
from victor.render.tree.addresses import Addresses

DATA = Path(__file__).parent / "render" / "injection"
FRAGMENTS = json.loads((DATA / "fragments.json").read_text(encoding="utf-8"))
PLACES = dict(
    line.split(": ", 1)
    for line in (DATA / "places.txt").read_text(encoding="utf-8").split("\n")[:-1]
)
PROSE = (
    "Four wooden boats were mended on the quay last spring, and two of them sail again this year. "
)
URL = "http://h.cz/a"
POSTS = {f"{url}#{post}" for url in ("", URL) for post in ("c1", "c2")}
WAYS = {"full": URL, "article": None}
"""The address of a page by the scope in which it is cleaned."""
_HOLE = re.compile(r"\{(|raw|prose|line)\}")
_CHOICE = re.compile("«([^»]*)»")
_REFERENCE = re.compile(r"&amp;(#(?:13|10|0|x[0-9A-F]+);)")
"""References that stand for a character wherever they are drawn."""
_SEPARATORS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_PROGRAM = re.compile(r"\s*(?:javascript|vbscript|data):", re.IGNORECASE)
_INVISIBLE = re.compile(r"\s|[\x00-\x20\x7f\\\\]")
Choose = Callable[[Sequence[str]], str]


def text(choose: Choose) -> str:
    """Some fragments in a row."""
    count = int(choose("123456"))
    return "".join(choose(FRAGMENTS) + choose(("", "", " ")) for _ in range(count))


def filled(place: str, choose: Choose, drawn: Callable[[Choose], str] = text) -> str:
    """The markup of a place with texts in it."""

    def fill(match: re.Match[str]) -> str:
        if match[1] in ("prose", "line"):
            return PROSE if match[1] == "prose" else "\n"
        if match[1] == "raw":
            return drawn(choose)
        return _REFERENCE.sub(r"&\1", html.escape(drawn(choose)))

    return _HOLE.sub(fill, _CHOICE.sub(lambda match: choose(match[1].split("|")), place))


def page(names: Sequence[str], choose: Choose, drawn: Callable[[Choose], str] = text) -> str:
    """A page with texts in some places; where its title is one, in what it declares, too."""
    title, script = "Boats", ""
    if "title" in names:
        title = filled("{}", choose, drawn)
        data = {"@type": "Article", "headline": drawn(choose), "author": drawn(choose)}
        script = json.dumps(data).replace("</", "<\\/")
    inner = "".join(filled(PLACES[name], choose, drawn) for name in names)
    head = f'<title>{title}</title><script type="application/ld+json">{script}</script>'
    return f"{head}<h1>{title}</h1><p>{PROSE * 3}</p>{inner}<p>{PROSE * 3}</p>"


@cache
def readers() -> dict[str, MarkdownIt]:
    """Readers of Markdown by name; all show HTML."""

    def reader(*plugins: Callable[..., None], tables: bool = True) -> MarkdownIt:
        made = MarkdownIt("commonmark", {"html": True})
        made.validateLink = lambda address: True  # type: ignore[method-assign]
        made = made.enable(["table", "strikethrough"]) if tables else made
        for plugin in plugins:
            made = made.use(plugin)
        return made

    return {
        "CommonMark": reader(tables=False),
        "GitHub": reader(footnote_plugin),
        "tables": reader(),
        "all": reader(footnote_plugin, deflist_plugin, dollarmath_plugin),
    }


@cache
def cleaner(scope: str) -> Cleaner:
    """The default model with a scope."""
    return load_cleaner(scope=scope)  # type: ignore[arg-type]


def tokens(found: list[Token]) -> Iterator[Token]:
    """All tokens in order, those in others too."""
    for token in found:
        yield token
        yield from tokens(token.children or [])


_SHOWN = {"text", "code_inline", "code_block", "fence", "text_special", "math_inline", "math_block"}
_SHOWN |= {"math_inline_double", "math_block_label"}


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalpha, text))


def wrong(markup: str, scope: str) -> Iterator[tuple[str, str]]:
    """What readers find in the Markdown of a page that is not to be there: its kind, and it."""
    result = cleaner(scope).clean(markup, WAYS[scope])
    written = result.markdown
    led = leads(markup, WAYS[scope])
    for name, reader in readers().items():
        flat = [*tokens(reader.parse(written))]
        for token in flat:
            if token.type in ("html_inline", "html_block") and not is_ours(token.content):
                yield f"{name}: html", token.content
            target = token.attrs.get("href") or token.attrs.get("src")
            if token.type in ("link_open", "image") and not is_led_to(str(target), led):
                yield f"{name}: {token.type}", str(target)
            if token.type == "image":
                flat += [Token("text", "", 0, content=token.content)]
        shown = "".join(token.content if token.type in _SHOWN else " " for token in flat)
        if lost := _letters(result.text) - _letters(shown):
            yield f"{name}: letters", str(lost)
    if _SEPARATORS.search(written):
        yield "separators", written


def is_ours(content: str) -> bool:
    """Is HTML nothing but tags that Victor writes."""
    return not re.sub("|".join(map(re.escape, TAGS)), "", content).strip()


def is_led_to(target: str, led: set[str]) -> bool:
    """Is an address one of a page, and none that runs a program."""
    return not _PROGRAM.match(target) and (_plain(target) in led or target in POSTS)


def leads(markup: str, url: str | None) -> set[str]:
    """Where a page leads and what it fetches, without the difference of ways to write it."""
    addresses = Addresses(url, None)
    found = [
        value
        for element in lxml.html.fromstring(markup).iter()
        for name, value in element.items()
        if name in ("href", "src")
    ]
    embedded = (re.search(r"/embed/([\w-]{6,})", value) for value in found)
    shown = [f"https://www.youtube.com/watch?v={match[1]}" for match in embedded if match]
    resolved = [way(value) for value in found for way in (addresses.link, addresses.image)]
    return {*map(_plain, shown), *map(_plain, resolved)}


def _plain(address: str) -> str:
    return _INVISIBLE.sub("", unquote(html.unescape(address))).casefold()
