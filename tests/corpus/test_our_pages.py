"""Gold texts that differ from our own pages, and the policy on pages that are made.

``pytest tests/corpus/test_our_pages.py --update`` writes what comes out into `our_pages.yaml`.
"""

import random
from pathlib import Path

import numpy as np

from tests.made_pages import make_page
from victor.base.labels import Label
from victor.corpus.alignment import (
    align,
    align_kinds,
    align_labelled,
    align_segments,
    oracle,
    without_blocks,
)
from victor.corpus.pages import block_labels, canonical_table, folds, to_letters
from victor.corpus.policy import judge
from victor.measures.words import words
from victor.page.table.texts import block_texts

FILE = Path(__file__).with_name("our_pages.yaml")
TYPES = ("article", "forum", "listing", "product", "collection", "documentation", "service", None)
KINDS = ("", "title", "comment", "post", "caption", "byline", "teaser", "table")


def changed(texts):
    """A gold text as people make it: words lost and misread, paragraphs in another order."""
    parts = [text.split() for text in texts]
    lost = [[w for n, w in enumerate(part) if n % 9 != 8] for part in parts]
    read = [["xx" if n % 13 == 12 else w for n, w in enumerate(part)] for part in lost]
    return "\n".join(" ".join(part) for part in [*read[:2], *read[3:5], *read[2:3], *read[5:]])


def aligned(page):
    table = canonical_table(page.html)
    labels, texts = block_labels(page.labels, table), block_texts(table)
    kept = labels < Label.OTHER
    gold = changed([text for text, is_kept in zip(texts, kept, strict=True) if is_kept])
    halves = [
        (label, part)
        for label, text in zip(labels.tolist(), texts, strict=True)
        for part in (text[: len(text) // 3], text[len(text) // 3 :])
    ]
    segments = [
        ("h" if label == Label.HEADER else "p", part) for label, part in halves if label < 2
    ]
    kinds = align_kinds(texts, [(KINDS[label % 3], part) for label, part in halves[::2]])
    alignment = align(texts, gold)
    return {
        "content": "".join("-+"[each] for each in alignment.content.tolist()),
        "by segments": to_letters(align_segments(texts, segments)),
        "by labels": to_letters(align_labelled(texts, halves[: len(halves) // 2])),
        "kinds": "".join(kind[:1] or "-" for kind in kinds),
        "words left": len(
            words(without_blocks(texts, kept & (np.arange(len(texts)) % 3 == 0), gold))
        ),
        "oracle": round(oracle(texts, alignment.content, gold).f1, 4),
    }


def judged(number):
    table = canonical_table(make_page(number))
    n = len(table.segments)
    labels = np.array(random.Random(number).choices(range(3), k=n), dtype=np.uint8)
    kinds = [KINDS[(number + i) % len(KINDS)] for i in range(n)] if number % 3 == 0 else ()
    found, changes = judge(table, labels, page_type=TYPES[number % len(TYPES)], kinds=kinds)
    return f"{to_letters(found)} {dict(sorted(changes.items()))}"


def test_what_comes_of_our_pages(annotated, held):
    sites = [page.site for page in annotated]
    found = {
        "aligned": {page.id: aligned(page) for page in annotated[::2]},
        "judged": [judged(number) for number in range(48)],
        "folds": {k: "".join(map(str, folds(sites, k, seed=k))) for k in (2, 5)},
    }
    for name, of_name in found.items():
        assert of_name == held(FILE, name, of_name), name
