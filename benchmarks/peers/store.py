"""Texts and times of systems on disk, so that tables need no new run.

A folder per corpus holds ``<system>.json``, texts by page identifier, ``run.json``: versions and
failures of the systems, reasons of the missing ones, data hash, machine, date; and ``rouge.json``,
the one measure that takes long. Times are in ``speed.json`` beside the folders.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from peers.runs import Run, Times
from victor.files import write_bytes

_NOT_TEXTS: Final = ("run.json", "rouge.json")


def save_run(folder: Path, name: str, run: Run) -> None:
    """Keep what a system made of a corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / f"{name}.json", run.texts)
    about = read_about(folder)
    about.setdefault("missing", {}).pop(name, None)
    about.setdefault("systems", {})[name] = {**run.about, "failures": run.failures}
    _write(folder / "run.json", about)


def save_missing(folder: Path, name: str, reason: str) -> None:
    """Keep why a system could not run, unless it did before."""
    about = read_about(folder)
    if name not in about.setdefault("systems", {}):
        about.setdefault("missing", {})[name] = reason
        save_about(folder, **about)


def save_about(folder: Path, **values: Any) -> None:
    """Add to what is known of a corpus's run."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "run.json", {**read_about(folder), **values})


def read_about(folder: Path) -> dict[str, Any]:
    """What is known of a corpus's run; nothing before the first."""
    path = folder / "run.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def read_runs(folder: Path) -> dict[str, Run]:
    """What all systems made of a corpus, by name."""
    runs = {}
    about = read_about(folder).get("systems", {})
    for path in sorted(folder.glob("*.json")):
        if path.name not in _NOT_TEXTS:
            about_system = dict(about.get(path.stem, {}))
            failures = about_system.pop("failures", {})
            runs[path.stem] = Run(
                json.loads(path.read_text(encoding="utf-8")), failures, about_system
            )
    return runs


def read_rouge(folder: Path) -> dict[str, float]:
    """Values of ROUGE that were found before (see `peers.scores.score`)."""
    path = folder / "rouge.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def save_rouge(folder: Path, known: dict[str, float]) -> None:
    """Keep values of ROUGE."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "rouge.json", known)


def save_speed(
    folder: Path, times: dict[str, Times], missing: dict[str, str], about: dict[str, Any]
) -> None:
    """Keep times."""
    folder.mkdir(parents=True, exist_ok=True)
    rounds = {name: asdict(value) for name, value in times.items()}
    _write(folder / "speed.json", {"times": rounds, "missing": missing, **about})


def read_speed(folder: Path) -> tuple[dict[str, Times], dict[str, str], dict[str, Any]] | None:
    """Times, missing systems and the rest, if there was a run."""
    path = folder / "speed.json"
    if not path.is_file():
        return None
    about = json.loads(path.read_text(encoding="utf-8"))
    times = {name: Times(**value) for name, value in about.pop("times").items()}
    return times, about.pop("missing"), about


def machine() -> str:
    """Processor, cores and Python, as tables name them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{_processor()}, {cores} cores, Python {platform.python_version()}"


def today() -> str:
    """The date of a run."""
    return datetime.now(UTC).date().isoformat()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _write(path: Path, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    write_bytes(path, text.encode("utf-8", "surrogatepass"))
