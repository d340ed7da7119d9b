"""The programming language that the markup of code declares."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from victor.page.markup.start_tags import Attributes

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
