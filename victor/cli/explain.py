"""`victor explain`, `compare`, `demo`: why blocks have their labels, and where systems differ."""

from __future__ import annotations

import tempfile
import webbrowser
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
from msgspec.structs import asdict, replace

from victor.api import Block, Cleaner, CleanerSpec, Result
from victor.base.errors import ConfigError
from victor.base.files import write_bytes
from victor.base.labels import LABEL_NAMES, OTHER
from victor.cli.cleaner_options import Cleaning, Trusting, system_name
from victor.cli.commands import (
    AT_LEAST_1,
    LABEL_COLOURS,
    NEW_FILE,
    OneOf,
    Options,
    command,
    complain,
    finish,
    option,
    tame,
    write,
    write_record,
    write_text,
)
from victor.cli.pages import cleaned, expand, source
from victor.explain.compare import Difference, Side, compare
from victor.explain.groups import Grouped, Why, least_sure, why
from victor.explain.model_summary import Learnt, learnt
from victor.explain.sentences import Sentence, sentences
from victor.labelers.crf import CrfLabeler, load_model
from victor.model.decide import Decision
from victor.page.verdict.verdict import Verdict

_FEW: Final = 8  # decisions of a page that have a line by default
_OVERRULED: Final = 3  # of these, decisions that were not the labeler's
_MOST_FOUND: Final = 20  # blocks that words on the command line may name
_NAMED: Final = 3  # reasons that the summary counts
_BEGINNING: Final = 26  # columns of the text of a block beside its sentence
_GROUPS: Final = 6  # groups of a block whose parts are shown
_GROUP, _PART = 11, 20  # columns before the words of a group and of a part of it
_NUMBER: Final = 10  # columns of a number in what a model has learnt
_HOW: Final = {
    "trees": "Each number is the share of the trees' output that an input or a group of inputs "
    "explains. The groups add up to 1.",
    "linear": "Each number is the weight of header or text less that of other: above 0 it speaks "
    "for the label. A group shows its strongest weight.",
}
_MORE: Final = (
    "More: --block N, or words of a block, for everything about it; --all for all blocks."
)
_OF_SCORES: Final = (
    "Scores are log-odds: above 0 they speak for keeping, +1 makes it 2.7 times as likely, +3 20 "
    "times. The groups add up to the score of the block."
)


class _Told(Options):
    form: str = option("-f --format", "For people or programs:", OneOf(["text", "json"]), "text")


class _Options(Cleaning, _Told):
    blocks: tuple[str, ...] = option(
        "-b --block", "Show this block, by number or words; repeatable.", metavar="N|WORDS"
    )
    every_block: bool = option("-a --all", "Show all about every block.")
    top: int = option("-k --top", "Rows of each group of reasons.", AT_LEAST_1, 2)


@command(
    "victor explain page.html",
    "victor explain page.html --block 26",
    "victor explain -m crf",
    takes=_Options,
)
@click.argument("page", required=False, metavar="[FILE|URL|-]")
def explain_command(page: str | None, options: _Options) -> None:
    """Say why blocks of a page were kept or dropped, a sentence for each.

    By default a summary of the page and the least certain decisions. Without a page, show what
    matters most to --model.
    """
    blocks, every_block = options.blocks, options.every_block
    if page is None:
        _write_model(options)
        return
    if blocks and every_block:
        raise ConfigError("--block and --all exclude each other; leave one out")
    spec, cleaner = options.cleaner(options.spec())
    _, result = cleaned(page, cleaner)
    if not result.blocks:
        complain(f"{page}: the page has no text")
        return
    shown = _Page(page, system_name(spec), cleaner, result)
    numbers = _named(blocks, result.blocks) or list(range(len(result.blocks)))
    if options.form == "json":
        shown.write_records(numbers, options.top)
    elif blocks or every_block:
        shown.write_blocks(numbers, options.top)
    else:
        shown.write_summary(numbers)


class _Page(NamedTuple):
    name: str
    system: str
    cleaner: Cleaner
    result: Result

    @property
    def _verdict(self) -> Verdict:
        assert self.result.in_batch is not None, "a page without an error has a verdict"
        return self.result.in_batch[0]

    @property
    def decision(self) -> Decision:
        """How labels were chosen."""
        return self.cleaner.decision or self.cleaner.labeler.decision

    @property
    def _experts(self) -> dict[str, float]:
        """The experts of the model that decided, and what they weigh."""
        labeler = self.cleaner.labeler
        return labeler.experts(self._verdict.table)[0] if isinstance(labeler, CrfLabeler) else {}

    def _sentences(self, numbers: Sequence[int]) -> list[Sentence]:
        cleaner = self.cleaner
        return sentences(cleaner.labeler, self._verdict, cleaner.scope, cleaner.decision, numbers)

    def _why(self, numbers: Sequence[int], top: int) -> Iterable[tuple[Block, str, Why]]:
        reasons = why(self.cleaner.labeler, self._verdict.table, numbers, top)
        for sentence, each in zip(self._sentences(numbers), reasons, strict=True):
            yield self.result.blocks[sentence.block], sentence.text, each

    def write_records(self, numbers: Sequence[int], top: int) -> None:
        """Blocks with all reasons, each as a line of JSON."""
        limit = {"threshold": self.decision.threshold} if self._has_threshold else {}
        decision = {"method": self.decision.method, **limit}
        about = {"page": self.name, "system": self.system, "experts": self._experts}
        about["decision"] = decision
        for block, sentence, each in self._why(numbers, top):
            write_record({**about, **_record(block, sentence, each)})

    def write_summary(self, numbers: Sequence[int]) -> None:
        """How much was kept, why most was dropped, the threshold, and the least sure decisions."""
        said = self._sentences(numbers)
        self._write_title()
        verdict, blocks = self._verdict, self.result.blocks
        n_kept, n_words = int(verdict.kept.sum()), int(verdict.table.words.sum())
        write_text(
            f"Kept {n_kept} of {len(blocks)} blocks ({verdict.n_words(0):,} of {n_words:,} words), "
            f"dropped {len(blocks) - n_kept}."
        )
        reasons = _counted(s for s in said if not blocks[s.block].kept)
        if reasons:
            write_text(f"Dropped most often for: {reasons}.")
        write_text(self._threshold())
        chosen = _telling(verdict, said)
        if len(chosen) < len(said):
            write_text(f"Below are the {len(chosen)} least certain decisions. {_MORE}")
        write()
        for sentence in chosen:
            text = tame(blocks[sentence.block].text, _BEGINNING)
            start = f"{sentence.block:>5}  {text}"
            write_text(sentence.text, start=start, indent=_BEGINNING + 9, lines=4)

    def _write_title(self) -> None:
        write_text(f"{self.name}, by {self.system}", bold=True)
        if len(experts := self._experts) > 1:
            shares = ", ".join(f"{name} {weight:.2f}" for name, weight in experts.items())
            write_text(f"experts: {shares}")
        elif experts:
            write_text(f"expert: {min(experts)}")
        recovered = self.result.metadata.get("recovered")
        if recovered:
            write_text(f"The page has next to no text; these are the blocks of its {recovered}.")

    @property
    def _has_threshold(self) -> bool:
        return self.decision.method == "threshold"

    def _threshold(self) -> str:
        if self._has_threshold:
            return (
                "Blocks are kept if p(other), the probability that a block is boilerplate, is "
                f"below {self.decision.threshold:g}."
            )
        return f"No fixed threshold: {self.decision.method} chose the labels."

    def write_blocks(self, numbers: Sequence[int], top: int) -> None:
        """Blocks with all that spoke for and against them."""
        self._write_title()
        write_text(self._threshold())
        if self._verdict.by_model:
            write_text(_OF_SCORES)
        for block, sentence, each in self._why(numbers, top):
            write()
            _write_block(block, sentence, each)


def _record(block: Block, sentence: str, why: Why) -> dict[str, Any]:
    """A block and why it has its label; nothing is rounded, so that the groups add up."""
    labelled = {"block": block.number, "label": block.label, "kept": block.kept}
    said = {"reason": block.reason, "sentence": sentence, "probabilities": block.marginals}
    return {
        **labelled,
        **said,
        "text": block.text,
        "grouped": why.grouped,
        "findings": why.findings,
    }


def _named(wanted: Sequence[str], blocks: Sequence[Block]) -> list[int]:
    """The blocks that are named by their numbers or by words in them."""
    return sorted({number for words in wanted for number in _found(words, blocks)})


def _found(words: str, blocks: Sequence[Block]) -> list[int]:
    if words.isdecimal() and int(words) < len(blocks):
        return [int(words)]
    wanted = tame(words).casefold()
    found = [block.number for block in blocks if wanted in tame(block.text).casefold()]
    if len(found) > _MOST_FOUND:
        raise ConfigError(f"{len(found)} blocks hold {words!r}: give more words, or a number")
    if found:
        return found
    if words.isdecimal():
        raise ConfigError(f"no block {words}: the page has {len(blocks)} blocks, numbered from 0")
    raise ConfigError(f"no block holds {words!r}: --block takes a number, or words of the block")


def _telling(verdict: Verdict, said: Sequence[Sentence]) -> list[Sentence]:
    """The least certain decisions, among them a few that the labeler did not make."""
    other = verdict.marginals[:, OTHER]
    overruled = np.array([s.block for s in said if s.decided_by != "labeler"], dtype=np.int64)
    chosen = {*overruled[least_sure(other[overruled], _OVERRULED)].tolist()}
    for block in np.argsort(np.abs(other - 0.5), kind="stable").tolist():
        if len(chosen) < _FEW:
            chosen.add(block)
    return [said[block] for block in sorted(chosen)]


def _counted(dropped: Iterable[Sentence]) -> str:
    counts = Counter(next(iter(sentence.groups), "") for sentence in dropped)
    del counts[""]
    return ", ".join(f"{title} ({n})" for title, n in counts.most_common(_NAMED))


def _write_block(block: Block, sentence: str, why: Why) -> None:
    label = click.style(block.label, fg=LABEL_COLOURS[block.label], bold=True)
    shares = ", ".join(f"{name} {p:.3f}" for name, p in block.marginals.items())
    write(f"{click.style(f'block {block.number}', bold=True)}  {label}  ({shares})")
    write_text(sentence, indent=2)
    write_text(block.text, indent=2, lines=2, italic=True)
    if why.grouped is not None:
        _write_groups(why.grouped)
    for finding in why.findings:
        if finding.words:
            write_text(f"{finding.words} ({finding.meaning})", indent=_GROUP)


def _write_groups(grouped: Grouped) -> None:
    write(f"  {grouped.log_odds:+7.2f}  score as {grouped.label}")
    for rank, group in enumerate(grouped.groups):
        write_text(group.name, start=f"  {group.weight:+7.2f}", indent=_GROUP, bold=True)
        if rank >= _GROUPS or not (group.module or len(group.parts) > 1):
            continue
        for part in group.parts:
            write_text(part.words, start=f"{part.weight:+{_PART - 2}.2f}", indent=_PART, lines=3)
        if group.n_more:
            smaller = f"{group.n_more} smaller one{'s' * (group.n_more > 1)}"
            write_text(smaller, start=f"{group.more:+{_PART - 2}.2f}", indent=_PART, dim=True)


def _write_model(options: _Options) -> None:
    """Write what matters most to a model, by feature module, and its transitions."""
    if options.page_type or options.blocks or options.every_block:
        raise ConfigError("--type, --block and --all need a page: name one")
    if options.labeler is not None:
        raise ConfigError("a labeler without a model has learnt nothing: name a page to explain")
    name = options.model
    if name is None:
        raise ConfigError("name a page to explain, or a model with --model")
    summary = learnt(load_model(name), options.top, trust_code=options.trust_code)
    if options.form == "json":
        write_record({"model": name, **asdict(summary)})
        return
    write_text(f"model {name}: potentials are {summary.potentials}", bold=True)
    if summary.experts:
        write_text(f"experts for types of pages: {', '.join(summary.experts)}")
    write_text(_HOW[summary.potentials])
    write()
    _write_modules(summary)
    write()
    _write_edges(summary)


def _write_modules(summary: Learnt) -> None:
    columns = ("share",) if summary.potentials == "trees" else LABEL_NAMES[:2]
    indent = _NUMBER * (1 + len(columns)) + 2
    write(" " * _NUMBER + "".join(f"{column:>{_NUMBER}}" for column in columns))
    for module in summary.modules:
        start = f"{module.size:{_NUMBER}.3f}"
        write_text(module.name, start=start, indent=_NUMBER + 2, bold=True)
        for row in module.rows:
            write_text(row.words, start=_numbers(row.numbers), indent=indent, lines=3)
    if summary.bias:
        write_text("bias, the same for every block", start=_numbers(summary.bias), indent=indent)


def _numbers(numbers: dict[str, float]) -> str:
    sign = "" if "share" in numbers else "+"
    shown = "".join(f"{number:{sign}{_NUMBER}.3f}" for number in numbers.values())
    return " " * _NUMBER + shown


def _write_edges(summary: Learnt) -> None:
    """A table of the transitions; with kinds of edge each row says its kind."""
    by = f", by {', '.join(summary.reads)} of the edge between them" if summary.reads else ""
    write_text(f"log potentials from a block (row) to the next (column){by}", bold=True)
    kinds = [tame(edge.kind) for edge in summary.edges]
    width, longest = max(map(len, kinds)), max(map(len, LABEL_NAMES))
    heads = "".join(f"{name:>{_NUMBER}}" for name in LABEL_NAMES)
    write(" " * (4 + width + longest) + heads)
    for kind, edge in zip(kinds, summary.edges, strict=True):
        for label, row in edge.transitions.items():
            shown = "".join(f"{value:>+{_NUMBER}.3f}" for value in row.values())
            write(f"  {kind:<{width}}  {label:<{longest}}{shown}")


# --- victor compare -------------------------------------------------------------------------------

_NAMES: Final = ("A", "B")
_LABEL: Final = max(map(len, LABEL_NAMES))
_BLOCK: Final = 9
_INDENT: Final = _BLOCK + 2 * (2 + _LABEL + 6) + 2
"""Columns before the text: the block, and of each system the label and the probability."""
_LINES: Final = 3  # most lines of a text
_HEAD: Final = (
    "Below, text that they label differently: its block in A, the label that each gives it "
    "with the probability that it is kept, and the text."
)


class _CompareOptions(Trusting, _Told):
    pass


@command(
    "victor compare default crf page.html",
    "victor compare mine.victor kimatu pages/",
    takes=_CompareOptions,
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.argument("pages", nargs=-1, required=True, metavar="[FILE|DIR|URL|-]...")
def compare_command(
    first: str, second: str, pages: tuple[str, ...], options: _CompareOptions
) -> None:
    """Show only the text of pages on which labelers A and B differ, and count it.

    A and B are shipped models, paths of models, labelers that need none, or their configurations.
    """
    named = [CleanerSpec.named(name) for name in (first, second)]
    specs = [replace(spec, trust_code=options.trust_code) for spec in named]
    cleaners = [spec.cleaner() for spec in specs]
    systems = {name: system_name(spec) for name, spec in zip(_NAMES, specs, strict=True)}
    as_json = options.form == "json"
    inputs = expand(pages)
    limit = max(cleaner.limits.bytes for cleaner in cleaners)
    failed: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    if not as_json:
        said = ", ".join(f"{name} is {system}" for name, system in systems.items())
        write_text(f"{said}.", bold=True)
        write_text(_HEAD)
    for page in inputs:
        content = source(page, limit)
        a, b = (next(cleaner.clean_many([content])) for cleaner in cleaners)
        error = a.error or b.error
        if error is not None:
            complain(f"{page.name}: {error}")
            failed[error.reason] += 1
            continue
        differences = compare(a, b)
        for each in differences:
            kinds[each.kind] += 1
            words[each.kind] += len(each.text.split())
            about = {"type": "difference", "page": page.name, "systems": systems}
            if as_json:
                write_record({**about, "text": each.text, "A": each.first, "B": each.second})
        if differences and not as_json:
            _write_table(page.name, differences)
    n_pages = len(inputs) - failed.total()
    if as_json:
        rows = [
            {"A": a, "B": b, "differences": n, "words": words[a, b]}
            for (a, b), n in kinds.most_common()
        ]
        counts = {"type": "counts", "systems": systems, "pages": n_pages}
        write_record({**counts, "differences": kinds.total(), "kinds": rows})
    else:
        _write_counts(kinds, words, n_pages)
    finish(failed, len(inputs))


def _write_table(page: str, differences: Sequence[Difference]) -> None:
    write()
    write_text(page, bold=True)
    sides = "".join(f"  {name:<{_LABEL}} {'keep':>5}" for name in _NAMES)
    write_text("text", start=f"{'block':>{_BLOCK}}{sides}", indent=_INDENT, dim=True)
    for each in differences:
        start = f"{_span(each.first):>{_BLOCK}}{_side(each.first)}{_side(each.second)}"
        write_text(each.text, start=start, indent=_INDENT, lines=_LINES)


def _side(side: Side) -> str:
    label = click.style(f"{side.label:<{_LABEL}}", fg=LABEL_COLOURS[side.label])
    return f"  {label} {1 - side.probabilities['other']:.3f}"


def _span(side: Side) -> str:
    first, last = side.blocks[0], side.blocks[-1]
    return str(first) if first == last else f"{first}-{last}"


def _write_counts(
    kinds: Counter[tuple[str, str]], words: Counter[tuple[str, str]], n_pages: int
) -> None:
    write()
    for (a, b), n in kinds.most_common():
        write(f"{_many(n, 'block')}, {_many(words[a, b], 'word')}: {a} in A, {b} in B")
    are = "differs" if kinds.total() == 1 else "differ"
    write(f"{_many(kinds.total(), 'block')} {are} on {_many(n_pages, 'page')}")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


# --- victor demo ----------------------------------------------------------------------------------


class _DemoOptions(Cleaning):
    output: Path | None = option(
        "-o --output", "File to write.  [default: a temporary one]", NEW_FILE
    )
    no_open: bool = option("--no-open", "Do not open it in the browser.")


@command(
    "victor demo page.html",
    "victor demo https://example.org/ --scope article",
    "victor demo page.html -l density -o page.demo.html --no-open",
    takes=_DemoOptions,
)
@click.argument("page", metavar="FILE|URL|-")
def demo_command(page: str, options: _DemoOptions) -> None:
    """Show what is kept of a page and why, as one HTML file.

    A slider moves the threshold; pointing at a block shows why. The file loads nothing else.
    """
    _, cleaner = options.cleaner(options.spec())
    named, result = cleaned(page, cleaner)
    file = options.output or Path(tempfile.mkdtemp(prefix="victor-")) / f"{named.stem}.demo.html"
    write_bytes(file, result.demo().encode())
    click.echo(f"wrote {file}")
    if not options.no_open:
        webbrowser.open(file.absolute().as_uri())
