"""Time and memory of marking repeated paragraphs, their number, and the size of the state.

    python benchmarks/repeats.py [CORPUS] [--documents N]

CORPUS is a folder that `victor align` wrote: its first N pages are cleaned by the default model.
Without it the documents are made up: ten paragraphs of 8 to 80 words, of which a fifth repeat an
earlier one word for word, a fifth with one word in twenty changed. Process time.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from victor.api import load_cleaner
from victor.config import Filter
from victor.corpus.pages import read_corpus
from victor.crawl.documents.document import Document, Paragraph
from victor.crawl.documents.duplicates import RepeatMarker
from victor.crawl.documents.filters import PageFilter
from victor.crawl.documents.process import process
from victor.sources.record import Record


def cleaned(corpus: Path, count: int) -> list[Document]:
    """Documents of the first pages of a corpus."""
    records = [Record(page.id, 0, page.html) for page in islice(read_corpus(corpus), count)]
    outcomes = process(load_cleaner(), PageFilter(Filter()), records)
    return [each.document for each in outcomes if each.document and each.status == "written"]


def made_up(count: int) -> Iterator[Document]:
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(5000)]
    seen: list[list[str]] = []
    for number in range(count):
        texts = []
        for _ in range(10):
            words = chance.choices(vocabulary, k=chance.randint(8, 80))
            kind = chance.random()
            if seen and kind < 0.4:
                words = list(chance.choice(seen))
                if kind < 0.2:
                    for position in chance.sample(range(len(words)), max(len(words) // 20, 1)):
                        words[position] = chance.choice(vocabulary)
            else:
                seen.append(words)
            texts.append(" ".join(words))
        paragraphs = tuple(Paragraph(text, False) for text in texts)
        yield Document(str(number), "\n\n".join(texts), paragraphs)


def peak() -> float:
    """Largest resident set so far in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def mark(marker: RepeatMarker, documents: list[Document]) -> None:
    before, start = peak(), time.process_time()
    marked = [marker.mark(document) for document in documents]
    spent = time.process_time() - start
    repeats = [each for document in marked for each in document.metadata.get("repeats", ())]
    kinds = Counter(each["kind"] for each in repeats)
    count = sum(len(document.paragraphs) for document in documents)
    print(f"{len(documents):,} documents, {count:,} paragraphs: {dict(kinds)}")
    print(f"{spent / count * 1e6:.0f} us a paragraph, {len(documents) / spent:,.0f} documents/s")
    print(f"memory: {peak() - before:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=5000)
    arguments = parser.parse_args()
    corpus, count = arguments.corpus, arguments.documents
    documents = cleaned(corpus, count) if corpus else [*made_up(count)]
    marker = RepeatMarker()
    mark(marker, documents)
    start = time.process_time()
    state = marker.state()
    stored = time.process_time()
    RepeatMarker.restored(state)
    restored = time.process_time()
    print(
        f"state: {len(state) / 1e6:.1f} MB, {stored - start:.2f} s to make, "
        f"{restored - stored:.2f} s to restore"
    )


if __name__ == "__main__":
    main()
