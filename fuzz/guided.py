"""Runs of a target that libFuzzer guides by coverage of Python lines, through atheris.

libFuzzer ends its process when it is done, so it runs in a process of its own:

    python -m fuzz.guided TARGET RUNS SECONDS SEED OUT
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final

from fuzz.run import Options, Run

_INSTRUMENTED: Final = ["victor"]
_MOST_BYTES: Final = 1 << 16


def is_possible() -> bool:
    """Is atheris here; there are builds of it for Linux and macOS alone."""
    try:
        import_module("atheris")
    except ImportError:
        return False
    return True


def fuzz(options: Options) -> Run:
    """Run it; what libFuzzer says at the end."""
    words = [options.target, options.runs, options.seconds, options.seed, options.out]
    command = [sys.executable, "-m", "fuzz.guided", *map(str, words)]
    options.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with (options.folder / "log").open("wb") as log:
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    text = (options.folder / "log").read_text(encoding="utf-8", errors="replace")
    reached = re.findall(r"#(\d+)\s.*cov: (\d+) ft: (\d+) corp: (\d+)", text)
    done = re.findall(r"Done (\d+) runs in", text)
    if code and not options.findings():
        raise SystemExit(f"the run ended with {code}:\n{text[-2000:]}")
    runs, lines, features, corpus = reached[-1] if reached else ("0", "0", "0", "0")
    how = f"guided by coverage: {lines} edges, {features} features, {corpus} inputs kept"
    return Run(int(done[-1] if done else runs), time.monotonic() - began, how)


def _run(options: Options) -> None:
    """The child: instrument the package, then feed the target until libFuzzer has done."""
    import atheris

    with atheris.instrument_imports(include=_INSTRUMENTED, enable_loader_override=False):
        target = options.load()
        seeds = target.seeds()
        for seed in seeds:  # what the package imports when it is first used is instrumented, too
            target.one(seed)
    options.prepare(seeds)

    def one(data: bytes) -> None:
        try:
            target.one(data)
        except Exception as error:  # a finding, and the run goes on
            options.keep(data, error)

    bounds = [f"-dict={options.dictionary}"] if options.write_dictionary() else []
    bounds += [f"-runs={options.runs}"] if options.runs else []
    bounds += [f"-max_total_time={options.seconds}"] if options.seconds else []
    most = getattr(target, "MOST_BYTES", _MOST_BYTES)
    settings = [f"-seed={options.seed}", f"-max_len={most}", "-timeout=120", "-rss_limit_mb=4096",
                "-report_slow_units=1000000", f"-artifact_prefix={options.folder}/"]  # fmt: skip
    atheris.Setup([sys.argv[0], *settings, *bounds, str(options.corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    name, runs, seconds, seed, out = sys.argv[1:]
    _run(Options(name, int(runs), int(seconds), int(seed), Path(out)))
