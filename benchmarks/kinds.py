"""Precision and recall of the kinds of blocks, on pages whose blocks are annotated by kind.

    python benchmarks/kinds.py CORPUS [CORPUS ...] [--sites all|rules|unseen] [--labels gold]
    python benchmarks/kinds.py annotations

A corpus is a folder with gold.jsonl, html/ID.html and blocks/ID.blocks.jsonl. Paragraphs, items,
cells, code, quotes and posts are all text there; promotion, buttons for sharing and tags are other;
pull quotes, data of posts and undecided blocks do not count at all. Kinds are made from the labels
of the model, or with `--labels gold` from those of the annotation. Pages that are cut into other
blocks than annotated are left out and counted.

A folder with pages.jsonl has labels and no kinds: how many blocks of each kind have which label.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from kind_pages import KindPage, options, read_kind_pages

from victor.api import Cleaner, load_cleaner
from victor.corpus.pages import block_labels
from victor.corpus.read import read_folder
from victor.kinds.rules import kinds
from victor.labels import KIND_NAMES, UNLABELLED, Kind, Label
from victor.page.name_groups import ATTRIBUTES
from victor.page.segment import parse_pages
from victor.page.texts import block_texts
from victor.page.verdict import Verdict

AS = {"post": "text", "promotion": "other", "share": "other", "tags": "other"}
NOT_SCORED = ("pullquote", "post-meta", "undecided")
TEXTS = ("text", "post", "standfirst")
PARTS_OF_TEXT = ("paragraph", "item", "cell", "code", "quote", "post")
NAMES = ("text", *(name for name in KIND_NAMES if name not in PARTS_OF_TEXT))
"""The kinds that are annotated."""
_ANNOTATED = np.array(
    [NAMES.index("text" if name in PARTS_OF_TEXT else name) for name in KIND_NAMES]
)


def main() -> None:
    """Print a Markdown table for every corpus."""
    parser = options(__doc__)
    parser.add_argument("--labels", choices=("model", "gold"), default="model")
    arguments = parser.parse_args()
    cleaner = load_cleaner()
    for corpus in arguments.corpora:
        if (corpus / "pages.jsonl").exists():
            _print_labels(corpus, cleaner)
            continue
        pages = read_kind_pages(corpus, arguments.sites)
        from_gold = arguments.labels == "gold"
        confusions = [_confusion(page, cleaner, from_gold=from_gold) for page in pages]
        _print(corpus, confusions)


def _confusion(page: KindPage, cleaner: Cleaner, *, from_gold: bool) -> np.ndarray | None:
    """(2, kinds, kinds) blocks and words by annotated kind and kind; None for another cut."""
    verdict, _ = _judged(cleaner, page.html)
    texts = block_texts(verdict.table)
    if [*map(_letters, texts)] != [_letters(text) for text, _ in page.blocks]:
        return None
    names = [AS.get(kind, kind) for _, kind in page.blocks]
    scored = np.array([name not in NOT_SCORED for name in names], dtype=bool)
    gold = np.array([NAMES.index(name) for name in names if name not in NOT_SCORED], dtype=int)
    guess = _kinds_of_gold(page) if from_gold else verdict.kinds
    assert guess is not None, "a cleaner's verdict has kinds"
    counts = np.zeros((2, len(NAMES), len(NAMES)), dtype=np.int64)
    rows = gold, _ANNOTATED[guess[scored]]
    np.add.at(counts[0], rows, 1)
    np.add.at(counts[1], rows, verdict.table.words[scored])
    return counts


def _judged(cleaner: Cleaner, html: bytes) -> tuple[Verdict, int]:
    """What the cleaner finds of a page, and its number there."""
    result = cleaner.clean(html)
    assert result.in_batch is not None, "a page without an error has a verdict"
    return result.in_batch


def _kinds_of_gold(page: KindPage) -> np.ndarray:
    """(n,) kinds made from annotated labels."""
    names = [kind for _, kind in page.blocks]
    labels = np.full(len(names), Label.OTHER, dtype=np.uint8)
    labels[[name in TEXTS for name in names]] = Label.TEXT
    labels[[name == "heading" for name in names]] = Label.HEADER
    return kinds(parse_pages([page.html], attributes=ATTRIBUTES), labels)


def _letters(text: str) -> str:
    return "".join(text.split())


def _print(corpus: Path, confusions: Sequence[np.ndarray | None]) -> None:
    counted = [one for one in confusions if one is not None]
    blocks, words = np.sum(counted, axis=0)
    left_out = len(confusions) - len(counted)
    print(f"\n{corpus.name}: {len(counted)} pages, {left_out} left out\n")
    print("| kind | blocks | precision | recall | words | precision | recall |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for number, name in enumerate(NAMES):
        cells = [f"{part[number].sum():,} | {_rates(part, number)}" for part in (blocks, words)]
        print(f"| {name} |", " | ".join(cells), "|")


def _print_labels(corpus: Path, cleaner: Cleaner) -> None:
    """Blocks of each kind by their annotated label."""
    counts = np.zeros((len(Kind), len(Label)), dtype=np.int64)
    for page in read_folder(corpus):
        verdict, _ = _judged(cleaner, page.html)
        labels = block_labels(page.labels, verdict.table)
        known = labels != UNLABELLED
        assert verdict.kinds is not None, "a cleaner's verdict has kinds"
        np.add.at(counts, (verdict.kinds[known], labels[known]), 1)
    print(f"\n{corpus.name}\n\n| kind | header | text | other |\n|---|--:|--:|--:|")
    for kind in Kind:
        print(f"| {kind.lower_name} |", " | ".join(map(str, counts[kind].tolist())), "|")


def _rates(counts: np.ndarray, kind: int) -> str:
    right, guessed, gold = counts[kind, kind], counts[:, kind].sum(), counts[kind].sum()
    return " | ".join(f"{right / n:.3f}" if n else "–" for n in (guessed, gold))


if __name__ == "__main__":
    main()
