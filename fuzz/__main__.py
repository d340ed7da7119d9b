"""Feed a target from a fuzzer and print what was found.

    python -m fuzz TARGET --runs 20000
    python -m fuzz TARGET --seconds 14400 --out findings

from the root of the project. Targets are the modules of `fuzz.targets`. Each has

    def seeds() -> list[bytes]: ...      # inputs to begin with, made by code
    def one(data: bytes) -> None: ...    # raises on a finding, and only then

and may have ``MOST_BYTES``, the length of inputs, and ``words()`` to put into them. Where atheris
is installed, libFuzzer goes on from what reached new lines of Python, else mutations are blind.
What a target raises is written to the folder of findings once for each place, as input and as
traceback, and the run goes on; a process that dies, takes more than 120 s for an input or 4 GB of
memory is a finding that ends the run. The inputs that reached something new are kept beside the
findings: the next run goes on from them. `runs.jsonl` there has a line for each run, and what all
of them did is printed.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
from pathlib import Path

from fuzz import blind, guided, targets
from fuzz.run import Options


def main() -> int:
    """Run the target of the command line; 1 if anything was found."""
    options = _options()
    run = guided.fuzz(options) if guided.is_possible() else blind.fuzz(options)
    print(f"{options.target}: {run.inputs} inputs in {run.seconds:.0f} s, {run.how}")
    print(f"in all: {options.count(run.inputs, run.seconds)}")
    for finding in options.findings():
        print(f"finding: {finding}")
    print(f"{len(options.findings())} findings")
    return 1 if options.findings() else 0


def _options() -> Options:
    names = [module.name for module in pkgutil.iter_modules(targets.__path__)]
    parser = argparse.ArgumentParser(
        prog="python -m fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", choices=names)
    parser.add_argument("--runs", type=int, default=0, help="inputs; 0 for no bound")
    parser.add_argument("--seconds", type=int, default=0, help="of wall time; 0 for no bound")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="folder to write")
    given = parser.parse_args()
    if not (given.runs or given.seconds):
        given.runs = 10_000
    return Options(given.target, given.runs, given.seconds, given.seed, given.out.resolve())


if __name__ == "__main__":
    sys.exit(main())
