"""Scripts and styles of the demo in one file that may load and run nothing else, and its frame."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib import resources
from typing import Final

_MODULES: Final = (
    "dom.js",
    "positions.js",
    "page_view.js",
    "reasons_panel.js",
    "text_view.js",
    "demo.js",
)
"""In the order of their imports."""
_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./[a-z_]+\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?function |const |class )", re.MULTILINE)


@cache
def script() -> str:
    """The modules as one script; in a file of its own none of them could be imported."""
    modules = (_EXPORT.sub("", _IMPORT.sub("", _text(name))) for name in _MODULES)
    return "\n".join(modules)


@cache
def style() -> str:
    """The style sheet."""
    return _text("demo.css")


@cache
def frame() -> str:
    """The document, with places in braces for `str.format`."""
    return _text("demo.html")


def policy() -> str:
    """A `Content-Security-Policy` that allows this script and style, and loads nothing."""
    return (
        f"default-src 'none'; script-src {_hash(script())}; style-src {_hash(style())}; "
        "base-uri 'none'; form-action 'none'"
    )


def json_in_script(data: object) -> str:
    """JSON that is safe inside a script element, whatever its texts say."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return text.encode("utf-8", "replace").decode()


def _text(name: str) -> str:
    return (resources.files("victor.explain.demo") / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


LARGEST: Final = 2_000
"""Blocks of the largest page that is shown in a notebook, which keeps all that it shows."""
_HEIGHT: Final = 640
"""Pixels."""


def framed(page: str) -> str:
    """A demo page in a frame: neither can reach the other, nor their styles."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="Victor demo" '
        f'style="width:100%;height:{_HEIGHT}px;border:1px solid #d6d8d4;border-radius:8px">'
        "</iframe>"
    )


def too_large(n_blocks: int) -> str:
    """What is said of a larger page."""
    return (
        f"<p>The page has {n_blocks:,} blocks; notebooks show up to {LARGEST:,}. All of it: "
        "<code>pathlib.Path(&quot;page.html&quot;).write_text(result.demo(), "
        "encoding=&quot;utf-8&quot;)</code></p>"
    )
