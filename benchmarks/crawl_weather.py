"""Crawls under bad weather: damaged archives and disturbed runs; what was lost (exit 1), what not.

    python benchmarks/crawl_weather.py [--records 300] [--pages FOLDER] [--moments 3] [--jobs 2]
                                       [--seed 1] [--bomb 400] [--only WORD]

A WARC is made of pages that are written by code, or of the HTML files of a folder, and cleaned by
the default model. Then

- every tenth record is damaged, in one way at a time (`tests/hostile/archives`), and the
  file is cleaned in small ranges. Every other record has to give the bytes that it gave before;
  each damaged one is written, or dropped or failed by name.
- a small file unpacks to very much, by one coding in one container at a time
  (`benchmarks/weather/bombs.py`; `--only bomb:` does nothing else). No process may take more memory
  than it is given, its neighbours have to give the bytes that they give without it, and it has to
  be named.
- a run over a file with all these damages is disturbed (`benchmarks/weather/storms.py`) and started
  again. All its files have to have the bytes of the undisturbed run; storms at random moments are
  repeated.

To fill a disk and to make it read-only takes the right to mount; without it these two are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile.archives.damages import FILES, RECORDS
from hostile.archives.records import Page, made_up, packed, record, taken
from weather.accounts import Account, account, rows
from weather.bombs import blasted, bombs
from weather.runs import Peaks, Runs, watched, written
from weather.storms import STORMS, Sky

EVERY = 10
N_NEIGHBOURS = 6
MEMORY = 1_000
"""MB that a worker or reader may hold while a bomb is read."""
MOST_OF_RUN = 300
"""MB of the process that runs the crawl."""


def main() -> None:
    """Command line."""
    arguments = _arguments()
    folder, n = arguments.pages, arguments.records
    pages = [*(taken(folder, n) if folder else made_up(n, arguments.seed))]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="weather-") as scratch:
        lost = _damages(arguments, pages, Path(scratch))
        lost += _bombs(arguments, pages[:N_NEIGHBOURS], Path(scratch))
        lost += _storms(arguments, pages, Path(scratch))
    print(f"\nlost or other: {lost}; {time.monotonic() - begun:.0f} s")
    sys.exit(lost > 0)


def _damages(arguments: argparse.Namespace, pages: Sequence[Page], scratch: Path) -> int:
    """Clean the file once for each kind of damage; returns how many records were lost."""
    if not any(arguments.only in name for name in (*RECORDS, *FILES)):
        return 0
    source, sound = scratch / "in.warc.gz", [packed(record(page)) for page in pages]
    runs = Runs([source], arguments.jobs, part_records=100)
    source.write_bytes(b"".join(sound))
    runs.done(scratch / "sound")
    wanted = rows(scratch / "sound")
    print(f"{len(pages)} records, {sum(map(len, sound)):,} bytes, {len(wanted)} rows\n")
    print("| damage | undamaged: of them the same bytes | damaged: what became of them | lost "
          "| MB of the run | MB below it |\n|---|--:|---|--:|--:|--:|")  # fmt: skip
    lost = 0
    for name, content, starts, damaged in _damaged_files(arguments, pages, sound):
        source.write_bytes(content)
        out = scratch / "out" / name
        with runs.start(out) as running:
            peaks = watched(running)
        result = account(out, pages, starts, damaged, wanted)
        lost += len(result.lost)
        _show(name, result, len(pages) - len(damaged), peaks)
    return lost


def _damaged_files(
    arguments: argparse.Namespace, pages: Sequence[Page], sound: Sequence[bytes]
) -> Iterator[tuple[str, bytes, list[int], set[int]]]:
    """Name, bytes, starts of the records and numbers of the damaged ones, for each kind."""
    for name, damage in RECORDS.items():
        if arguments.only in name:
            luck = random.Random(f"{name} {arguments.seed}")
            damaged = {*range(EVERY // 2, len(pages), EVERY)}
            stored = [
                damage(page, luck) if page.number in damaged else whole
                for page, whole in zip(pages, sound, strict=True)
            ]
            yield name, b"".join(stored), _starts(stored), damaged
    for name, damage_file in FILES.items():
        if arguments.only in name:
            content = damage_file(sound, random.Random(arguments.seed))
            yield name, content, _starts(sound), {len(pages) - 1}


def _starts(stored: Sequence[bytes]) -> list[int]:
    return [0, *accumulate(map(len, stored))][:-1]


def _show(name: str, result: Account, undamaged: int, peaks: Peaks) -> None:
    became = ", ".join(f"{reason} {n}" for reason, n in sorted(result.outcomes.items()))
    counts = f"{result.whole} of {undamaged} | {became} | {len(result.lost)}"
    print(f"| {name} | {counts} | {peaks.run} | {peaks.below} |", flush=True)
    for line in result.lost[:3]:
        print(f"  LOST: {line}")


def _bombs(arguments: argparse.Namespace, pages: Sequence[Page], scratch: Path) -> int:
    """Clean small files that unpack to very much; returns how many cost too much or did harm."""
    cases = [case for case in bombs(arguments.bomb) if arguments.only in case.name]
    if not cases:
        return 0
    print(f"\nBombs of {arguments.bomb} MB among {len(pages)} pages, --memory {MEMORY}\n")
    print("| bomb | bytes | MB of the run | MB below it | what became of it | neighbours the same "
          "|\n|---|--:|--:|--:|---|---|")  # fmt: skip
    failed, sound = 0, {}
    for case in cases:
        folder = scratch / "bombs"
        folder.mkdir(exist_ok=True)
        with case.container(folder, pages, case.bomb()) as (inputs, size):
            result = blasted(Runs(inputs, arguments.jobs, 100, MEMORY), folder / "out")
        if case.container not in sound:
            with case.container(folder, pages, None) as (inputs, _):
                sound[case.container] = blasted(Runs(inputs, arguments.jobs, 100), folder / "out")
        same = {*sound[case.container].rows} <= {*result.rows}
        told = [*result.told, *["written"] * (len(result.rows) - len(sound[case.container].rows))]
        peaks = result.peaks
        failed += not (same and told and peaks.run <= MOST_OF_RUN and peaks.below <= MEMORY)
        print(f"| {case.name} | {size:,} | {peaks.run} | {peaks.below} | "
              f"{', '.join(told) or 'NOTHING TELLS'} | {'yes' if same else 'NO'} |",
              flush=True)  # fmt: skip
    return failed


def _storms(arguments: argparse.Namespace, pages: Sequence[Page], scratch: Path) -> int:
    """Disturb runs over a file with all damages; returns how many ended otherwise."""
    if not any(arguments.only in name for name in STORMS):
        return 0
    source, luck = scratch / "all.warc.gz", random.Random(arguments.seed)
    kinds = [
        damage for name, damage in RECORDS.items() if "bomb" not in name and "5 MB" not in name
    ]
    stored = [
        kinds[page.number // 4 % len(kinds)](page, luck)
        if page.number % 4 == 0
        else packed(record(page))
        for page in pages
    ]
    source.write_bytes(b"".join(stored))
    runs = Runs([source], arguments.jobs, part_records=max(5, len(pages) // 20))
    runs.done(scratch / "undisturbed")
    wanted = written(scratch / "undisturbed")
    count = sum(name.startswith("data/part-") for name in wanted)
    print(f"\n{len(stored)} records, every fourth damaged; {count} parts, {len(wanted)} files\n")
    print("| weather | what happened | the same bytes in the end |\n|---|---|---|")
    sky, failed = Sky(runs, scratch / "storms", wanted, count, luck), 0
    for name, storm in STORMS.items():
        if arguments.only not in name:
            continue
        repeated = " gets " in name
        for _ in range(arguments.moments if repeated else 1):
            try:
                seen, is_same = storm(sky)
            except PermissionError as error:
                print(f"| {name} | not tried: {error} | |", flush=True)
                continue
            failed += not is_same
            print(f"| {name} | {seen} | {'yes' if is_same else 'NO'} |", flush=True)
    return failed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=300)
    parser.add_argument("--pages", type=Path, help="folder of HTML files to be taken instead")
    parser.add_argument("--moments", type=int, default=3, help="how often random storms come")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bomb", type=int, default=400, help="MB that a bomb unpacks to")
    parser.add_argument("--only", default="", help="only cases whose name has this in it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
