"""A page with its blocks coloured, the clean text beside it and a slider, as one HTML file.

The file asks for nothing and runs nothing but its own script. Of the page it shows only text and
the names of known elements, as ``div`` and ``span`` with a class: no attribute, script, style,
form, frame or address of the page can reach the file. Its `Content-Security-Policy` allows one
script and one style sheet by their hashes and nothing else, so that even an error here could not
load or run anything.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from victor.base.arrays import Floats
from victor.base.labels import KIND_NAMES, LABEL_NAMES, OTHER
from victor.explain.demo_steps import Cleaned, Steps, Texts, steps_of
from victor.explain.groups import Finding, Group, Grouped, least_sure, why
from victor.explain.sentences import sentences
from victor.labelers.crf import CrfLabeler
from victor.page.markup.full_record import Item, Kind, markup_of
from victor.page.parsing.tags import HEADINGS, SPLITTING, VOID
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

_GROUPS: Final = 9  # groups of a block, the strongest ones; all others are added up
_PARTS: Final = 2  # parts of a group, the strongest ones; all others are added up
_MOST: Final = 3_000  # blocks with reasons; on larger pages those of which the model is least sure
_DIGITS: Final = 3
_STYLED: Final = frozenset(HEADINGS) | frozenset(
    "a b blockquote button caption code dd del dt em figcaption i label li ol p pre strong table "
    "td th tr ul".split()
)
"""Elements that look about the same in the file as on the page."""
_SHADES: Final = 10
LARGEST: Final = 2_000
"""Blocks of the largest page that is shown in a notebook, which keeps all that it shows."""
_HEIGHT: Final = 640  # pixels
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


def demo(cleaned: Cleaned, *, title: str, markdown: str = "") -> str:
    """The file, as text to be written in UTF-8.

    Args:
        cleaned: a page and how it was cleaned.
        title: heading of the file, e.g. the address of the page.
        markdown: the text as Markdown, as the page was cleaned.
    """
    texts = Texts()
    steps = steps_of(cleaned, texts)
    verdict = steps.verdict
    keep = 1 - verdict.marginals[:, OTHER]
    data = {**_data(cleaned, steps, markdown), "why": _why(cleaned, verdict, texts)}
    return _asset("demo.html").format(
        policy=html.escape(policy(), quote=True),
        title=html.escape(title),
        style=_asset("demo.css"),
        page=safe_text(verdict.table, cleaned.markup, keep),
        data=json_in_script({**data, "texts": [*texts.numbers]}),
        script=script(),
    )


def _data(cleaned: Cleaned, steps: Steps, markdown: str) -> dict[str, Any]:
    verdict = steps.verdict
    assert verdict.kinds is not None, "a finished verdict has kinds"
    return {
        "system": cleaned.labeler.name,
        "thresholds": steps.thresholds,
        "presets": steps.presets,
        "method": verdict.method,
        "nearest": steps.nearest,
        "words": steps.words,
        "allWords": int(verdict.table.words.sum()),
        "blocks": steps.blocks,
        "labels": steps.labels,
        "pieces": steps.pieces,
        "ends": steps.ends,
        "markdown": markdown,
        "labelNames": LABEL_NAMES,
        "marginals": verdict.marginals.round(4).tolist(),
        "kinds": verdict.kinds.tolist(),
        "kindNames": KIND_NAMES,
    }


def _why(cleaned: Cleaned, verdict: Verdict, texts: Texts) -> dict[int, list[Any]]:
    """By number of the block its sentence, what follows it, and rows of texts with weights.

    A row is a list: the number of a text, a weight or null, and the rows below it. Blocks have many
    of these texts in common.
    """
    labeler = cleaned.labeler
    reads = not isinstance(labeler, CrfLabeler) or labeler.model.potentials.columns
    if not len(verdict.table) or not reads:
        return {}
    blocks = least_sure(verdict.marginals[:, OTHER], _MOST)
    said = sentences(labeler, verdict, cleaned.scope, cleaned.decision, blocks)
    reasons = why(labeler, verdict.table, blocks, _PARTS)
    return {
        sentence.block: [
            sentence.text,
            f"{each.grouped.label} against {each.grouped.against}: {each.grouped.log_odds:+.2f}"
            if each.grouped
            else f"What {labeler.name} found",
            _numbered(_rows(each.grouped, each.findings), texts),
        ]
        for sentence, each in zip(said, reasons, strict=True)
    }


_Row = tuple[str, float | None, Sequence["_Row"]]


def _rows(grouped: Grouped | None, findings: Sequence[Finding]) -> Iterable[_Row]:
    if grouped is None:
        return [(each.words, None, [(each.meaning, None, [])]) for each in findings if each.words]
    rows = [_row(group) for group in grouped.groups[:_GROUPS]]
    others = grouped.groups[_GROUPS:]
    rest = (f"{len(others)} more groups", sum(group.weight for group in others), ())
    return [*rows, rest] if others else rows


def _row(group: Group) -> _Row:
    if group.module is None and len(group.parts) == 1:
        return group.name, group.weight, ()
    rows: list[_Row] = [(part.words, part.weight, ()) for part in group.parts]
    if group.n_more:
        rows.append((f"{group.n_more} more", group.more, ()))
    return group.name, group.weight, rows


def _numbered(rows: Iterable[_Row], texts: Texts) -> list[Any]:
    """Rows with numbers in place of texts, and rounded weights."""
    return [
        [
            texts.number(text),
            None if weight is None else round(weight, _DIGITS),
            _numbered(below, texts),
        ]
        for text, weight, below in rows
    ]


# --- The text of the page -------------------------------------------------------------------------


def safe_text(table: BlockTable, markup: bytes, keep: Floats) -> str:
    """The text of a page as div and span elements.

    Args:
        table: of this page alone.
        markup: the UTF-8 bytes that the page was read from.
        keep: (n,) probability that each block is kept.

    Returns:
        Markup in which all elements are closed. All text of block i is in elements of class ``b``
        with ``data-b="i"``; their class ``c0`` to ``c9`` says how probable it is that it is kept.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    full = markup_of(table, 0, markup)
    blocks = full.blocks(table, 0).tolist()
    return "".join(_Writer(keep).body(full.items, blocks))


class _Writer:
    """Puts the text of blocks into spans; the parser closes every element that it opens."""

    def __init__(self, keep: Floats) -> None:
        self._shades = [min(int(p * _SHADES), _SHADES - 1) for p in keep.tolist()]
        self._last = -1
        self._pictured = ""
        self._ends: list[str] = []

    def body(self, items: Sequence[Item], blocks: Sequence[int]) -> Iterator[str]:
        for item, block in zip(items, blocks, strict=True):
            if item.dropped:
                continue
            if item.kind is Kind.TEXT:
                yield self._text(item.text, block)
            elif item.kind is Kind.START and item.text in VOID:
                yield self._void(item, block)
            elif item.kind is Kind.START:
                yield self._start(item.text)
            elif item.kind is Kind.END:
                yield self._ends.pop()

    def _start(self, name: str) -> str:
        written = "div" if name in SPLITTING or "-" in name else "span"
        self._ends.append(f"</{written}>")
        style = f' class="e-{name}"' if name in _STYLED else ""
        return f"<{written}{style}>"

    def _void(self, item: Item, block: int) -> str:
        if item.text in ("br", "hr"):
            return f"<{item.text}>"
        alternative = item.attributes.get("alt") or ""
        again, self._pictured = alternative == self._pictured, alternative
        if item.text != "img" or not alternative.strip() or (again and block < 0):
            return ""  # a picture that stands twice, lazy and for browsers without scripts, is one
        shown = self._text(alternative, block) if block >= 0 else html.escape(alternative)
        return f'<span class="e-img">{shown}</span>'

    def _text(self, text: str, block: int) -> str:
        """Text as part of a block, -1 for none; the first of a block can be reached by key."""
        if block < 0 or not text.strip():
            return html.escape(text)
        focus = ' tabindex="-1"' if block > self._last else ""
        self._last = max(block, self._last)
        shade = self._shades[block]
        return f'<span class="b c{shade}" data-b="{block}"{focus}>{html.escape(text)}</span>'


# --- The file -------------------------------------------------------------------------------------


@cache
def script() -> str:
    """The modules as one script; in a file of its own none of them could be imported."""
    modules = (_EXPORT.sub("", _IMPORT.sub("", _asset(name))) for name in _MODULES)
    return "\n".join(modules)


def policy() -> str:
    """A `Content-Security-Policy` that allows this script and style, and loads nothing."""
    return (
        f"default-src 'none'; script-src {_hash(script())}; style-src {_hash(_asset('demo.css'))}; "
        "base-uri 'none'; form-action 'none'"
    )


def json_in_script(data: object) -> str:
    """JSON that is safe inside a script element, whatever its texts say."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return text.encode("utf-8", "replace").decode()


@cache
def _asset(name: str) -> str:
    return (resources.files("victor.explain") / "demo" / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


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
