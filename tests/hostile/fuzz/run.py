"""What a run of a target is told, and where it writes."""

from __future__ import annotations

import hashlib
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


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

    def load(self) -> Any:
        """The module of the target."""
        return import_module(f"tests.hostile.fuzz.targets.{self.target}")

    def prepare(self, seeds: list[bytes]) -> None:
        """Make the folders and put the seeds into the corpus."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        for seed in seeds:
            (self.corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)

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
