"""A page with its blocks coloured by label, with reasons, as one HTML file without network access.

Only the text of the page and the names of known elements are written, as ``div`` and ``span`` with
a class: no attribute, script, style, form, frame or address of the page can reach the file. Its
`Content-Security-Policy` allows one script and one style sheet by their hashes and nothing else, so
that even an error here could not load or run anything.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from victor.errors import ConfigError
from victor.explain.contributions import Contribution, Reasons
from victor.labels import LABEL_NAMES, Label
from victor.page.full_record import Item, Kind, markup_of
from victor.page.tags import HEADINGS, SPLITTING, VOID
from victor.page.texts import block_texts
from victor.page.verdict import Verdict

_STYLED: Final = frozenset(HEADINGS) | frozenset(
    "a b blockquote button caption code dd del dt em figcaption i label li ol p pre strong table "
    "td th tr ul".split()
)
"""Elements that look about the same in the file as on the page."""
_COLOURS: Final = {"header": "230,159,0", "text": "0,114,178", "other": "120,120,120"}
"""Colours that colour-blind people can distinguish (Okabe and Ito 2008)."""
_SHADES: Final = 10
_SHOWN: Final = 400
"""Characters of a block in the panel."""


def overlay(
    verdict: Verdict,
    reasons: Sequence[Reasons],
    markup: bytes,
    *,
    page: int = 0,
    title: str = "",
) -> str:
    """The file, as text to be written in UTF-8.

    Args:
        verdict: labels and marginals of the blocks.
        reasons: those of every block of the page, in order.
        markup: the UTF-8 bytes that the page was read from.
        page: number of the page in the batch.
        title: heading of the file, e.g. the address of the page and the model.

    Raises:
        ConfigError: the reasons or the markup are not those of this page.
    """
    where = verdict.page(page)
    if [reason.block for reason in reasons] != list(range(where.start, where.stop)):
        raise ConfigError("the reasons are not those of the page: give one for each of its blocks")
    full = markup_of(verdict.table, page, markup)
    blocks = full.blocks(verdict.table, page).tolist()
    style = _STYLE + "".join(_shades())
    return _FILE.format(
        policy=(
            f"default-src 'none'; script-src {_hash(_SCRIPT)}; style-src {_hash(style)}; "
            "base-uri 'none'; form-action 'none'"
        ),
        title=html.escape(title or "page"),
        style=style,
        legend="".join(_legend(verdict, where)),
        page="".join(_body(full.items, blocks, verdict, where.start)),
        data=_json(_data(verdict, reasons, where)),
        script=_SCRIPT,
    )


def _body(
    items: Sequence[Item], blocks: Sequence[int], verdict: Verdict, first: int
) -> Iterator[str]:
    """The page as div and span elements; the parser closes every element that it opens."""
    marks = _Marks(verdict, first)
    for item, block in zip(items, blocks, strict=True):
        if item.dropped:
            continue
        if item.kind is Kind.TEXT:
            yield marks.text(item.text, block)
        elif item.kind is Kind.START and item.text in VOID:
            yield _void(item, block, marks)
        elif item.kind is Kind.START:
            yield _start(item.text)
        elif item.kind is Kind.END:
            yield f"</{_element(item.text)}>"


def _element(name: str) -> str:
    return "div" if name in SPLITTING or "-" in name else "span"


def _start(name: str) -> str:
    return f'<{_element(name)} class="e-{name}">' if name in _STYLED else f"<{_element(name)}>"


def _void(item: Item, block: int, marks: _Marks) -> str:
    if item.text in ("br", "hr"):
        return f"<{item.text}>"
    alternative = item.attributes.get("alt") or ""
    if item.text != "img" or not alternative.strip():
        return ""
    shown = marks.text(alternative, block) if block >= 0 else html.escape(alternative)
    return f'<span class="e-img">{shown}</span>'


class _Marks:
    """Puts the text of blocks into coloured spans."""

    def __init__(self, verdict: Verdict, first: int) -> None:
        self._labels = verdict.labels
        self._marginals = verdict.marginals
        self._first = first
        self._last = -1

    def text(self, text: str, block: int) -> str:
        """Text as part of a block, -1 for none; the first of a block can be reached by key."""
        if block < 0 or not text.strip():
            return html.escape(text)
        label = int(self._labels[block])
        name, probable = LABEL_NAMES[label], float(self._marginals[block, label])
        shade = min(int(probable * _SHADES), _SHADES - 1)
        number = block - self._first
        focus = ' tabindex="0"' if block > self._last else ""
        self._last = max(block, self._last)
        return (
            f'<span class="b {name} c{shade}" data-b="{number}"{focus} '
            f'title="{number}: {name} {probable:.3f}">{html.escape(text)}</span>'
        )


def _data(verdict: Verdict, reasons: Sequence[Reasons], where: slice) -> list[dict[str, Any]]:
    """What the panel shows of every block."""
    rows = zip(
        reasons,
        block_texts(verdict.table, where),
        verdict.labels[where].tolist(),
        verdict.marginals[where].round(6).tolist(),
        strict=True,
    )
    return [
        {
            "label": LABEL_NAMES[label],
            "reason": verdict.reason(reason.block),
            "marginals": dict(zip(LABEL_NAMES, marginals, strict=True)),
            "text": text[:_SHOWN] + "…" * (len(text) > _SHOWN),
            "pair": [LABEL_NAMES[reason.label], LABEL_NAMES[reason.against]],
            "logOdds": round(reason.log_odds, 4),
            "for": [_row(term) for term in reason.speaks_for],
            "against": [_row(term) for term in reason.speaks_against],
            "rest": _row(reason.rest),
        }
        for reason, text, label, marginals in rows
    ]


def _row(term: Contribution) -> list[str | float]:
    return [term.name, term.value, round(term.weight, 4)]


def _json(data: object) -> str:
    """JSON that is safe inside a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _legend(verdict: Verdict, where: slice) -> Iterator[str]:
    labels = verdict.labels[where]
    for label in Label:
        count = int((labels == label).sum())
        name = label.lower_name
        yield f'<span class="b {name} c9">{name}</span> {count} blocks '


def _shades() -> Iterator[str]:
    """The more probable the label, the deeper its colour."""
    for name, colour in _COLOURS.items():
        for shade in range(_SHADES):
            depth = 0.06 + 0.44 * shade / (_SHADES - 1)
            yield f".{name}.c{shade}{{background:rgba({colour},{depth:.2f})}}"


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


_STYLE: Final = """
body{margin:0;font:16px/1.45 sans-serif;color:#111;background:#fff}
#bar{position:sticky;top:0;padding:.4em 1em;background:#fff;border-bottom:1px solid #999}
#bar h1{font-size:1em;margin:0;overflow-wrap:anywhere}
#page{padding:1em;margin-right:27em;overflow-wrap:anywhere}
#panel{position:fixed;top:0;right:0;bottom:0;width:25em;padding:1em;overflow:auto;
background:#fafafa;border-left:1px solid #999;font-size:.85em;z-index:1}
#panel table{border-collapse:collapse;width:100%}
#panel td{padding:.15em .3em;vertical-align:top;border-top:1px solid #ddd;overflow-wrap:anywhere}
#panel td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
#panel small{display:block;color:#555}
#panel .bar{height:.3em;background:#0072b2}
#panel .bar.minus{background:#d55e00}
.b{border-bottom:2px dotted #777;cursor:pointer}
.b.text{border-bottom:2px solid #0072b2}
.b.header{border-bottom:4px double #b07800}
.b:focus,.b.chosen{outline:2px solid #000}
.e-h1,.e-h2,.e-h3,.e-h4,.e-h5,.e-h6,.e-th,.e-b,.e-strong{font-weight:bold}
.e-h1{font-size:1.8em}.e-h2{font-size:1.4em}.e-h3{font-size:1.2em}
.e-h1,.e-h2,.e-h3,.e-h4,.e-p,.e-blockquote,.e-ul,.e-ol,.e-table,.e-pre{margin:.6em 0}
.e-i,.e-em,.e-figcaption,.e-caption{font-style:italic}
.e-a{color:#003f8a}.e-del{text-decoration:line-through}
.e-code,.e-pre{font-family:monospace}.e-pre{white-space:pre-wrap}
.e-blockquote,.e-dd{margin-left:2em}
.e-ul,.e-ol{padding-left:1.5em}.e-li{display:list-item}.e-ol>.e-li{list-style:decimal}
.e-table{display:table}.e-tr{display:table-row}
.e-td,.e-th{display:table-cell;padding:.1em .5em;vertical-align:top}
.e-button,.e-img{border:1px solid #999;padding:0 .3em}
@media(max-width:60em){#page{margin-right:0;padding-bottom:50vh}
#panel{top:auto;left:0;width:auto;height:45vh;border-top:1px solid #999}}
"""

_SCRIPT: Final = """
"use strict";
const blocks = JSON.parse(document.getElementById("data").textContent);
const panel = document.getElementById("panel");
const page = document.getElementById("page");
let pinned = false;

function add(parent, name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function signed(value) {
  return (value < 0 ? "\\u2212" : "+") + Math.abs(value).toFixed(3);
}

function rows(title, terms, largest) {
  add(panel, "h3", title);
  const table = add(panel, "table");
  for (const [name, value, weight] of terms) {
    const row = add(table, "tr");
    const cell = add(row, "td", name);
    if (value) add(cell, "small", value);
    const bar = add(cell, "div", "", weight < 0 ? "bar minus" : "bar");
    bar.style.width = Math.min(100, 100 * Math.abs(weight) / largest) + "%";
    add(row, "td", signed(weight), "n");
  }
}

function show(number) {
  const block = blocks[number];
  panel.replaceChildren();
  add(panel, "h2", "Block " + number + ": " + block.label + " (" + block.reason + ")");
  add(panel, "p", block.text);
  const table = add(panel, "table");
  for (const [label, probability] of Object.entries(block.marginals)) {
    const row = add(table, "tr");
    add(row, "td", "p(" + label + ")");
    add(row, "td", probability.toFixed(4), "n");
  }
  const [label, other] = block.pair;
  add(panel, "p", "log p(" + label + ") / p(" + other + ") = " + signed(block.logOdds));
  const weights = [...block.for, ...block.against].map(row => Math.abs(row[2]));
  const largest = Math.max(...weights, 1e-9);
  rows("For " + label, block.for, largest);
  rows("Against " + label, block.against, largest);
  rows("The rest", [block.rest], largest);
  for (const old of page.querySelectorAll(".chosen")) old.classList.remove("chosen");
  for (const part of page.querySelectorAll('[data-b="' + number + '"]'))
    part.classList.add("chosen");
}

function watch(kind, pin) {
  page.addEventListener(kind, event => {
    const part = event.target.closest("[data-b]");
    if (pin) pinned = Boolean(part);
    if (part && (pin || !pinned)) show(Number(part.dataset.b));
  });
}

watch("mouseover", false);
watch("focusin", false);
watch("click", true);
"""

_FILE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head><body>
<aside id="panel"><p>Point at a block to see why it has its label; click to hold it there, click
beside the text to let go.</p></aside>
<header id="bar"><h1>{title}</h1><p>{legend}The deeper the colour, the surer the label.</p></header>
<main id="page">{page}</main>
<script id="data" type="application/json">{data}</script><script>{script}</script>
</body></html>
"""
