"""What classes tell: frames around notes, tips and warnings, and the language of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from victor.page.markup.full_record import Attributes
from victor.page.parsing.tags import member_mask
from victor.render.tree.source import Source

_HINT: Final = re.compile("admonition|alert|callout|custom-block|starlight-aside|notecard|hint")
"""The class of every callout has one of these in it."""
_FRAME: Final = re.compile(
    r"(?<!\S)(?:(?:markdown-|theme-)?(?:admonition(?:block)?|alert|callout)|custom-block"
    r"|starlight-aside|notecard|hint)(?!\S)"
)
_KIND: Final = re.compile(
    r"(?<!\S)(?:(?:markdown-|theme-)?(?:admonition|alert|callout)--?|starlight-aside--|is-)?"
    r"(note|info|tip|important|warning|caution|danger|attention|error|success|abstract|summary"
    r"|todo|question|help|faq|failure|bug|example|quote|seealso)(?!\S)"
)
_HOLDERS: Final = member_mask(frozenset({"div", "aside", "section", "blockquote", "details"}))
_TITLE: Final = re.compile(r"title|heading|callout-header|summary", re.IGNORECASE)
_LARGEST: Final = 0.5
"""Share of the kept text of a page; what holds more is its frame, whatever it is called."""
_LANGUAGES: Final = frozenset(
    "ada apache asm awk bash basic bat batch c clojure cmake cobol coffeescript console cpp cs "
    "csharp css csv cuda dart diff dockerfile elixir elm erb erlang fortran fsharp git go golang "
    "gradle graphql groovy handlebars haskell hcl html http ini java javascript js json json5 jsx "
    "julia kotlin latex lean less lisp lua makefile markdown matlab md mdx mysql nginx nim nix "
    "objc objectivec ocaml octave pascal perl php plaintext plain powershell properties proto "
    "protobuf ps1 py python python3 r ruby rb rst rust sass scala scheme scss sh shell solidity "
    "sql svelte swift terraform tex text toml ts tsx typescript vb vbnet verilog vhdl vim vue xml "
    "yaml yml zig zsh c++ c# f# objective-c shell-session jsonc astro ejs pgsql postgresql".split()
)
"""Names of languages of code, as they stand after a fence."""
_NAMED: Final = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|code|syntax|brush:)"
    r"[-:_]?\s?([A-Za-z0-9+#.-]+)(?=[\s;]|$)"
)
_ATTRIBUTES: Final = ("data-lang", "data-language", "data-code-language", "language", "lang")
_MARKERS: Final = frozenset({"hljs", "hl", "sourcecode", "prettyprint", "highlight", "codehilite"})
"""Classes of code beside which the language stands as a class of its own."""
_NO_LANGUAGES: Final = frozenset(
    "box block container wrapper toolbar line lines view snippet default none text-html source "
    "inline copy numbers linenums nowrap dark light example block-wrapper sample area".split()
)
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9+#.-]{0,30}\Z")


def callouts(source: Source, first_tag: Sequence[int]) -> tuple[dict[int, str], set[int]]:
    """The kinds of callouts by their elements, and the paragraphs that are titles of some.

    Args:
        source: the page.
        first_tag: (Q,) tag before each paragraph.
    """
    kinds, titles = dict[int, str](), set[int]()
    elements = source.table.elements
    rows = np.flatnonzero(_HOLDERS[elements.tag])
    starts, ends = (
        np.searchsorted(first_tag, tags[rows]) for tags in (elements.open, elements.close)
    )
    is_part = (starts < ends) & (ends <= starts + max(_LARGEST * len(first_tag), 1))
    rows, starts = rows[is_part], starts[is_part]
    classes = source.tags.values("class", elements.open[rows])
    if not _HINT.search("\n".join(filter(None, classes))):
        return kinds, titles
    found = zip(rows.tolist(), starts.tolist(), classes, strict=True)
    for element, start, names in source.table.allowance.over([*found]):
        if names and _HINT.search(names) and (kind := _kind(source.of_element(element))):
            kinds[element] = kind
            if _is_title(source, element, first_tag[start]):
                titles.add(start)
    return kinds, titles


def _kind(attributes: Attributes) -> str:
    classes = attributes["class"].lower()
    if not _FRAME.search(classes):
        return ""
    named = _KIND.search(f"{attributes.get('data-callout', '').lower()} {classes}")
    return named[1] if named else "note" * ("admonition" in classes.split())


def _is_title(source: Source, callout: int, tag: int) -> bool:
    element = int(source.table.tags.element[tag])
    while element != callout and element != source.parent[element]:
        if _TITLE.search(source.of_element(element).get("class", "")):
            return True
        element = source.parent[element]
    return False


def language(tags: Iterable[Attributes]) -> str:
    """Language of code, lower case, "" where none is declared.

    Args:
        tags: attributes of the elements in and around the code, the surest first.
    """
    for attributes in tags:
        name = _of_classes(attributes.get("class", "")) or _of_attributes(attributes)
        if name:
            return name
    return ""


def _of_classes(classes: str) -> str:
    for match in _NAMED.finditer(classes):
        name = match[1].strip(".-").lower()
        if _WORD.match(name) and name not in _NO_LANGUAGES and _is_likely(match[0], name):
            return name
    words = classes.lower().split()
    if not _MARKERS.isdisjoint(words):
        return next((word for word in words if word in _LANGUAGES), "")
    return ""


def _is_likely(match: str, name: str) -> bool:
    """Words such as *highlight* and *code* begin many names that are none of a language."""
    sure = match.strip().lower().startswith(("language", "lang", "brush", "highlight-source"))
    return sure or name in _LANGUAGES


def _of_attributes(attributes: Attributes) -> str:
    for attribute in _ATTRIBUTES:
        name = attributes.get(attribute, "").strip().lower()
        if name in _LANGUAGES or (name and attribute != "lang" and _WORD.match(name)):
            return name
    return ""
