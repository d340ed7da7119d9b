"""What a run of a target is told, where it writes, and what all runs were together."""

from __future__ import annotations

import hashlib
import json
import traceback
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple


class Run(NamedTuple):
    """What one run did: how many inputs, in how many seconds, and how they were made."""

    inputs: int
    seconds: float
    how: str


class Options(NamedTuple):
    """A run: its target, its bounds (0 for none), what is drawn at random, and its folder."""

    target: str
    runs: int
    seconds: int
    seed: int
    out: Path

    @property
    def folder(self) -> Path:
        """The folder of this target's findings."""
        return self.out / self.target

    @property
    def corpus(self) -> Path:
        """The folder of inputs that reached something new."""
        return self.folder / "corpus"

    def load(self) -> ModuleType:
        """The module of the target."""
        return import_module(f"fuzz.targets.{self.target}")

    def prepare(self, seeds: list[bytes]) -> None:
        """Make the folders and put the seeds into the corpus."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        for seed in seeds:
            (self.corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)

    @property
    def dictionary(self) -> Path:
        """The file of words that libFuzzer puts into inputs."""
        return self.folder / "dictionary"

    def write_dictionary(self) -> bool:
        """Write the words of the target for libFuzzer; False if it has none."""
        words = getattr(self.load(), "words", list)()
        lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
        self.dictionary.write_text("".join(f'"{line}"\n' for line in lines), encoding="ascii")
        return bool(words)

    def findings(self) -> list[Path]:
        """Files of what was found: of exceptions the traceback, else the input."""
        if not self.folder.is_dir():
            return []
        ended = ("crash-", "timeout-", "oom-", "leak-")
        files = [file for file in self.folder.iterdir() if file.is_file()]
        return sorted(f for f in files if f.suffix == ".txt" or f.name.startswith(ended))

    def keep(self, data: bytes, error: BaseException) -> None:
        """Write an input and what it raised, once for each place that raises."""
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).stem}-{frame.lineno}" for frame in frames[-1:]]
        name = "-".join([type(error).__name__, *places])
        report = self.folder / f"{name}.txt"
        if not report.exists():
            report.with_suffix(".input").write_bytes(data)
            report.write_text("".join(traceback.format_exception(error)), encoding="utf-8")

    def count(self, inputs: int, seconds: float) -> str:
        """Add a run to the log of the target; what all its runs were together, in a line."""
        log = self.folder / "runs.jsonl"
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"inputs": inputs, "seconds": round(seconds)}) + "\n")
        runs = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        n_inputs, hours = sum(r["inputs"] for r in runs), sum(r["seconds"] for r in runs) / 3600
        return (
            f"{len(runs)} runs, {n_inputs} inputs, {hours:.2f} h, {len(self.findings())} findings"
        )
