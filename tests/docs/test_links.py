"""Links of the documentation: relative ones lead to files, and anchors to headings."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "annotations", "benchmarks", "victor", "features", "configs", "templates")
"""Where Markdown of the project lies, beside the root; `tests/golden` holds what pages became."""

_MARKDOWN = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=6)
_IDS = re.compile(r"""<[^>]*\s(?:id|name)=["']([^"']+)""")
_COMMANDS = re.compile(r"(?<![:/\w])benchmarks/[\w/]+\.(?:py|sh)\b(?!@)")
"""Commands of the tree; `@COMMIT` marks one that only a commit has."""
_HTML_LINKS = re.compile(r"""<[^>]*\s(?:href|src)=["']([^"']+)""")


def pages() -> list[Path]:
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")]
    return sorted({*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.md"), *inside})


@cache
def tokens(path: Path) -> list[Token]:
    """All tokens of a page, those inside of lines too."""
    blocks = _MARKDOWN.parse(path.read_text(encoding="utf-8"))
    return [token for block in blocks for token in (block, *(block.children or []))]


def links(path: Path) -> Iterator[str]:
    for token in tokens(path):
        target = token.attrGet("href") or token.attrGet("src")
        if target is not None:
            yield str(target)
        if token.type in ("html_inline", "html_block"):
            yield from _HTML_LINKS.findall(token.content)


@cache
def anchors(path: Path) -> set[str]:
    html = [token.content for token in tokens(path) if token.type in ("html_inline", "html_block")]
    ids = {name for content in html for name in _IDS.findall(content)}
    return ids | {str(token.attrGet("id")) for token in tokens(path) if token.attrGet("id")}


def problems(path: Path) -> list[str]:
    """What is wrong with the links of a page; addresses of other hosts are not looked at."""
    wrong = []
    for link in links(path):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
        if not target.exists():
            wrong.append(f"{link}: no such file")
        elif parts.fragment and target.suffix == ".md" and parts.fragment not in anchors(target):
            wrong.append(f"{link}: no such heading")
    return wrong


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_benchmarks_lead_somewhere(page):
    assert problems(page) == []
    named = set() if page.name == "CHANGELOG.md" else {*_COMMANDS.findall(page.read_text("utf-8"))}
    assert {command for command in named if not (ROOT / command).exists()} == set()


def test_wrong_links_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two` — three?\n\n## One\n\n## One\n\n<a id='here'></a>\n\n"
        "[a](#one-two--three) [b](other.md#two) [c](#one-1) [d](#here) [e](https://a.example/x)\n"
        "[f](#missing) [g](other.md#missing) [h](missing.md) ![i](missing.png)\n\n"
        '<img src="gone.png">\n\n```text\n[j](in-code.md)\n```\n',
        encoding="utf-8",
    )
    (tmp_path / "other.md").write_text("## Two\n", encoding="utf-8")
    assert problems(page) == [
        "#missing: no such heading",
        "other.md#missing: no such heading",
        "missing.md: no such file",
        "missing.png: no such file",
        "gone.png: no such file",
    ]
