"""How many sentences of `victor explain` are true, tested by deletion.

    python benchmarks/sentences.py FOLDER [--blocks 1000] [--draws 20] [--seed 0] [--show 10]

FOLDER holds HTML pages. Of each page a few blocks are drawn, as many kept as dropped where there
are so many, until there are --blocks. Their sentences are tested by means that the code which wrote
them (victor/explain/reasons.py) does not use:

- *decided*: a sentence names the scope, a table or list if and only if the model alone decided
  otherwise, and says how sure the model is as its marginals do.
- *moves*: the columns of the feature module that a reason is read from get the values of other
  blocks, drawn at random from other pages, for all blocks of the page at once; the model runs
  again, pooling and chain included. In the mean over --draws the log-odds of being kept must move
  as the reason says. The labels of neighbours are deleted with the edges.
- *first*: the first reason moves the block more than every other one that is named, or it alone
  turns the decision or halves the log-odds.
- *fact*: what a reason states is measured again on the text, the XPath and the links of the block,
  for the reasons where that is possible.

A sentence is true if all of these hold.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import lxml.html
import numpy as np

from victor.api import Block, Cleaner, CleanerSpec, Result
from victor.base.arrays import Floats
from victor.base.errors import VictorError
from victor.explain import Reason, Sentence, explain, sentences
from victor.explain.contributions import Explanation
from victor.explain.reasons import NEIGHBOURS
from victor.labelers.crf import CrfLabeler
from victor.page.verdict.verdict import Verdict

_REFERENCES: Final = 40
"""Pages from which values are drawn."""
_A_PAGE: Final = 10
"""Blocks of a page."""
_LONG: Final = 12
"""Words of a long text by the loosest limit."""
_TRACE: Final = 1e-12


class Page(NamedTuple):
    """A cleaned page."""

    name: str
    result: Result
    explanation: Explanation


def pages(folder: Path, cleaner: Cleaner, rng: np.random.Generator) -> Iterator[Page]:
    """The pages of a folder that have blocks, in random order."""
    files = sorted(folder.rglob("*.html"))
    for index in rng.permutation(len(files)).tolist():
        try:
            result = cleaner.clean(files[index])
        except VictorError:
            continue
        if result.blocks:
            assert isinstance(cleaner.labeler, CrfLabeler)
            table = verdict_of(result).table
            yield Page(files[index].name, result, explain(cleaner.labeler.model, table))


def verdict_of(result: Result) -> Verdict:
    """The verdict on a page that has blocks."""
    assert result.in_batch is not None
    return result.in_batch[0]


class Deletion:
    """Runs the model of a page again without some columns.

    Args:
        page: the page.
        reference: values of the blocks of other pages, by column.
        draws: how often values are drawn.
        rng: draws them.
    """

    def __init__(
        self, page: Page, reference: dict[str, Any], draws: int, rng: np.random.Generator
    ) -> None:
        self.explanation, self.reference = page.explanation, reference
        self.draws, self.rng = draws, rng
        self.odds = self._odds(self.explanation.columns)
        self.change = cache(self._change)

    def _change(self, module: str) -> Floats:
        """(n,) log-odds of being kept, less those without a module."""
        if module == NEIGHBOURS:
            return self.odds - self._odds(self.explanation.columns, edges=False)
        by_column = self.explanation.features.by_column
        names = [n for n in self.explanation.model.potentials.columns if by_column[n] == module]
        rows = len(self.reference[names[0]])
        without = []
        for _ in range(self.draws):
            drawn = self.rng.integers(0, rows, len(self.odds))
            columns = {name: self.reference[name][drawn] for name in names}
            without.append(self._odds({**self.explanation.columns, **columns}))
        return np.asarray(self.odds - np.mean(without, axis=0))

    def _odds(self, columns: Any, *, edges: bool = True) -> Floats:
        """(n,) log-odds of being kept; which blocks are pooled and how they lie stays."""
        explanation = self.explanation
        model, starts = explanation.model, explanation.table.page_starts
        scores = model.potentials(columns, starts)
        scores = model.pooling(scores, explanation.columns, starts)
        if not edges:
            starts = np.arange(len(scores) + 1)  # every block is a page of its own
        other = model.marginals_of((scores, explanation.neighbours.kinds), starts)[:, 2]
        other = np.clip(other, _TRACE, 1 - _TRACE)
        return np.asarray(np.log1p(-other) - np.log(other))


# --- facts, measured again ------------------------------------------------------------------------


def _words(block: Block) -> int:
    return len(re.findall(r"\w+", block.text))


def _linked(block: Block) -> float:
    """Share of the characters of a block that are inside links."""
    letters = len("".join(block.text.split()))
    return sum(len("".join(link.text.split())) for link in block.links) / max(letters, 1)


def _first_h1(page: Result) -> int:
    return next((block.number for block in page.blocks if block.heading_level == 1), 0)


def _tags(block: Block, page: Result) -> set[str]:
    """Tags of the elements around a block, as lxml has them."""
    node: Any = _tree(page).xpath(block.xpath)[0]
    element = node if isinstance(node, lxml.html.HtmlElement) else node.getparent()
    return {element.tag, *(above.tag for above in element.iterancestors())}


@cache
def _tree(page: Result) -> Any:
    return lxml.html.document_fromstring(page.markup)


def _alike(block: Block, page: Result) -> int:
    """Blocks with the same letters."""

    def letters(text: str) -> str:
        return "".join(c for c in text.casefold() if c.isalpha())

    return sum(letters(other.text) == letters(block.text) for other in page.blocks)


Check = Callable[[re.Match[str], Block, Result], bool]
CHECKS: Final[dict[str, Check]] = {
    r"inside <(\w+)>": lambda m, b, page: m[1] in _tags(b, page),
    r"a heading(?: \(<h(\d)>\))?": lambda m, b, _: (
        b.heading_level == int(m[1] or b.heading_level) and b.heading_level > 0
    ),
    r"nothing but a link": lambda _, b, __: _linked(b) > 0.8,
    r"mostly links": lambda _, b, __: _linked(b) > 0.3,
    r"without links|(\d+) words without a link": lambda _, b, __: _linked(b) == 0,
    r"(?:only )?(\d+) words": lambda m, b, _: abs(_words(b) - int(m[1])) <= 2 + int(m[1]) // 5,
    r"one word": lambda _, b, __: _words(b) <= 3,
    r"before the main heading \(<h1>\)": lambda _, b, page: b.number < _first_h1(page),
    r"after the main heading \(<h1>\)": lambda _, b, page: b.number >= _first_h1(page),
    r"before the first long(?:er)? text": lambda _, b, page: any(
        _words(o) >= _LONG for o in page.blocks[b.number + 1 :]
    ),
    r"after the last long(?:er)? text": lambda _, b, page: any(
        _words(o) >= _LONG for o in page.blocks[: b.number]
    ),
    r"(?:a|one of the) long(?:er|est)? texts?(?: of the page)?": lambda _, b, __: (
        _words(b) >= _LONG
    ),
    r"above all headings": lambda _, b, page: (
        not any(o.heading_level for o in page.blocks[: b.number + 1])
    ),
    r"repeated \((\d+) times on the page\)": lambda m, b, page: _alike(b, page) == int(m[1]),
    r"not repeated on the page": lambda _, b, page: _alike(b, page) == 1,
    r"ending like a sentence": lambda _, b, __: bool(re.search(r"[.?!…。؟][\W_]*$", b.text)),
    r"not ending like a sentence": lambda _, b, __: not re.search(r"[.?!]\s*$", b.text),
    r"near the start of the page": lambda _, b, page: b.number < 0.6 * len(page.blocks),
    r"near the end of the page": lambda _, b, page: b.number > 0.4 * len(page.blocks),
    r"in no list or table": lambda _, b, page: not {"ul", "ol", "dl", "table"} & _tags(b, page),
    r"outside <article> and <main>": lambda _, b, page: not {"article", "main"} & _tags(b, page),
    r"in <(\w+)> with .*": lambda m, b, page: m[1] in _tags(b, page),
    r"beside (text|boilerplate)": lambda m, b, page: all(
        (o.marginals["other"] < 0.5) == (m[1] == "text")
        for o in page.blocks[max(b.number - 1, 0) : b.number + 2]
        if o is not b
    ),
}
"""Pattern of a reason to a test of what it states, by looser limits than those of the features."""


def fact(reason: Reason, block: Block, page: Result) -> bool | None:
    """Is what a reason states true of a block; None if nothing measures it again."""
    for pattern, check in CHECKS.items():
        if match := re.fullmatch(pattern, reason.words):
            with suppress(LookupError):  # lxml may build another tree of markup with errors
                return bool(check(match, block, page))
    return None


# --- sentences ------------------------------------------------------------------------------------


class Test(NamedTuple):
    """What became of a sentence; None for what it does not claim."""

    decided: bool
    moves: list[bool]
    first: bool | None
    facts: list[bool]

    @property
    def is_true(self) -> bool:
        """Do all claims hold."""
        return self.decided and all(self.moves) and self.first is not False and all(self.facts)


def tested(page: Page, sentence: Sentence, deletion: Deletion, raw_kept: bool) -> Test:
    """Test a sentence.

    Args:
        page: the page of the block.
        sentence: about the block.
        deletion: of its page.
        raw_kept: did the model alone keep the block.
    """
    block = page.result.blocks[sentence.block]
    said_kept = sentence.text.startswith("Kept")
    is_ruled = sentence.decided_by not in ("labeler", "page")
    decided = said_kept == block.kept and (raw_kept != block.kept) == is_ruled
    decided &= _is_sure(sentence, block, is_ruled)
    reasons = named(sentence)
    changes = {reason.module: deletion.change(reason.module)[block.number] for reason in reasons}
    moves = [np.sign(changes[r.module]) == np.sign(r.change) for r in reasons]
    facts = [fact(reason, block, page.result) for reason in reasons]
    first = None
    own = [changes[r.module] for r in reasons if (r.change > 0) == block.kept]
    if own:
        odds = deletion.odds[block.number]
        left = odds - own[0]
        first = bool(abs(own[0]) >= max(map(abs, own)) or left / odds <= 0.5)
    return Test(decided, moves, first, [holds for holds in facts if holds is not None])


def _is_sure(sentence: Sentence, block: Block, is_ruled: bool) -> bool:
    """Is the probability that a sentence states that of the block."""
    other = block.marginals["other"]
    p = 100 * (other if block.kept == is_ruled else 1 - other)
    stated = re.search(r"(\d+) % sure", sentence.text)
    return sentence.decided_by == "page" or stated is None or abs(float(stated[1]) - p) <= 1


def named(sentence: Sentence) -> list[Reason]:
    """The reasons that stand in a sentence."""
    if sentence.decided_by != "labeler":
        return []
    return [r for side in sentence.sides for r in side if r.words in sentence.text]


def drawn(blocks: Sequence[Block], rng: np.random.Generator) -> list[int]:
    """Some blocks of a page, half of them kept where there are so many."""
    kept, dropped = (
        rng.permutation([b.number for b in blocks if b.kept == side]).astype(int).tolist()
        for side in (True, False)
    )
    some = kept[: _A_PAGE // 2]
    return sorted([*some, *dropped[: _A_PAGE - len(some)]])


def main() -> None:
    """Test sentences and print the shares that are true."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--blocks", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=10, help="sentences that are not true")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    cleaner = CleanerSpec().cleaner()
    stream = pages(options.folder, cleaner, rng)
    references = [page for page, _ in zip(stream, range(_REFERENCES), strict=False)]
    names = references[0].explanation.model.potentials.columns
    reference = {
        name: np.concatenate([np.asarray(p.explanation.columns[name]) for p in references])
        for name in names
    }
    tests: list[Test] = []
    wrong = Counter[str]()
    for page in stream:
        if len(tests) >= options.blocks:
            break
        verdict = verdict_of(page.result)
        raw = cleaner.labeler.label(verdict.table).kept
        deletion = Deletion(page, reference, options.draws, rng)
        numbers = drawn(page.result.blocks, rng)[: options.blocks - len(tests)]
        for sentence in sentences(cleaner.labeler, verdict, cleaner.scope, blocks=numbers):
            test = tested(page, sentence, deletion, bool(raw[sentence.block]))
            tests.append(test)
            wrong.update(_failed(test))
            if not test.is_true and options.show > 0:
                options.show -= 1
                print(f"{page.name} {sentence.block}: {sentence.text} ({', '.join(_failed(test))})")
    report(tests, wrong)


def _failed(test: Test) -> list[str]:
    """Which claims of a sentence are wrong."""
    claims = {"decided": test.decided, "moves": all(test.moves), "fact": all(test.facts),
              "first": test.first is not False}  # fmt: skip
    return [claim for claim, holds in claims.items() if not holds]


def report(tests: Sequence[Test], wrong: Counter[str]) -> None:
    """Print the shares."""
    n = len(tests)
    moves = [move for test in tests for move in test.moves]
    facts = [holds for test in tests for holds in test.facts]
    firsts = [test.first for test in tests if test.first is not None]
    print(f"{n} sentences, {sum(test.is_true for test in tests) / n:.1%} true")
    print(f"decided by what it says   {sum(test.decided for test in tests) / n:.1%} of {n}")
    print(f"reasons that move         {np.mean(moves):.1%} of {len(moves)}")
    print(f"first moves most or turns {np.mean(firsts):.1%} of {len(firsts)}")
    print(f"facts measured again      {np.mean(facts):.1%} of {len(facts)}")
    print("not true:", ", ".join(f"{claim} {count}" for claim, count in wrong.most_common()))


if __name__ == "__main__":
    main()
