"""Cost of every form of output in bare lxml parses, of this tree and of an earlier one.

    python benchmarks/forms.py CORPUS [--pages 150] [--rounds 5] [--before CHECKOUT]

CORPUS is an unpacked annotated corpus (``html/``, ``gold.jsonl``). Every tree runs in a child of
its own, all on one core; trees and forms take turns batch by batch, the order rotating, so that
all of them see the same machine. A batch is cleaned anew for every form, and only then is the form
made: what forms share is counted in each. Process time, garbage collector off; of the rounds the
median and the least. What counts are the ratios to the bare parse of the same run.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

PARSE: Final = "lxml parse"
CLEAN: Final = "clean"
FORMS: Final = "text markdown html records cleaneval article json tei xml".split()
PARTS: Final = ["metadata", "blocks"]
"""What is read of a result rather than rendered."""
BATCH: Final = 8


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print one table, or be the child of a run."""
    arguments = _arguments(argv)
    if arguments.worker:
        _work(_pages(arguments.corpus, arguments.pages))
        return
    trees = {"now": Path(__file__).parents[1]}
    if arguments.before is not None:
        trees["before"] = arguments.before.resolve()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(_table(trees, _measured(trees, arguments), arguments.pages))


def _measured(
    trees: dict[str, Path], arguments: argparse.Namespace
) -> dict[tuple[str, str], list[float]]:
    """Seconds of every round, by tree and what was run."""
    from peers.processes import Child

    command = [sys.executable, __file__, str(arguments.corpus), "--worker"]
    command += ["--pages", str(arguments.pages)]
    with ExitStack() as stack:
        children = {
            name: stack.enter_context(Child(command, {"PYTHONPATH": str(tree)}))
            for name, tree in trees.items()
        }
        for child in children.values():
            child.start()
        turns = [(name, run) for name in trees for run in children[name].about["runs"]]
        times = {turn: [0.0] * arguments.rounds for turn in turns}
        for name, run in turns:  # modules load, caches fill
            children[name].ask({"run": run, "first": 0}, _SECONDS)
        for number in range(arguments.rounds):
            for first in range(0, children["now"].about["pages"], BATCH):
                for name, run in _rotated(turns, number + first // BATCH):
                    answer = children[name].ask({"run": run, "first": first}, _SECONDS)
                    times[name, run][number] += answer["seconds"]
    return times


_SECONDS: Final = 300.0


def _rotated(turns: list[tuple[str, str]], shift: int) -> list[tuple[str, str]]:
    shift %= len(turns)
    return turns[shift:] + turns[:shift]


def _table(trees: dict[str, Path], times: dict[tuple[str, str], list[float]], n_pages: int) -> str:
    n_rounds = len(next(iter(times.values())))
    lines = [
        f"{n_pages} pages, {n_rounds} rounds; in bare lxml parses, median (least) of the rounds.",
        "",
        f"| | {' | '.join(trees)} |",
        "|---|" + "--:|" * len(trees),
    ]
    for run in dict.fromkeys(run for _, run in times):
        cells = [_cell(times, name, run) for name in trees]
        lines.append(f"| {run} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(times: dict[tuple[str, str], list[float]], name: str, run: str) -> str:
    if (name, run) not in times:
        return "–"
    rounds, parses = times[name, run], times[name, PARSE]
    if run == PARSE:
        return f"{statistics.median(rounds):.2f} s"
    median = statistics.median(rounds) / statistics.median(parses)
    return f"{median:.2f} ({min(rounds) / min(parses):.2f})"


def _work(pages: Sequence[Any]) -> None:
    """Answer requests with seconds of process time."""
    from victor.api import load_cleaner

    runs = _runs(load_cleaner())
    print(json.dumps({"runs": list(runs), "pages": len(pages)}), flush=True)
    gc.disable()
    for line in sys.stdin:
        request = json.loads(line)
        batch = pages[request["first"] : request["first"] + BATCH]
        seconds = runs[request["run"]](batch)
        gc.collect()
        print(json.dumps({"seconds": seconds}), flush=True)


def _runs(cleaner: Any) -> dict[str, Callable[[Sequence[Any]], float]]:
    """What can be timed in this tree."""
    from victor.errors import ConfigError
    from victor.render import renderer

    def clean(batch: Sequence[Any]) -> float:
        return _timed(lambda: list(cleaner.clean_many(batch)))[1]

    _check(next(iter(cleaner.clean_many(["<p>A page to see that this tree works.</p>"]))))
    runs: dict[str, Callable[[Sequence[Any]], float]] = {PARSE: _parse, CLEAN: clean}
    for form in FORMS:
        try:
            renderer(form)
        except ConfigError:  # this tree has no such form
            continue
        runs[form] = _after_cleaning(cleaner, lambda result, form=form: result.render(form))
    for part in PARTS:
        runs[part] = _after_cleaning(cleaner, lambda result, part=part: getattr(result, part))
    return runs


def _check(result: Any) -> None:
    """A tree whose pages fail would be the fastest of all.

    Raises:
        VictorError: what went wrong.
    """
    if result.error is not None:
        raise result.error


def _after_cleaning(
    cleaner: Any, make: Callable[[Any], object]
) -> Callable[[Sequence[Any]], float]:
    def run(batch: Sequence[Any]) -> float:
        results = list(cleaner.clean_many(batch))
        return _timed(lambda: [make(result) for result in results])[1]

    return run


def _parse(batch: Sequence[Any]) -> float:
    from lxml import etree

    def parse() -> None:
        for source in batch:
            etree.fromstring(source.page, etree.HTMLParser(encoding="utf-8", huge_tree=True))

    return _timed(parse)[1]


def _timed(run: Callable[[], object]) -> tuple[object, float]:
    started = time.process_time()
    made = run()
    return made, time.process_time() - started


def _pages(corpus: Path, count: int) -> list[Any]:
    from victor.page.source import Source

    rows = [json.loads(line) for line in (corpus / "gold.jsonl").open(encoding="utf-8")]
    rows = sorted(rows, key=lambda row: row["id"])
    chosen = random.Random(1).sample(rows, min(count, len(rows)))
    pages = [((corpus / "html" / f"{row['id']}.html").read_bytes(), row["url"]) for row in chosen]
    # Pages that nothing can be parsed from would make the bare parse raise.
    return [Source(page, url) for page, url in pages if page.strip()]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpus", type=Path, metavar="CORPUS")
    add("--pages", type=int, default=150, metavar="N")
    add("--rounds", type=int, default=5, metavar="N")
    add("--before", type=Path, metavar="CHECKOUT", help="another tree of Victor")
    add("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
