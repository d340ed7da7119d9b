"""Questions and answers that a page declares: https://schema.org/Question, as FAQPage or QAPage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from victor.metadata.dates import iso
from victor.metadata.graph import Graph, Node
from victor.metadata.texts import lines
from victor.metadata.things import Place, Things, declared
from victor.page.parsing.heads import Head

_MOST: Final = 1_000
"""Questions of one page, and answers to all of them."""
_NUMBER: Final = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question; None for what is not declared.

    Attributes:
        text: paragraphs on their own lines.
        author: name of who wrote it.
        date: ISO 8601 where it can be read, else as declared.
        votes: for it, less those against it where the page counts so.
        accepted: is it declared as the accepted one, as those of an FAQ are.
    """

    text: str
    author: str | None
    date: str | None
    votes: int | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question; None or "" for what is not declared.

    Attributes:
        name: in one line.
        text: in full, paragraphs on their own lines.
        author, date, votes: as of an `Answer`.
        answers: the accepted ones first.
        source: where the page declares it.
    """

    name: str
    text: str
    author: str | None
    date: str | None
    votes: int | None
    answers: tuple[Answer, ...]
    source: Place


def questions(head: Head, markup: bytes) -> tuple[Question, ...]:
    """The questions of a page, in order, from the first place that has some.

    Linear in the size of the page; at most a thousand questions and a thousand answers.

    Args:
        head: of the page.
        markup: the page as UTF-8 bytes.
    """
    return next(filter(None, map(_questions, declared(head, markup))), ())


def _questions(things: Things) -> tuple[Question, ...]:
    found: list[Question] = []
    left = _MOST
    seen: set[int] = set()
    for node in things.of_type("question"):
        answers = [*_answers(things.graph, node, left, seen)]
        left -= len(answers)
        question = _question(things, node, tuple(answers))
        if question.name or question.text:
            found.append(question)
        if len(found) == _MOST:
            break
    return tuple(found)


def _question(things: Things, node: Node, answers: tuple[Answer, ...]) -> Question:
    graph = things.graph
    return Question(
        name=" ".join(_lines(graph, node.get("name"))),
        text="\n".join(_lines(graph, node.get("text"))),
        author=_author(graph, node),
        date=_date(graph, node),
        votes=_votes(graph, node),
        answers=answers,
        source=things.place,
    )


def _answers(graph: Graph, node: Node, most: int, seen: set[int]) -> Iterator[Answer]:
    """The answers to a question that have a text and were not read before."""
    for key in ("acceptedAnswer", "suggestedAnswer"):
        for answer in graph.values(node.get(key)):
            if most and isinstance(answer, Mapping) and id(answer) not in seen:
                seen.add(id(answer))  # many questions may refer to one
                read = _answer(graph, answer, accepted=key == "acceptedAnswer")
                if read.text:
                    most -= 1
                    yield read


def _answer(graph: Graph, node: Node, *, accepted: bool) -> Answer:
    texts = _lines(graph, node.get("text")) or _lines(graph, node.get("name"))
    author, date, votes = _author(graph, node), _date(graph, node), _votes(graph, node)
    return Answer("\n".join(texts), author, date, votes, accepted)


def _lines(graph: Graph, value: object) -> list[str]:
    """The lines of the first text of a value."""
    return lines(next((text for text in graph.values(value) if isinstance(text, str)), ""))


def _author(graph: Graph, node: Node) -> str | None:
    return graph.text(node.get("author")) or None


def _date(graph: Graph, node: Node) -> str | None:
    keys = ("dateCreated", "datePublished")
    written = next(filter(None, (graph.text(node.get(key)) for key in keys)), "")
    return iso(written) or written or None


def _votes(graph: Graph, node: Node) -> int | None:
    match = _NUMBER.fullmatch(graph.text(node.get("upvoteCount")))
    return int(match[0]) if match else None
