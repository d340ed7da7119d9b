"""Recover content that no visible tag holds from the JSON of scripts and attributes.

Forum software and page frameworks send some pages as data and let a script draw them. The form of
the data tells what is content, not the names that some site gives it: texts under one path of keys
belong together, and the path with most words of prose holds the content.

Tokens are read one after the other in linear time; nothing has to be valid. So a page that is cut
off or a trailing comma costs nothing but what cannot be read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape, unescape
from itertools import takewhile
from typing import Final, NamedTuple

from victor.base.lazy import pattern
from victor.page.markup.full_record import Kind, LazyAttributes, Markup, record_full
from victor.page.parsing.heads import Head
from victor.page.table.blocks import NEARLY_EMPTY

Path = tuple[str, str]
"""The last two keys that lead to a text. More would part sections that hold sections."""

_FEWEST_WORDS: Final[Mapping[str, int]] = {"json-ld": 50, "json": 200, "script": 200}
"""Fewer words than these are hardly ever the content, by source."""
_LD_SHARE: Final = 0.5
"""Published metadata is preferred where it has this share of the words that state has."""
_PURE: Final = 0.5  # least share of prose in the words of the texts of one path
_SENTENCE: Final = 10  # fewest words of a text that tells content from labels
_SPACED_SHARE: Final = 0.7  # least share of words in the pieces of prose between white space
_MOST_CODE: Final = 0.04  # largest share of the signs of code in the characters of prose
_SHORT: Final = 200  # characters in which an identifier shows

_TAG: Final = pattern(r"</?[A-Za-z][^<>]*+>")
_BLOCK_TAG: Final = pattern(
    r"<(?:p|div|br|li|[uo]l|h[1-6]|table|tr|td|blockquote|pre|section|article|figure|hr)\b", re.I
)
_SWALLOWS: Final = pattern(
    r"<!--.*?(?:--!?>|\Z)|</?(?:html|head|body|main|plaintext|frameset)\b[^<>]*+>?"
    r"|<(script|style|textarea|title|template|xmp|noembed|noframes|iframe|svg"
    r"|audio|video|canvas)\b.*?(?:</\1\b[^<>]*+>?|\Z)",
    re.DOTALL | re.I,
)
"""Elements that are dropped anyway, and that without an end tag would hide the rest."""
_SPACED_WORD: Final = pattern(
    r"(?<!\S)[^\w\s]{0,3}+[^\W\d_]++(?:[-'’.][^\W\d_]++){0,3}+[^\w\s]{0,4}+(?!\S)"
)
"""A word between white space, with punctuation; not a long identifier."""
_UNSPACED: Final = pattern(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_CODE: Final = pattern(r"[{}<>=;_$\\|@#/^~*]")
_IDENTIFIER: Final = pattern(r"\A(?:https?:|[./#]|(?=\S++\Z)(?:\S{24}|\S*?[\d_/.:=+]\S))")

_TOKEN: Final = pattern(
    r'"(?P<text>(?:[^"\\\n]++|\\.)*+)(?:"(?P<colon>\s*+:)?|\Z|(?P<stray>))'
    r"|(?P<open>[\[{])|(?P<close>[\]}])",
    re.DOTALL,
)
"""No string goes over the end of a line, so a stray quotation mark spoils no more than one."""
_ESCAPE: Final = pattern(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SIGNS: Final = {"b": " ", "f": " ", "n": "\n", "r": "\r", "t": "\t", "v": " ", "0": " "}
_CONTROLS: Final = {code: " " for code in range(32) if chr(code) not in "\t\n\r"}
_STATE: Final = pattern(r"\s*+(?:[0-9a-f]{1,6}:)?+[A-Z]?[\[{]")
"""How a string begins that holds JSON itself; React numbers its rows."""
_MOST_NESTED: Final = 3


class Recovered(NamedTuple):
    """A page made of what another one embeds."""

    markup: bytes  # UTF-8; the title of the page and the texts in their order
    source: str
    """Where they stood: ``json-ld``, ``json`` (data scripts and attributes) or ``script``."""


def recovered(markup: bytes, head: Callable[[], Head] = Head) -> Recovered | None:
    """The embedded content of a page as a page of its own, or None where there is hardly any.

    Linear in the length of the page, whatever it holds.

    Args:
        markup: UTF-8 bytes.
        head: gives what the page declares, of which its title and its language go to the other.
    """
    paths: dict[tuple[str, Path], dict[str, _Text]] = defaultdict(dict)
    for source, data in _sources(record_full(markup)):
        for path, value in strings(data):
            text = _Text.of(value)
            if text.says_something:
                paths[source, path].setdefault(text.plain, text)
    largest = dict.fromkeys(_FEWEST_WORDS, (0.0, ("", "")))
    for (source, path), texts in paths.items():
        largest[source] = max(largest[source], (_words_of_prose(texts.values()), path))
    enough = [name for name, least in _FEWEST_WORDS.items() if largest[name][0] >= least]
    if not enough:
        return None
    best = max(enough, key=lambda name: largest[name][0])
    if "json-ld" in enough and largest["json-ld"][0] >= _LD_SHARE * largest[best][0]:
        best = "json-ld"
    texts = paths[best, largest[best][1]]
    title, language = head().title, head().language or ""
    body = "\n".join(text.written() for text in texts.values() if text.plain != title)
    page = (
        f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><title>{escape(title)}</title>'
        f"</head>\n<body><main><article>\n<h1>{escape(title)}</h1>\n{body}\n"
        "</article></main></body></html>\n"
    )
    return Recovered(page.encode("utf-8", "replace"), best)


def _sources(page: Markup) -> Iterator[tuple[str, str]]:
    """The data and scripts of a page, each after the name of what it is."""
    kinds, texts = page.kind.tolist(), page.texts
    scripts = {row for row, text in enumerate(texts) if text == "script"}
    assert isinstance(page.attributes, LazyAttributes), "a record of markup has its attributes so"
    for row in sorted(scripts.union(page.attributes.may_have(NEARLY_EMPTY))):
        attributes = page.attributes[row]
        for value in attributes.values():
            if value[:1] in ("{", "[") and len(value) >= NEARLY_EMPTY:
                yield "json", value
        if row not in scripts or kinds[row] != Kind.START:
            continue
        if kind := _kind(attributes.get("type", "")):
            inside = takewhile(lambda at: kinds[at] == Kind.TEXT, range(row + 1, len(kinds)))
            yield from ((kind, texts[at]) for at in inside)


def _kind(declared: str) -> str:
    """What a script is by its declared type; "" for templates and the like."""
    declared = declared.lower().partition(";")[0].strip()
    if declared == "application/ld+json":
        return "json-ld"
    if declared.endswith("json"):
        return "json"
    return "script" if declared in ("", "module") or declared.endswith("script") else ""


def strings(source: str, path: Path = ("", ""), depth: int = 0) -> Iterator[tuple[Path, str]]:
    """Path and text of each string value, in order, those in strings that are JSON included.

    Elements of an array have the path of the array. Keys with digits count as the same key: they
    are identifiers.

    Args:
        source: JSON, or a script that assigns some.
        path: of the outermost values.
        depth: how many strings the source stands in.
    """
    stack, current, key = [path], path, ""
    for match in _TOKEN.finditer(source):
        kind = match.lastgroup
        if kind == "colon":
            key = "#" if any(map(str.isdigit, match["text"])) else match["text"]
            continue
        below = (current[1], key) if key else current
        if kind == "open":
            stack.append(current)
            current, key = below, ""
        elif kind == "close":
            current, key = stack.pop() if len(stack) > 1 else path, ""
        elif kind == "text":
            text = unescaped(match["text"])
            if depth < _MOST_NESTED and _STATE.match(text):
                yield from strings(text, below, depth + 1)
            else:
                yield below, text


def unescaped(text: str) -> str:
    """Escapes of JSON and JavaScript resolved; half a surrogate pair becomes U+FFFD."""
    if "\\" in text:
        text = _ESCAPE.sub(_character, text)
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.translate(_CONTROLS)


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _SIGNS.get(match[3], match[3])


class _Text(NamedTuple):
    """A text that may be content."""

    source: str  # as embedded, with or without tags
    plain: str  # without tags, white space collapsed
    words: float  # of `plain`; two characters count as one where words are not spaced

    @classmethod
    def of(cls, source: str) -> _Text:
        if "&lt;" in source and not _TAG.search(source):
            source = unescape(source)
        plain = source
        if "<" in source:
            source = _SWALLOWS.sub(" ", source)
            plain = _TAG.sub(" ", source)
        plain = " ".join(unescape(plain).split())
        words = len(_SPACED_WORD.findall(plain)) + len(_UNSPACED.findall(plain)) / 2
        return cls(source, plain, words)

    @property
    def says_something(self) -> bool:
        """Is it more than an identifier or an address."""
        return self.words >= 1 and not _IDENTIFIER.search(self.plain[:_SHORT])

    @property
    def is_prose(self) -> bool:
        """Is it at least a sentence, and not code, data or a label."""
        return (
            self.words >= _SENTENCE
            and len(_CODE.findall(self.plain)) <= _MOST_CODE * len(self.plain)
            and self.words >= _SPACED_SHARE * len(self.plain.split())
        )

    def written(self) -> str:
        """The text as markup."""
        if _BLOCK_TAG.search(self.source):
            return f"<div>{self.source}</div>"
        lines = filter(None, map(str.strip, self.source.splitlines()))
        if _TAG.search(self.source):
            return "".join(f"<p>{line}</p>" for line in lines)
        return "".join(f"<p>{escape(unescape(line))}</p>" for line in lines)


def _words_of_prose(texts: Iterable[_Text]) -> float:
    """Words in the prose of different texts; 0 if most of them say something else."""
    texts = [*texts]
    prose = sum(text.words for text in texts if text.is_prose)
    return prose if prose >= _PURE * sum(text.words for text in texts) else 0.0
