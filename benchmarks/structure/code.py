"""Code blocks: their lines as a browser shows them, without gutters, and their language."""

from __future__ import annotations

import re
from typing import Any, Final

from lxml import etree

BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav "
    "ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
LISTS: Final = frozenset(["ul", "ol", "menu", "dir"])
_GUTTERS: Final = frozenset(
    "gutter lineno linenos linenumber linenumbers line-number line-numbers line-numbers-rows lnt "
    "ln hljs-ln-numbers blob-num linenodiv rouge-gutter".split()
)
_LINES: Final = frozenset(["line", "code-line", "view-line", "token-line", "cm-line"])
_DIGITS: Final = re.compile(r"[\s\d]*")
_PREFIXED: Final = re.compile(r"(?:language|lang|highlight-source|highlight-text|highlight)-(.+)")
_BRUSH: Final = re.compile(r"brush:\s*([^;\s]+)")
_NO_LANGUAGE: Final = frozenset(
    "none plain plaintext text txt nohighlight no-highlight auto default undefined unknown raw "
    "notranslate code output".split()
)
_ALIASES: Final = {
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "ts": "typescript",
    "tsx": "typescript", "py": "python", "python3": "python", "ipython3": "python", "sh": "bash",
    "shell": "bash", "zsh": "bash", "console": "bash", "shellscript": "bash", "yml": "yaml",
    "rb": "ruby", "rs": "rust", "cs": "csharp", "c#": "csharp", "c++": "cpp", "golang": "go",
    "htm": "html", "markup": "html", "md": "markdown", "kt": "kotlin", "ps1": "powershell",
    "hcl": "terraform", "tf": "terraform", "objc": "objectivec", "objective-c": "objectivec",
}  # fmt: skip
_BARE: Final = frozenset(
    "python javascript typescript java bash css html xml json yaml sql ruby rust go cpp c csharp "
    "php swift kotlin scala perl r lua haskell ini toml diff makefile dockerfile markdown "
    "powershell js ts sh shell py yml".split()
)
_WRAPPERS: Final = 3
"""Elements above a `pre` that may name its language, if it is the only one in them."""


def code_text(pre: Any) -> str:
    """Lines of a code block: no white space at their ends, no empty line first or last."""
    lines = _Lines(pre)
    text = "".join(lines.parts).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    rows = [line.rstrip() for line in text.split("\n")]
    while rows and not rows[0]:
        del rows[0]
    while rows and not rows[-1]:
        del rows[-1]
    return "\n".join(rows)


class _Lines:
    """Text of a `pre`, in which edges of blocks are edges of lines."""

    def __init__(self, pre: Any) -> None:
        self.parts: list[str] = []
        self.blocks = set(BLOCKS)
        self._numbers = gutters(pre)
        self._by_class = "\n" not in "".join(pre.itertext())
        skipped = None
        for event, node in etree.iterwalk(pre, events=("start", "end", "comment", "pi")):
            if event == "start" and skipped is None:
                if node is not pre and (node in self._numbers or _is_apart(node)):
                    skipped = node
                else:
                    self._start(node, pre)
            elif event != "start":
                if event == "end" and skipped is None:
                    self._edge(node, pre)
                skipped = None if node is skipped else skipped
                if skipped is None and node is not pre:
                    self.parts.append(node.tail or "")

    def _start(self, node: Any, pre: Any) -> None:
        self._edge(node, pre)
        self.parts.append("\n" if node.tag == "br" else node.text or "")

    def _edge(self, node: Any, pre: Any) -> None:
        """A line ends where a block begins or ends, unless it just has."""
        if node is pre or not self._is_line(node):
            return
        last = next((part for part in reversed(self.parts) if part), "\n")
        if not last.endswith("\n"):
            self.parts.append("\n")

    def _is_line(self, node: Any) -> bool:
        if node.tag in self.blocks and node.tag not in ("td", "th"):
            return True
        return self._by_class and bool(_LINES & _classes(node))


def _is_apart(node: Any) -> bool:
    return node.tag in ("button", "script", "style", "svg", "template", "textarea", "select")


def gutters(pre: Any) -> set[Any]:
    """Elements in a `pre` that hold the numbers of lines: by their class or by their place."""
    by_class = {
        node
        for node in pre.iterdescendants(etree.Element)
        if _GUTTERS & _classes(node) and _DIGITS.fullmatch("".join(node.itertext()))
    }
    return by_class | _line_numbers(pre)


def _line_numbers(pre: Any) -> set[Any]:
    """Elements with the numbers of lines that stand each before the block of its line."""
    numbers = []
    for node in pre.iter(etree.Element):
        line = node.getnext()
        if line is None or line.tag not in BLOCKS or (node.tail or "").strip() or len(node):
            continue
        if (node.text or "").strip().isdecimal():
            numbers.append(node)
    counted = [str(number) for number in range(1, len(numbers) + 1)]
    return set(numbers) if [node.text.strip() for node in numbers] == counted else set()


def in_gutter(pre: Any) -> bool:
    """Whether a `pre` holds nothing but the numbers of lines."""
    numbers = "".join(pre.itertext()).split()
    return bool(numbers) and numbers == [str(number) for number in range(1, len(numbers) + 1)]


def code_language(pre: Any) -> str | None:
    """Language that a `pre`, a `code` in it or an element close around it declares."""
    near = [pre, *list(pre.iterdescendants("code"))[:1]]
    for wrapper in list(pre.iterancestors())[:_WRAPPERS]:
        if any(other is not pre and not in_gutter(other) for other in wrapper.iter("pre")):
            break
        near.append(wrapper)
    for node in near:
        language = _declared(node, is_code=node.tag in ("pre", "code"))
        if language:
            return language
    return None


def _declared(node: Any, *, is_code: bool) -> str | None:
    for name in ("data-lang", "data-language"):
        if language := canonical(node.get(name) or ""):
            return language
    if brush := _BRUSH.search(node.get("class") or ""):
        return canonical(brush[1])
    names = (node.get("class") or "").split()
    for name in names:
        if (prefixed := _PREFIXED.fullmatch(name)) and (language := canonical(prefixed[1])):
            return language
    if is_code and {"hljs", "sourceCode", "prettyprint", "highlight", "chroma"} & set(names):
        return next((canonical(name) for name in names if name.lower() in _BARE), None)
    return None


def canonical(name: str) -> str | None:
    """One name for a language of many; None for what names none."""
    name = name.strip().lower()
    if not name or name in _NO_LANGUAGE or len(name) > 30:
        return None
    return _ALIASES.get(name, name)


def _classes(node: Any) -> set[str]:
    return set((node.get("class") or "").lower().split())
