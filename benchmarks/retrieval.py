"""How often a search finds the passage that answers, over Victor's Markdown and over other text.

    python benchmarks/retrieval.py CORPUS... [--questions 5] [--size 1000]

CORPUS is a folder of pages with their gold texts (`html/`, `gold.jsonl`). A *question* is made from
a sentence of the gold text: the words of the page's `<title>`, and the four words of the sentence
that fewest pages have. Its answer is the sentence. Only sentences of 8 to 30 words count that stand
on the page word for word and in no other gold text, at most `--questions` a page, drawn alike in
every run. So a question knows nothing of any system, and the full text always holds the answer.

Victor and trafilatura give Markdown, readability-lxml text, and each text gets the page's `<title>`
as a heading above. It is cut as docs/how-to/retrieval.md does it, by LangChain's splitters, and all
pieces of all pages are ranked by BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75). A question is
answered at k if one of the first k pieces is of its page and holds the sentence whole.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from structure.systems import under
from structure.walk import Document, parsed

import victor
from victor.page.decoding.decode import decode

RANKS: Final = (1, 3, 10)
_WORD: Final = re.compile(r"[^\W_]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_SHORTEST, _LONGEST, _RARE = 8, 30, 4
_SEED: Final = 20261128


def words(text: str) -> list[str]:
    """Words in lower case; marks of Markdown are none."""
    return [word.lower() for word in _WORD.findall(text)]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its bytes, its visible text, its title and its gold text."""

    html: bytes
    text: str
    title: str
    gold: str


@dataclass(frozen=True, slots=True)
class Question:
    """Words that are searched, and the sentence of a page that answers."""

    page: int
    words: tuple[str, ...]
    answer: str


def read(corpus: Path) -> Iterator[Page]:
    """The pages of a corpus that have a gold text."""
    for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        html = (corpus / "html" / f"{row['id']}.html").read_bytes()
        root = parsed(decode(html).text)
        title = next((node.text_content() for node in root.iter("title")), "")
        if words(row["text"]):
            yield Page(html, Document(root).text, title, row["text"])


def questions(pages: Sequence[Page], each: int) -> list[Question]:
    """Questions on the pages, so many of each at most."""
    golds = [_joined(page.gold) for page in pages]
    known = Counter(word for page in pages for word in {*words(page.gold)})
    made = []
    for number, page in enumerate(pages):
        own, title = _joined(page.text), words(page.title)
        answers = [
            joined
            for sentence in _SENTENCE.split(page.gold)
            if _SHORTEST <= len(words(sentence)) <= _LONGEST
            and (joined := _joined(sentence)) in own
            and sum(joined in gold for gold in golds) == 1
        ]
        random.Random(_SEED + number).shuffle(answers)
        for answer in answers[:each]:
            rare = sorted({*answer.split()} - {*title}, key=lambda word: (known[word], word))
            made.append(Question(number, (*title, *rare[:_RARE]), answer))
    return made


def _joined(text: str) -> str:
    """Words with a space on either side, so that a run of words is a part of the string."""
    return f" {' '.join(words(text))} "


def _victor(pages: Sequence[Page]) -> list[str]:
    results = victor.clean_many([page.html for page in pages])
    return [
        result.render("markdown", links=False, images=False, headline=False) for result in results
    ]


def _trafilatura(pages: Sequence[Page]) -> list[str]:
    import trafilatura

    return [trafilatura.extract(page.html, output_format="markdown") or "" for page in pages]


def _readability(pages: Sequence[Page]) -> list[str]:
    from readability import Document as Readability

    markups = [Readability(decode(page.html).text).summary() for page in pages]
    return [Document(parsed(markup)).text for markup in markups]


SYSTEMS: Final[dict[str, Callable[[Sequence[Page]], list[str]]]] = {
    "Victor": _victor,
    "trafilatura": _trafilatura,
    "readability-lxml": _readability,
    "all text of the page": lambda pages: [page.text for page in pages],
}


def pieces(texts: Sequence[str], size: int) -> list[tuple[int, list[str]]]:
    """Number of the page and words of each piece, cut at headings and then to a size."""
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    headings = [("#" * level, f"h{level}") for level in range(1, 7)]
    by_heading = MarkdownHeaderTextSplitter(headings, strip_headers=False)
    by_size = RecursiveCharacterTextSplitter.from_language(
        "markdown", chunk_size=size, chunk_overlap=size // 5
    )
    return [
        (number, words(f"{' '.join(piece.metadata.values())} {piece.page_content}"))
        for number, text in enumerate(texts)
        for piece in by_size.split_documents(by_heading.split_text(text))
    ]


class Ranking:
    """BM25 over pieces."""

    def __init__(self, found: Sequence[Sequence[str]], k1: float = 1.2, b: float = 0.75) -> None:
        mean = sum(map(len, found)) / max(1, len(found))
        self._scores: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, own in enumerate(found):
            room = k1 * (1 - b + b * len(own) / mean)
            for word, times in Counter(own).items():
                self._scores[word].append((number, times * (k1 + 1) / (times + room)))
        self._n = len(found)

    def best(self, query: Sequence[str], k: int) -> list[int]:
        """Numbers of the pieces with the highest scores, the highest first."""
        total: Counter[int] = Counter()
        for word in {*query}:
            entries = self._scores.get(word, [])
            weight = math.log(1 + (self._n - len(entries) + 0.5) / (len(entries) + 0.5))
            for number, score in entries:
                total[number] += weight * score  # type: ignore[assignment]
        return sorted(total, key=lambda number: (-total[number], number))[:k]


def row(texts: Sequence[str], asked: Sequence[Question], size: int) -> list[str]:
    """Pieces, words, and the shares of questions that are answered at each rank."""
    found = pieces(texts, size)
    ranking = Ranking([own for _, own in found])
    answered: Counter[int] = Counter()
    for question in asked:
        for rank, number in enumerate(ranking.best(question.words, max(RANKS)), start=1):
            page, own = found[number]
            if page == question.page and question.answer in f" {' '.join(own)} ":
                answered.update(k for k in RANKS if rank <= k)
                break
    shares = [f"{answered[k] / len(asked):.3f}" for k in RANKS]
    return [f"{len(found):,}", f"{sum(len(own) for _, own in found):,}", *shares]


def main(argv: Sequence[str] | None = None) -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--questions", type=int, default=5, metavar="N", help="of a page")
    parser.add_argument("--size", type=int, default=1000, metavar="N", help="characters of a piece")
    arguments = parser.parse_args(argv)
    pages = [page for corpus in arguments.corpus for page in read(corpus)]
    asked = questions(pages, arguments.questions)
    print(f"{len(pages)} pages, {len(asked)} questions\n")
    print("| | pieces | words | " + " | ".join(f"answer in {k}" for k in RANKS) + " |")
    print("|---|--:|--:|" + "--:|" * len(RANKS))
    for name, texts_of in SYSTEMS.items():
        texts = [under(page.title, text) for page, text in zip(pages, texts_of(pages), strict=True)]
        print(f"| {name} | {' | '.join(row(texts, asked, arguments.size))} |", flush=True)


if __name__ == "__main__":
    main()
