"""How many paragraphs of the CleanEval form have the mark of the gold text: h, p or l.

    python benchmarks/cleaneval_tags.py CORPUS [SYSTEM...]

CORPUS holds ``html/`` and ``gold.jsonl``, whose rows have ``blocks`` with labels header, text and
list. Only paragraphs with the words of a gold block count, so that the marks are judged and not
what is kept. SYSTEM is a labeler or a model; ``none`` and ``default`` are taken by default.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from victor.api import Cleaner, CleanerSpec
from victor.measures.words import words

MARKS = {"header": "h", "text": "p", "list": "l"}


def main() -> None:
    """Print one table for each system."""
    corpus, *systems = sys.argv[1:]
    for name in systems or ("none", "default"):
        cleaner = CleanerSpec.named(name).cleaner()
        counts = Counter(pair for pairs in _pages(Path(corpus), cleaner) for pair in pairs)
        right = sum(n for (gold, mark), n in counts.items() if gold == mark)
        print(f"{name}: {counts.total()} paragraphs, {right / counts.total():.3f} right")
        for mark in MARKS.values():
            hits = counts[mark, mark]
            marked = sum(n for (_, given), n in counts.items() if given == mark)
            wanted = sum(n for (gold, _), n in counts.items() if gold == mark)
            f1 = 2 * hits / max(marked + wanted, 1)
            print(
                f"  {mark}: precision {hits / max(marked, 1):.3f}, "
                f"recall {hits / max(wanted, 1):.3f}, F {f1:.3f}"
            )


def _pages(corpus: Path, cleaner: Cleaner) -> Iterator[list[tuple[str, str]]]:
    """Gold mark and mark of the paragraphs of each page that are in both."""
    for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        html = (corpus / "html" / f"{row['id']}.html").read_bytes()
        marks = defaultdict(list)
        for paragraph in cleaner.clean(html).render("cleaneval").splitlines():
            marks[tuple(words(paragraph[3:]))].append(paragraph[1])
        pairs = []
        for block in row["blocks"]:
            given = marks[tuple(words(block["text"]))]
            if given and block["label"] in MARKS and words(block["text"]):
                pairs.append((MARKS[block["label"]], given.pop(0)))
        yield pairs


if __name__ == "__main__":
    main()
