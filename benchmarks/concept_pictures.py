"""Draw the pictures of the concepts, from what Victor makes of one of our own pages.

    python benchmarks/concept_pictures.py [--output docs/images]

Writes blocks.svg, features.svg and chain.svg. Nothing in them is made up: blocks, values, codes and
probabilities are those of the page, under the shipped models.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

import numpy as np

from victor.labelers.load import load_model
from victor.model.decide import decide
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.page.blocks import BlockTable
from victor.page.texts import block_texts, segment_texts

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "annotations" / "pages" / "saltmarsh-oysters.html"
WIDTH = 800
NAMES = ("header", "text", "other")
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1d1f23 }
  .small { font-size: 11px } .code { font-family: ui-monospace, monospace; font-size: 12px }
  .bold { font-weight: 600 } .dim { fill: #5c5f66 } .end { text-anchor: end }
  .middle { text-anchor: middle } .paper { fill: #fdfdfb } .line { stroke: #5c5f66; fill: none }
  .cell { fill: #fff; stroke: #b9bcc2 } .asked { fill: #d5e8f4; stroke: #0072b2 }
  .header { fill: #f3d188; stroke: #b37400 } .text { fill: #b5d8ec; stroke: #0072b2 }
  .other { fill: #ececea; stroke: #9a9da3 } .cut { stroke: #0072b2; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8e8e6 } .dim { fill: #a9adb5 } .paper { fill: #1b1d21 }
    .line { stroke: #a9adb5 } .cell { fill: #25282d; stroke: #565a61 }
    .asked { fill: #153c54; stroke: #56b4e9 } .header { fill: #5e430c; stroke: #e69f00 }
    .text { fill: #134766; stroke: #56b4e9 } .other { fill: #2d3035; stroke: #73777e }
    .cut { stroke: #56b4e9 }
  }
"""


def main() -> None:
    """Write the three pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "images")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    markup = PAGE.read_bytes()
    for name, picture in (
        ("blocks", blocks_picture(markup)),
        ("features", features_picture(markup)),
        ("chain", chain_picture(markup)),
    ):
        (output / f"{name}.svg").write_text(picture, encoding="utf-8")


# --- blocks -------------------------------------------------------------------------------------

FIRST_BLOCK, LAST_BLOCK = 19, 31
ROW = 30


def blocks_picture(markup: bytes) -> str:
    """A part of the page: the blocks under `split: block`, and the texts between tags in them."""
    model = load_model("default")
    table, marginals = measured(model, markup)
    labels = decided(model, table, marginals)
    segments = iter(segment_texts(table))
    pieces = [[*pieces_of(text, segments)] for text in block_texts(table)]
    shapes: list[str] = [
        text_at(20, 26, "A part of a page: each box is a block, dashes show its segments", "bold")
    ]
    y = 44
    for block in range(FIRST_BLOCK, LAST_BLOCK + 1):
        kind = NAMES[labels[block]]
        shapes += [
            text_at(44, y + 17, str(block), "dim end small"),
            f'<rect x="54" y="{y}" width="644" height="{ROW - 6}" rx="4" class="{kind}"/>',
            text_at(WIDTH - 20, y + 17, kind, "end small"),
        ]
        shapes += boxes(pieces[block], y)
        y += ROW
    return svg(y + 14, shapes, "Thirteen blocks of a page, coloured by their labels")


def pieces_of(text: str, segments: Iterator[str]) -> Iterator[str]:
    """The next segments, as many as make up the text of a block."""
    missing = len("".join(text.split()))
    while missing > 0:
        segment = next(segments)
        missing -= len("".join(segment.split()))
        yield segment


def boxes(pieces: list[str], y: int) -> Iterator[str]:
    """Texts beside one another with a dashed line between them."""
    x = 62
    for index, piece in enumerate(pieces):
        room = (690 - x) // 7
        if room < 4:
            return
        if index:
            yield f'<path d="M{x - 4} {y + 2}v{ROW - 10}" class="cut"/>'
        shown = shorten(piece, room)
        yield text_at(x, y + 17, shown)
        x += int(7.6 * len(shown)) + 12


# --- features -----------------------------------------------------------------------------------

COLUMNS = ("word.count", "link.density", "heading.level", "window.text-3")
REACH = {"word.count": 2, "link.density": 2, "heading.level": 2, "window.text-3": 0}
"""How many blocks to either side `templates/crf.yaml` takes these columns of."""
CENTRE = 26
ROW_OF_BLOCK = 44


def features_picture(markup: bytes) -> str:
    """Values and codes of five blocks, and which of them the template shows for the middle one."""
    model = load_model("crf")
    extractor = FeatureExtractor(model.config)
    table = extractor.table([markup])
    columns = extractor.columns(table)
    codes = codes_of(model, columns)
    texts = block_texts(table)
    shapes = [text_at(20, 26, f"What the model is shown of block {CENTRE}", "bold")]
    for index, name in enumerate(COLUMNS):
        shapes.append(text_at(column_x(index) + 50, 54, name, "code middle"))
    for row, block in enumerate(range(CENTRE - 2, CENTRE + 3)):
        y = 66 + row * ROW_OF_BLOCK
        weight = "bold" if block == CENTRE else ""
        shapes.append(text_at(20, y + 23, f"{block} {shorten(texts[block], 30)}", weight))
        for index, name in enumerate(COLUMNS):
            is_asked = abs(block - CENTRE) <= REACH[name]
            shapes += cell(
                column_x(index),
                y,
                f"{float(columns[name][block]):.3g}",
                f"code {codes[name][block]}",
                "asked" if is_asked else "cell",
            )
    bottom = 66 + 5 * ROW_OF_BLOCK
    shapes.append(
        text_at(
            20,
            bottom + 22,
            "Blue: what the template takes, three columns of the block and two neighbours to "
            "either side, one of the block alone.",
            "small dim",
        )
    )
    return svg(bottom + 36, shapes, "Four columns of five blocks, as values and as codes")


def codes_of(model: Model, columns: dict) -> dict:
    """Codes of the columns by name."""
    codebook = model.potentials.codebook
    return {name: codebook.discretizers[name](columns[name]) for name in COLUMNS}


def column_x(index: int) -> int:
    return 300 + index * 124


def cell(x: int, y: int, value: str, code: str, kind: str) -> Iterable[str]:
    yield f'<rect x="{x}" y="{y}" width="100" height="36" rx="4" class="{kind}"/>'
    yield text_at(x + 50, y + 16, value, "middle")
    yield text_at(x + 50, y + 30, code, "middle small dim")


# --- chain --------------------------------------------------------------------------------------

BOTTOM, HEIGHT, LEFT = 270, 210, 46
PRESETS = ("precision", "balanced", "recall")


def chain_picture(markup: bytes) -> str:
    """The probability of being kept along the page, with the presets as lines."""
    model = load_model("default")
    table, marginals = measured(model, markup)
    kept = decided(model, table, marginals) != NAMES.index("other")
    step = (WIDTH - LEFT - 110) / len(marginals)
    shapes = [text_at(20, 26, "How probably each block is kept, from the top of the page", "bold")]
    for block, (header, text, _) in enumerate(marginals):
        x = LEFT + block * step
        shapes += [
            bar(x, step, 0, text, "text"),
            bar(x, step, text, text + header, "header"),
        ]
        if kept[block]:
            shapes.append(rectangle(x, BOTTOM + 6, step - 1, 8, "text"))
    for share in (0, 0.5, 1):
        y = BOTTOM - share * HEIGHT
        shapes.append(text_at(LEFT - 8, y + 4, f"{share:g}", "end small dim"))
    for name in PRESETS:
        y = BOTTOM - (1 - model.presets[name]) * HEIGHT
        shapes += [
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - 104}" class="line" stroke-dasharray="5 4"/>',
            text_at(WIDTH - 98, y + 4, f"{name} {model.presets[name]:.2f}", "small"),
        ]
    shapes += [
        f'<path d="M{LEFT} {BOTTOM}H{WIDTH - 104}" class="line"/>',
        text_at(WIDTH - 98, BOTTOM + 14, "kept", "small"),
        f'<rect x="{LEFT}" y="{BOTTOM + 26}" width="12" height="12" class="text"/>',
        text_at(LEFT + 18, BOTTOM + 36, "p(text)", "small"),
        f'<rect x="{LEFT + 80}" y="{BOTTOM + 26}" width="12" height="12" class="header"/>',
        text_at(LEFT + 98, BOTTOM + 36, "p(header)", "small"),
        text_at(
            LEFT + 180,
            BOTTOM + 36,
            "A preset is a threshold on p(other): bars that reach its line are kept.",
            "small dim",
        ),
    ]
    return svg(BOTTOM + 50, shapes, "Bars of probability along a page, with three thresholds")


def bar(x: float, step: float, low: float, high: float, kind: str) -> str:
    return rectangle(x, BOTTOM - high * HEIGHT, step - 1, (high - low) * HEIGHT, kind)


def rectangle(x: float, y: float, width: float, height: float, kind: str) -> str:
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} class="{kind}"/>'


# --- all ----------------------------------------------------------------------------------------


def measured(model: Model, markup: bytes) -> tuple[BlockTable, np.ndarray]:
    """The blocks of the page and their (n, 3) marginals."""
    extractor = FeatureExtractor(model.config)
    table = extractor.table([markup])
    return table, model.marginals(extractor.columns(table), table.page_starts)


def decided(model: Model, table: BlockTable, marginals: np.ndarray) -> np.ndarray:
    """(n,) labels by the model's own decision."""
    return decide(marginals, table, model.config.decide)


def shorten(text: str, length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def text_at(x: float, y: float, text: str, kinds: str = "") -> str:
    """Words of a picture; labels of `kinds` are classes of the style."""
    return f'<text x="{x:g}" y="{y:g}" class="{kinds}">{escape(text)}</text>'


def svg(height: float, shapes: Iterable[str], title: str) -> str:
    """A picture on paper of its own, which is dark where the reader prefers that."""
    content = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'role="img"><title>{escape(title)}</title><style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height:g}" rx="8" class="paper"/>\n{content}\n</svg>\n'
    )


if __name__ == "__main__":
    main()
