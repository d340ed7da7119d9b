"""Digests of what each stage makes of pages: ``python -m tests.digests [FOLDER...]``.

    python -m tests.digests --write tests/golden/digests.json
    python -m tests.digests FOLDER... --jobs 2 --write before.json
    python -m tests.digests FOLDER... --jobs 2 --against before.json

Without a FOLDER the pages are our annotated ones, pages of parts, once and twice, and of tags in no
order, and annotated ones with damage.
Of a folder they are all ``*.html`` files below. `--against` names the pages that differ from a file
and the first stage that does; the exit code is then 1.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache
from hashlib import blake2b
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

import victor
from tests.made_pages import make_page
from tests.markup_soup import make_soup
from tests.markup_strategies import mutated
from victor.api import Block, Cleaner, CleanerSpec, Result
from victor.base.core import compiled
from victor.base.labels import N_LABELS, OTHER, Label
from victor.config.layers import load
from victor.features.base import FeatureSet
from victor.kinds.finish import judgments
from victor.kitten.normalize import normalize
from victor.model.extractor import FeatureExtractor
from victor.page.parsing.events import Events, record
from victor.page.safe_page import safe_page
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.page.verdict.paragraphs import paragraphs
from victor.tables.data_tables import measured_tables

ROOT: Final = Path(__file__).parents[1]
GOLDEN: Final = Path(__file__).parent / "golden" / "digests.json"
OF_PAGES: Final = ("page", "events", "table", "tokens", "columns", "judged", "rules", "whole")
"""What does not depend on a model, in the order in which one is made of the other.

`judged` is what becomes of labels in no order, and what is read of tables; `rules` are the labels
of the systems that need no model, what Kitten makes of the page, and the page that is safe to show;
`whole` are all forms of all of its text.
"""
OF_MODELS: Final = (
    "codes", "marginals", "linear", "labels", "kinds", "text", "markdown", "html", "metadata",
    "forms", "blocks",
)  # fmt: skip
"""What does; `linear` is what the linear model gives in place of the default one, `forms` are the
others, `blocks` what each says of itself, and what the page declares."""
CONFIGS: Final = ("default", "victor-paper", "victor2008")
RULES: Final = ("kimatu", "density", "dom")
OTHERS: Final = ("article", "cleaneval", "native", "sentences", "records")
BLOCK_COLUMNS: Final = (
    "page", "start", "end", "words", "link_words", "free_words", "heading_level", "tag",
    "last_tag", "element", "container",
)  # fmt: skip
PARAGRAPH_COLUMNS: Final = (
    "blocks", "spaced", "breaks", "starts", "pre", "item", "opens_item", "inner_list",
    "outer_list", "list_depth",
)  # fmt: skip
KEPT: Final = (0.3, 0.9)  # of the blocks that are judged
HEADERS: Final = 0.1  # of those that are kept
DEFAULT, LINEAR = MODELS = "default", "crf"
N_MADE: Final = 100  # pages a set that is made
N_TWICE: Final = 20  # pages all of which comes again
LONGEST: Final = 8_000  # bytes of a page that is damaged
SHOWN: Final = 10  # differences
OF_THE_DAY: Final = ("published", "modified")  # no page is of the future
MAY_COME = re.compile(rb"20(?:2[6-9]|[3-9])")
SECONDS: Final = 3600.0  # no page may fail because the machine is busy


def digest(*parts: object) -> str:
    """12 digits that depend on every bit, type and shape of some parts."""
    state = blake2b(digest_size=6)
    for part in parts:
        if isinstance(part, np.ndarray):
            state.update(f"{part.dtype.str}{part.shape}".encode() + part.tobytes())
        else:
            state.update(ascii(part).encode() + b"\0")  # `repr` depends on the version of Unicode
    return state.hexdigest()


def row_of(given: bytes | Path) -> str:
    """The digests of all stages of a page, parted by spaces."""
    page = given.read_bytes() if isinstance(given, Path) else given
    (result,) = _cleaner(DEFAULT).clean_many([page])
    found = dict.fromkeys((*OF_PAGES, *OF_MODELS), digest(result.reason))
    if result.error is None:
        found |= {**_of_page(result.markup), **_decided(result)}
    return " ".join({**found, "page": digest(page)}.values())


def _of_page(markup: bytes) -> dict[str, str]:
    plain, with_alt = (record([markup], alt_text=alt) for alt in (False, True))
    table = _measures(DEFAULT)[0].table([markup])
    (whole,) = _cleaner("none").clean_many([markup])
    return {
        "events": digest(*_of_events(plain), *_of_events(with_alt)),
        "table": digest(*_of_table(table), *_of_table(segment(plain, "tag", pre_lines=True))),
        "tokens": digest(*table.tokens.columns()),
        "columns": digest(*map(_columns, CONFIGS, repeat(markup))),
        "judged": digest(*_judged(table)),
        "rules": digest(*_ruled(markup)),
        "whole": digest(*map(whole.render, ("text", "markdown", "html", *OTHERS))),
    }


def _columns(config: str, markup: bytes) -> object:
    extractor, names = _measures(config)
    table = extractor.table([markup])
    return extractor.features.codes(table, [None] * len(names), names)[1]


def _judged(table: BlockTable) -> Iterator[object]:
    """Judgments on few and on most blocks, which of them need what is rare, and paragraphs."""
    draw = random.Random(len(table))
    for share in KEPT:
        labels = np.array([_label(draw.random() / share) for _ in range(len(table))], np.uint8)
        marginals = np.array([draw.randrange(1025) / 1024 for _ in range(N_LABELS * len(table))])
        yield from map(bytes, compiled.finish(table.batch, judgments(None), labels, marginals))
        found = paragraphs(table, labels != OTHER)
        for name in PARAGRAPH_COLUMNS:
            yield getattr(found, name)
        yield from (found.cells.table, found.cells.row, found.cells.cell, found.cells.column)
        yield found.texts(0)
    elements, measures = measured_tables(table)
    yield from (elements, _rounded(measures))


def _label(part: float) -> Label:
    return Label.HEADER if part < HEADERS else Label.TEXT if part < 1 else Label.OTHER


def _ruled(markup: bytes) -> Iterator[object]:
    for name in RULES:
        (result,) = _cleaner(name).clean_many([markup])
        yield from (result.labels, _rounded(result.marginals), result.text)
    yield normalize(markup).xhtml
    yield safe_page(markup, "files").markup


def _of_events(events: Events) -> tuple[object, ...]:
    return events.codes, events.page_starts, [*events.bundles], [*events.heads]


def _of_table(table: BlockTable) -> Iterator[object]:
    for part in (table, table.segments, table.tags, table.elements):
        yield from part.columns()
    for name in BLOCK_COLUMNS:
        yield getattr(table, name)
    yield table.elements.around
    yield block_texts(table)


def _decided(result: Result) -> dict[str, str]:
    assert result.in_batch is not None, "a page without an error has blocks"
    verdict, _ = result.in_batch
    linear = _cleaner(LINEAR).labeler
    decision = replace(linear.decision, method="viterbi")
    by_linear = linear.label(linear.table([result.markup]), decision)
    features, thresholds = _codebook()
    left_out = OF_THE_DAY if MAY_COME.search(result.markup) else ()
    metadata = {name: value for name, value in result.metadata.items() if name not in left_out}
    return {
        "codes": digest(features.codes(verdict.table, thresholds)[0]),
        "marginals": digest(_rounded(result.marginals), _rounded(result.p_no_content)),
        "linear": digest(_rounded(by_linear.marginals), by_linear.labels),
        "labels": digest(result.labels, result.reason),
        "kinds": digest(verdict.kinds, result.posts),
        "text": digest(result.text),
        "markdown": digest(result.markdown),
        "html": digest(result.html),
        "metadata": digest(sorted(metadata.items())),
        "forms": digest(*map(result.render, OTHERS)),
        "blocks": digest(*map(_of_block, result.blocks), result.schema_org),
    }


def _of_block(block: Block) -> tuple[object, ...]:
    place = (block.id, block.headings, block.xpath, block.row, block.column, block.text_range)
    return (block, *place, block.links)


def _rounded(values: NDArray[np.float64] | float | None) -> NDArray[np.float64]:
    """Six digits, as all machines give them; no zero has a sign."""
    return np.round(0.0 if values is None else values, 6) + 0.0


@cache
def _cleaner(name: str) -> Cleaner:
    cleaner = CleanerSpec.named(name).cleaner()
    cleaner.limits = replace(cleaner.limits, seconds=SECONDS)
    return cleaner


@cache
def _measures(config: str) -> tuple[FeatureExtractor, list[str]]:
    """What measures as a configuration says, and the names of its columns."""
    extractor = FeatureExtractor(load(config))
    return extractor, [column.name for column in extractor.features.columns]


@cache
def _codebook() -> tuple[FeatureSet, list[Any]]:
    """The features of the default model, and the thresholds of their columns."""
    model = _cleaner(DEFAULT).labeler.model
    features = FeatureExtractor(model.config).features
    thresholds = model.potentials.codebook.thresholds
    return features, [thresholds.get(column.name) for column in features.columns]


def own_pages() -> dict[str, dict[str, bytes]]:
    """The pages without a folder, by set and name."""
    ours = {path.name: path.read_bytes() for path in sorted(ROOT.glob("annotations/pages/*.html"))}
    samples = [*ours.values()]
    damaged = (mutated(random.Random(seed), samples, LONGEST) for seed in range(N_MADE))
    return {
        "annotations": ours,
        "made": {str(seed): make_page(seed) for seed in range(N_MADE)},
        "twice": {str(seed): 2 * make_page(seed) for seed in range(N_TWICE)},
        "soup": {str(seed): make_soup(seed) for seed in range(N_MADE)},
        "damaged": {str(seed): page for seed, page in enumerate(damaged)},
    }


def found_in(folders: Sequence[Path], jobs: int) -> dict[str, Any]:
    """What is written: models, stages, and the digests of all pages."""
    sets = {folder.name: _pages_below(folder) for folder in folders} or own_pages()
    pages = [page for of_set in sets.values() for page in of_set.values()]
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        rows = pool.map(row_of, pages, chunksize=8) if pool else map(row_of, pages)
        of_sets = {name: dict(zip(of_set, rows, strict=False)) for name, of_set in sets.items()}
    folder = Path(victor.__file__).parent / "models"
    models = {name: digest((folder / f"{name}.victor").read_bytes()) for name in MODELS}
    return {"models": models, "stages": [*OF_PAGES, *OF_MODELS], "sets": of_sets}


def _pages_below(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html"))}


def differences(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """Lines about what is not as it was: models, and each page with its first stage."""
    stages = found["stages"]
    if stages != wanted["stages"]:
        yield "the stages are other ones"
        return
    changed = [name for name in MODELS if found["models"][name] != wanted["models"].get(name)]
    if changed:
        named = " and ".join(changed)
        yield f"the model {named} changed: stages after {OF_PAGES[-1]} are not compared"
        stages = stages[: len(OF_PAGES)]
    for name, ours in found["sets"].items():
        theirs = wanted["sets"].get(name, {})
        yield from (f"{name}/{page}: gone" for page in theirs if page not in ours)
        for page, row in ours.items():
            pairs = zip(stages, row.split(), theirs.get(page, "new").split(), strict=False)
            first = next((stage for stage, a, b in pairs if a != b), None)
            if first:
                yield f"{name}/{page}: {first if page in theirs else 'new'}"


def summary(lines: Sequence[str]) -> str:
    """The first of some differences, and how often each stage is the first of the others."""
    counts = Counter(line.rpartition(": ")[2] for line in lines[SHOWN:])
    return "\n".join([*lines[:SHOWN], *(f"and {n} more: {what}" for what, n in counts.items())])


def main() -> int:
    """Compute, write and compare."""
    parser = argparse.ArgumentParser("python -m tests.digests", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE", help="default: our own")
    options = parser.parse_args()
    if options.folders and not (options.write or options.against):
        parser.error("of a FOLDER nothing is known before: say --write FILE or --against FILE")
    found = found_in(options.folders, options.jobs)
    print(f"{sum(map(len, found['sets'].values()))} pages", file=sys.stderr)
    if options.write:
        options.write.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
        if not options.against:
            return 0
    lines = [*differences(found, json.loads((options.against or GOLDEN).read_text("utf-8")))]
    print(summary(lines) or "all is the same")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
