"""The fenced code blocks of README and docs, and what is to be done with each.

Conventions, for who writes docs:

- Every fence names its language.
- The blocks of a page run in order, in one folder that holds the stock of `stock.py`.
- ``sh``: every command must succeed; ``pip install`` is taken as done.
- ``console``: lines that begin with ``$ `` are commands; what follows is their output, in which
  ``…`` stands for any text and a line ``…`` for any lines.
- ``python``: the blocks of a page share their names.
- ``yaml``: a configuration. A first line ``# name.ext`` of a yaml or python block names the file
  that it stands for: the block is written there for those after it, and does not run by itself.
- ``json``: each line, or the whole, is JSON. ``text`` and other languages are for reading only.
- ``<!-- not run: reason -->`` on the line above a fence leaves the block out.
- ``<!-- needs: package -->`` there leaves it out where a package is not installed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUN = frozenset({"sh", "console", "python", "yaml", "json"})
READ = frozenset({"text", "xml", "html", "markdown", "diff", "dockerfile", "bibtex", "toctree"})
"""Languages of blocks that are for reading."""
_INSTALLS = re.compile(r"^(?:pip install|python -m venv) .*$", re.MULTILINE)
_FENCE = re.compile(r"^( *)(`{3,})(\S*)[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_NOT_RUN = re.compile(r"<!-- not run: (.+?) -->\s*$")
_NEEDS = re.compile(r"<!-- needs: (\w+) -->\s*$")
_FILE = re.compile(r"# ([\w./-]+\.(?:py|yaml|yml|toml|txt|md))\s*$")


@dataclass(frozen=True)
class CodeBlock:
    """One fenced block.

    Attributes:
        path: of the Markdown file, below the root of the project.
        line: of the fence, from 1.
        language: that the fence names; "" if none.
        code: without the fences and their indentation.
        left_out: why it is not run; "" if it runs.
    """

    path: str
    line: int
    language: str
    code: str
    left_out: str

    @property
    def file(self) -> str:
        """Name of the file that the block stands for; "" if it stands for none."""
        match = _FILE.match(self.code.partition("\n")[0])
        return match[1] if match and self.language in {"python", "yaml"} else ""

    @property
    def commands(self) -> str:
        """The lines of a ``sh`` block that a test runs."""
        return _INSTALLS.sub("", self.code)

    @property
    def runs(self) -> bool:
        """Does a test do something with it."""
        is_empty = self.language == "sh" and not self.commands.strip()
        return self.language in RUN and not self.left_out and not is_empty

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def blocks_of(path: Path) -> list[CodeBlock]:
    """The fenced blocks of a Markdown file, in order."""
    text = path.read_text(encoding="utf-8")
    return [_block(path, text, match) for match in _FENCE.finditer(text)]


def _block(path: Path, text: str, match: re.Match[str]) -> CodeBlock:
    before = text[max(0, match.start() - 400) : match.start()]
    reason, needed = _NOT_RUN.search(before), _NEEDS.search(before)
    left_out = reason[1] if reason else ""
    if needed and find_spec(needed[1]) is None:
        left_out = f"{needed[1]} is not installed"
    indent = len(match[1])
    return CodeBlock(
        path=path.relative_to(ROOT).as_posix(),
        line=text.count("\n", 0, match.start()) + 1,
        language=match[3],
        code="".join(line[indent:] or "\n" for line in match[4].splitlines(keepends=True)),
        left_out=left_out,
    )


def documents() -> list[Path]:
    """README, the contributor's page and all pages of the docs."""
    tops = [ROOT / name for name in ("README.md", "CONTRIBUTING.md") if (ROOT / name).exists()]
    return tops + sorted((ROOT / "docs").rglob("*.md"))
