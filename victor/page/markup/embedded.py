"""Recover content that no visible tag holds from the JSON of scripts and attributes.

Forum software and page frameworks send some pages as data and let a script draw them. The form of
the data tells what is content, not the names that some site gives it: texts under one path of keys
belong together, and the path with most words holds the content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import pairwise
from typing import Final, NamedTuple

from victor.page.markup.full_record import Kind, Markup, record_full
from victor.page.markup.markup_columns import LazyAttributes
from victor.page.markup.script_strings import Literal, Path, Paths, read_literals
from victor.page.parsing.patterns import pattern
from victor.page.table.page_counts import NEARLY_EMPTY

_FEWEST_WORDS: Final[Mapping[str, int]] = {"json-ld": 50, "json": 200, "script": 200}
"""Fewer words than these are hardly ever the content, by source."""
_LEAST_SHARE: Final = 0.15
"""A group of texts counts from this share of the words of the largest."""
_MOST_REPEATED: Final = 0.6
"""Texts that share more of their word pairs with larger groups are repetitions."""
_LD_SHARE: Final = 0.5
"""Published metadata is preferred where it has this share of the words that state has."""
_PURE: Final = 0.5
"""Least share of prose in the words of a group."""
_SENTENCE: Final = 10
"""Fewest words of a text that tells content from labels."""
_SPACED_SHARE: Final = 0.7
"""Least share of words in the pieces of prose between white space."""
_SHORT: Final = 200
"""Most characters of a heading or of a name."""
_HEADINGS: Final = frozenset({"headline", "heading", "name", "question", "title"})
_AUTHORS: Final = frozenset({"author", "creator", "user", "username"})

_SIGNS: Final = (
    pattern(rb"<[sS][cC][rR][iI][pP][tT]"),
    pattern(rb"=[ \t\n\f\r]*+[\"']?[{\[&]"),
)
"""What a page has that embeds anything: a script, or an attribute that may begin as data."""
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
_WORD: Final = pattern(r"[^\W\d_]+")
_SPACED_WORD: Final = pattern(
    r"(?<!\S)[^\w\s]{0,3}+[^\W\d_]++(?:[-'’.][^\W\d_]++){0,3}+[^\w\s]{0,4}+(?!\S)"
)
"""A word between white space, with punctuation; not a long identifier."""
_UNSPACED: Final = pattern(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_CODE: Final = pattern(r"[{}<>=;_$\\|@#/^~*]")
_IDENTIFIER: Final = pattern(r"\A(?:https?:|[./#]|(?=\S++\Z)(?:\S{24}|\S*?[\d_/.:=+]\S))")
_NAME: Final = pattern(r"[^\W\d][^/]{0,60}")
_MOST_CODE: Final = 0.04


@dataclass(frozen=True, slots=True)
class Recovered:
    """A page made of what another one embeds.

    Attributes:
        markup: UTF-8; the title and the metadata of the page, and the texts in their order.
        source: where they stood: ``json-ld``, ``json`` (data scripts and attributes) or ``script``.
    """

    markup: bytes
    source: str


def recovered(markup: bytes) -> Recovered | None:
    """The embedded content of a page as a page of its own, or None where there is hardly any.

    Linear in the length of the page, whatever it holds.

    Args:
        markup: UTF-8 bytes.
    """
    if not any(sign.search(markup) for sign in _SIGNS):
        return None
    page = _Page(record_full(markup))
    choices = {source: _content(*texts) for source, texts in page.texts.items()}
    words = {source: sum(text.words for text in texts) for source, texts in choices.items()}
    enough = [source for source in words if words[source] >= _FEWEST_WORDS[source]]
    if not enough:
        return None
    best = max(enough, key=lambda source: words[source])
    if "json-ld" in enough and words["json-ld"] >= _LD_SHARE * words[best]:
        best = "json-ld"
    return Recovered(page.written(choices[best]).encode("utf-8", "replace"), best)


_FILLED: Final = ("script", "title")
"""Elements whose text is read."""


class _Page:
    """The head of a page, and all in it that may be data."""

    def __init__(self, markup: Markup) -> None:
        self.texts = {name: (list[Literal](), Paths()) for name in ("json-ld", "json", "script")}
        self._roots = 0
        self._names = [*markup.texts]
        """Texts of the items; of start and end tags their names."""
        self._kinds: list[int] = markup.kind.tolist()
        self._attributes = markup.attributes
        self._title = ""
        data = _with_data(markup.attributes)
        filled = [row for row, name in enumerate(self._names) if name in _FILLED]
        for row in sorted({*data, *filled}):
            if self._kinds[row] == Kind.START:
                self._start(row, has_data=row in data)

    def _start(self, row: int, *, has_data: bool) -> None:
        """Look for data in the attributes of an element; read a script or the title."""
        name, attributes = self._names[row], self._attributes[row]
        for value in filter(_may_be_data, attributes.values() if has_data else ()):
            self._read(value, "json")
        if name == "script" and (kind := _kind(attributes.get("type", ""))):
            self._read(self._inside(row), kind)
        elif name == "title":
            self._title = self._title or " ".join(self._inside(row).split())

    def _inside(self, row: int) -> str:
        """Text of an element that holds nothing but text."""
        end = row + 1
        while end < len(self._kinds) and self._kinds[end] == Kind.TEXT:
            end += 1
        return "".join(self._names[row + 1 : end])

    def _read(self, text: str, source: str) -> None:
        literals, paths = self.texts[source]
        self._roots += 1
        # The state of one page may be spread over many scripts, data are whole.
        root = 0 if source == "script" else paths.below(0, "\0" + chr(self._roots))
        literals += read_literals(text, paths, root=root, script=source == "script")

    def written(self, chosen: Sequence[_Text]) -> str:
        """A page with the head of this one and the chosen texts."""
        title = f"<title>{escape(self._title)}</title>"
        written = [_written(text) for text in chosen if text.plain != self._title]
        body = "\n".join([f"<h1>{escape(self._title)}</h1>", *written])
        languages = (attributes.get("lang") for _, attributes in self._elements("html"))
        declared = next(filter(None, languages), "")
        language = f' lang="{escape(declared)}"' if declared else ""
        return (
            f"<!DOCTYPE html>\n<html{language}><head>{title}{self._written_head()}</head>\n"
            f"<body><main><article>\n{body}\n</article></main></body></html>\n"
        )

    def _written_head(self) -> str:
        """Meta data and the page's own address as markup."""
        tags = []
        for name, attributes in self._elements("meta", "link"):
            if name == "meta" or attributes.get("rel", "").lower() == "canonical":
                pairs = (f' {key}="{escape(value)}"' for key, value in attributes.items())
                tags.append(f"<{name}{''.join(pairs)}>")
        return "".join(tags)

    def _elements(self, *names: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Names and attributes of the elements of some names."""
        for row, name in enumerate(self._names):
            if name in names and self._kinds[row] == Kind.START:
                yield name, self._attributes[row]


def _with_data(attributes: Sequence[Mapping[str, str]]) -> set[int]:
    """Rows of all elements with an attribute that may hold data."""
    if isinstance(attributes, LazyAttributes):
        return {*attributes.beginning(b"{[", NEARLY_EMPTY).tolist()}
    return {row for row, of_row in enumerate(attributes) if any(map(_may_be_data, of_row.values()))}


def _may_be_data(value: str) -> bool:
    return value[:1] in ("{", "[") and len(value) >= NEARLY_EMPTY


def _kind(declared: str) -> str:
    """Source of the texts of a script by its declared type; "" for templates and the like."""
    declared = declared.lower().partition(";")[0].strip()
    if declared == "application/ld+json":
        return "json-ld"
    if declared.endswith("json"):
        return "json"
    return "script" if declared in ("", "module") or declared.endswith("script") else ""


class _Text(NamedTuple):
    """A text that may be content.

    Attributes:
        path: of its keys.
        source: as embedded, with or without tags.
        plain: without tags, white space collapsed.
        words: of `plain`; two characters count as one where words are not spaced.
        is_heading: stands beside a text as its heading.
    """

    path: Path
    source: str
    plain: str
    words: float
    is_heading: bool = False

    @classmethod
    def of(cls, literal: Literal) -> _Text:
        source = literal.text
        if "&lt;" in source and not _TAG.search(source):
            source = unescape(source)
        plain = source
        if "<" in source:
            source = _SWALLOWS.sub(" ", source)
            plain = _TAG.sub(" ", source)
        plain = " ".join(unescape(plain).split())
        words = len(_SPACED_WORD.findall(plain)) + len(_UNSPACED.findall(plain)) / 2
        return cls(literal.path, source, plain, words)

    @property
    def is_prose(self) -> bool:
        """Is it at least a sentence, and not code, data or a label."""
        code = len(_CODE.findall(self.plain))
        return (
            self.words >= _SENTENCE
            and code <= _MOST_CODE * len(self.plain)
            and self.words >= _SPACED_SHARE * len(self.plain.split())
        )


@dataclass(frozen=True, eq=False)
class _Group:
    """The texts under one path of keys.

    Attributes:
        path: of the keys.
        words: in prose, equal texts counted once.
        pairs: pairs of neighbouring words of the prose.
        size: number of different texts of prose.
    """

    path: Path
    words: float
    pairs: frozenset[tuple[str, str]]
    size: int

    @classmethod
    def of(cls, path: Path, texts: Iterable[_Text]) -> _Group:
        distinct = {text.plain: text for text in texts}
        prose = {plain: text.words for plain, text in distinct.items() if text.is_prose}
        if sum(prose.values()) < _PURE * sum(max(text.words, 1) for text in distinct.values()):
            prose = {}
        tokens = [_WORD.findall(plain) for plain in prose]
        pairs = frozenset(pair for words in tokens for pair in pairwise(words))
        return cls(path, sum(prose.values()), pairs, len(prose))


def _content(literals: Sequence[Literal], paths: Paths) -> list[_Text]:
    """The texts of the content, in their order, each once."""
    texts = [_Text.of(literal) for literal in literals]
    by_path: dict[Path, list[_Text]] = defaultdict(list)
    for text in texts:
        by_path[text.path].append(text)
    groups = _largest(_Group.of(path, members) for path, members in by_path.items() if path)
    headings, authors = _around(groups, by_path, paths)
    content = {group.path for group in groups}
    chosen: dict[str, _Text] = {}
    for number, text in enumerate(texts):
        if text.path in content and _says_something(text):
            chosen.setdefault(text.plain, text)
        elif text.path in headings and _is_label(text):
            chosen.setdefault(text.plain, text._replace(is_heading=True))
        elif text.path in authors and _NAME.fullmatch(text.plain):
            chosen[f"\0{number}"] = text  # who wrote several texts is named at each
    return [*chosen.values()]


def _largest(groups: Iterable[_Group]) -> list[_Group]:
    """The group with most words, and others with nearly as many that do not repeat it."""
    ordered = sorted(groups, key=lambda group: -group.words)
    chosen: list[_Group] = []
    covered: set[tuple[str, str]] = set()
    for group in ordered:
        if not group.words or group.words < _LEAST_SHARE * ordered[0].words:
            break
        if len(group.pairs & covered) <= _MOST_REPEATED * len(group.pairs):
            chosen.append(group)
            covered |= group.pairs
    return chosen


def _around(
    groups: Iterable[_Group], known: Iterable[Path], paths: Paths
) -> tuple[set[Path], set[Path]]:
    """Paths of headings and, where there are several texts, of authors beside the texts."""
    beside = {paths.above(group.path): group.size for group in groups}
    headings, authors = set[Path](), set[Path]()
    for path in known:
        above, key = paths.above(path), paths.key(path).lower()
        if key in _AUTHORS and beside.get(above, 0) > 1:
            authors.add(path)
        elif key == "name" and paths.key(above) in _AUTHORS:
            if beside.get(paths.above(above), 0) > 1:
                authors.add(path)
        elif key in _HEADINGS and above in beside:
            headings.add(path)
    signed = {paths.above(path) for path in authors}
    return {p for p in headings if paths.above(p) not in signed}, authors


def _says_something(text: _Text) -> bool:
    """Is it more than an identifier or an address."""
    return text.words >= 1 and not _IDENTIFIER.search(text.plain[:_SHORT])


def _is_label(text: _Text) -> bool:
    return len(text.plain) <= _SHORT and _says_something(text)


def _written(text: _Text) -> str:
    """A text as markup."""
    if text.is_heading:
        return f"<h2>{escape(text.plain)}</h2>"
    if _BLOCK_TAG.search(text.source):
        return f"<div>{text.source}</div>"
    lines = filter(None, map(str.strip, text.source.splitlines()))
    if _TAG.search(text.source):
        return "".join(f"<p>{line}</p>" for line in lines)
    return "".join(f"<p>{escape(unescape(line))}</p>" for line in lines)
