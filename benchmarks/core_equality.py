"""Do the compiled core and the Python path give the same, on pages and on random inputs.

    python benchmarks/core_equality.py [--layer NAME ...] [--random N] [--seed N] [FOLDER ...]

A folder holds pages as `*.html` files, directly or in `html/`. Every layer is run both ways on
every page and on N random inputs; the first few pages that differ are printed as they are, made
as short as still shows it. Columns are compared as float32, as the model reads them, all else in
every bit and with its type. The exit code is 1 if any does.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from markup_strategies import random_page

from victor.api import Cleaner, load_cleaner
from victor.base import core
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.page.decoding.decode import decode, utf8
from victor.page.markup.full_record import record_full
from victor.page.markup.start_tags import start_tags
from victor.page.parsing.events import prepared, record
from victor.page.parsing.unclosed import marks
from victor.page.table.segment import segment

BATCH = 16
RANDOM_BATCH = 256
"""Random inputs are small."""
SHOWN = 10
SAMPLES = 100
"""Pages that random inputs are cut out of."""


@cache
def cleaner() -> Cleaner:
    """The default model, which both ways share."""
    return load_cleaner()


@cache
def extractor() -> FeatureExtractor:
    """Cuts and measures as the default model says."""
    labeler = cleaner().labeler
    assert isinstance(labeler, CrfLabeler)
    return FeatureExtractor(labeler.model.config)


def tokens(pages: list[bytes]) -> object:
    """Tokens, and what else of a table is computed when asked for."""
    table = extractor().table(pages)
    of_blocks = "words link_words free_words page_words heading_level container".split()
    names = (*of_blocks, "element_words", "elements.around")
    return [table.tokens, *(attrgetter(name)(table) for name in names)]


def columns(pages: list[bytes]) -> NDArray[np.float32]:
    """(C, n) values of all columns of the default model."""
    table = extractor().table(pages)
    if core.compiled is not None:
        features = extractor().features
        names = [column.name for column in features.columns]
        return features.codes(table, [None] * len(names), names)[1]
    columns = extractor().columns(table).values()
    with np.errstate(over="ignore"):
        values = [np.asarray(column).astype(np.float32) for column in columns]
    return np.array(values).reshape(len(values), len(table))


def labelled(pages: list[bytes]) -> object:
    """Marginals and labels of every block."""
    labeler = cleaner().labeler
    verdict = labeler.label(labeler.table(pages))
    return verdict.marginals, verdict.labels


def results(pages: list[bytes]) -> object:
    """What users get: texts, reasons, labels, metadata."""
    return [
        (result.reason, result.text, result.labels, dict(result.metadata))
        for result in cleaner().clean_many(pages)
    ]


def markup(pages: list[bytes]) -> object:
    """Everything on each page, as columns, and the attributes of its start tags."""
    return [
        (full.kind, full.tag, full.dropped, [*full.texts], [*map(dict, full.attributes)], tags)
        for full, tags in ((record_full(page), [*map(dict, start_tags(page))]) for page in pages)
    ]


LAYERS: Final[dict[str, Callable[[list[bytes]], object]]] = {
    "marks": lambda pages: [(*marks(page), prepared(page)) for page in pages],
    "events": record,
    "events with alternative texts": lambda pages: record(pages, alt_text=True),
    "table": lambda pages: segment(record(pages)),
    "table of every tag": lambda pages: segment(record(pages), "tag", pre_lines=True),
    "tokens": tokens,
    "columns": columns,
    "marginals and labels": labelled,
    "results": results,
    "html": lambda pages: [result.html for result in cleaner().clean_many(pages)],
    "markup": markup,
}
"""What is compared: results of a batch of pages given as UTF-8 bytes."""


def same(ours: object, wanted: object) -> bool:
    """Are two results the same: equal arrays of equal types, equal fields, equal objects."""
    if isinstance(wanted, np.ndarray):
        if not isinstance(ours, np.ndarray) or ours.dtype != wanted.dtype:
            return False
        return ours.shape == wanted.shape and ours.tobytes() == wanted.tobytes()
    if isinstance(wanted, Struct):
        return type(ours) is type(wanted) and same(astuple(ours), astuple(wanted))
    if is_dataclass(wanted):
        names = [field.name for field in fields(wanted) if field.compare]
        return type(ours) is type(wanted) and all(
            same(getattr(ours, name), getattr(wanted, name)) for name in names
        )
    if isinstance(wanted, list | tuple) and isinstance(ours, list | tuple):
        return len(ours) == len(wanted) and all(map(same, ours, wanted))
    return bool(ours == wanted)


def differs(layer: str, pages: list[bytes]) -> bool:
    """Does a layer give other results without the compiled core."""
    function, compiled = LAYERS[layer], core.compiled
    ours = function(pages)
    core.compiled = None
    try:
        wanted = function(pages)
    finally:
        core.compiled = compiled
    return not same(ours, wanted)


def shortened(layer: str, page: bytes) -> bytes:
    """The page with all taken out that does not matter."""
    size = len(page) // 2
    while size:
        at = 0
        while at < len(page):
            shorter = (page[:at] + page[at + size :]).decode("utf-8", "ignore").encode()
            if len(shorter) < len(page) and differs(layer, [shorter]):
                page = shorter
            else:
                at += size
        size //= 2
    return page


def compare(pages: Iterator[bytes], layers: list[str], what: str, size: int = BATCH) -> int:
    """Run layers on pages; returns how many differ."""
    n_pages = n_blocks = 0
    n_different = dict.fromkeys(layers, 0)
    while batch := list(islice(pages, size)):
        n_pages += len(batch)
        n_blocks += len(extractor().table(batch))
        for layer in layers:
            if not differs(layer, batch):
                continue
            wrong = [page for page in batch if differs(layer, [page])]
            n_different[layer] += max(len(wrong), 1)
            for page in wrong[: max(SHOWN - n_different[layer] + len(wrong), 0)]:
                print(f"{layer}: {shortened(layer, page)!r}", flush=True)
    counts = ", ".join(f"{layer} {count}" for layer, count in n_different.items())
    done = f"{n_pages:,} pages, {n_blocks:,} blocks"
    if "columns" in layers:
        done += f", {n_blocks * len(extractor().features.columns):,} cells"
    print(f"{what}: {done}; differ: {counts}", flush=True)
    return sum(n_different.values())


def pages_of(folder: Path) -> Iterator[bytes]:
    """Pages of a folder as UTF-8 bytes."""
    for path in sorted([*folder.glob("*.html"), *folder.glob("html/*.html")]):
        page = path.read_bytes()
        yield utf8(page, decode(page))


def main() -> int:
    """Compare, and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--layer", action="append", choices=[*LAYERS], help="default: all")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if core.compiled is None:
        parser.error("there is no compiled core")
    layers = options.layer or [*LAYERS]
    total = sum(compare(pages_of(folder), layers, str(folder)) for folder in options.folders)
    if options.random:
        generator = random.Random(options.seed)
        paths = [path for folder in options.folders for path in sorted(folder.rglob("*.html"))]
        chosen = generator.sample(paths, min(SAMPLES, len(paths)))
        samples = [path.read_bytes() for path in chosen]
        inputs = (random_page(generator, samples) for _ in range(options.random))
        total += compare(inputs, layers, f"random, seed {options.seed}", RANDOM_BATCH)
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
