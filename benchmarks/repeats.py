"""Time and memory of marking repeated paragraphs, beside datasketch doing the same comparison.

    python benchmarks/repeats.py [--documents N]

Made-up documents of ten paragraphs of 8 to 80 words: a fifth of the paragraphs repeat an earlier
one word for word, a fifth with one word in twenty changed. Process time.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import time
from collections.abc import Callable, Iterator

from datasketch import MinHash, MinHashLSH

from victor.crawl.document import Document, Paragraph
from victor.crawl.repeats import RepeatMarker

WORD = re.compile(r"\w+")


def documents(count: int) -> Iterator[Document]:
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
                    for place in chance.sample(range(len(words)), max(len(words) // 20, 1)):
                        words[place] = chance.choice(vocabulary)
            else:
                seen.append(words)
            texts.append(" ".join(words))
        paragraphs = tuple(Paragraph(text, False) for text in texts)
        yield Document(str(number), "\n\n".join(texts), paragraphs)


class Library:
    """The same shingles and bands with datasketch; repeats are not indexed."""

    def __init__(self) -> None:
        self._blank = MinHash(num_perm=64, seed=1)
        self._index = MinHashLSH(num_perm=64, params=(10, 6))
        self._sketches: dict[int, MinHash] = {}

    def mark(self, document: Document) -> None:
        """Look each paragraph up, and index it if it repeats none."""
        for paragraph in document.paragraphs:
            words = WORD.findall(paragraph.text.casefold())
            sketch = self._blank.copy()
            runs = zip(words, words[1:], words[2:], strict=False)
            sketch.update_batch([" ".join(run).encode() for run in runs])
            near = [self._sketches[key].jaccard(sketch) for key in self._index.query(sketch)]
            if max(near, default=0.0) >= 0.8:
                continue
            key = len(self._sketches)
            self._sketches[key] = sketch
            self._index.insert(key, sketch, check_duplication=False)


def measure(name: str, mark: Callable[[Document], object], pages: list[Document]) -> None:
    start = time.process_time()
    for page in pages:
        mark(page)
    spent = time.process_time() - start
    count = sum(len(page.paragraphs) for page in pages)
    print(
        f"{name:12s} {spent / count * 1e6:6.0f} us/paragraph {len(pages) / spent:8,.0f} documents/s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=5000)
    pages = [*documents(parser.parse_args().documents)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    marker, library = RepeatMarker(), Library()
    measure("victor", marker.mark, pages)
    print(f"memory: {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024:.0f} MB")
    measure("datasketch", library.mark, pages)
    state = marker.state()
    start = time.process_time()
    RepeatMarker.restored(state)
    print(f"state: {len(state) / 1e6:.1f} MB, {time.process_time() - start:.2f} s to restore")


if __name__ == "__main__":
    main()
