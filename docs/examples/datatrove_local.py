"""Clean a crawl on one machine by datatrove's local executor.

    python datatrove_local.py /crawl/*.warc.gz --out /corpus --tasks 64 --workers 8

Run again, it does the tasks that did not end. `victor crawl --jobs 8` does the same with one
order of documents and one run.json; this is for pipelines that have further steps.
"""

from __future__ import annotations

import argparse

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers.jsonl import JsonlWriter

from victor.config import load
from victor.crawl.datatrove import VictorReader, VictorStep
from victor.crawl.documents.cleaner_spec import System
from victor.sources import ReadOptions


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", help="files, folders, patterns, URLs, @lists")
    parser.add_argument("--out", required=True, help="folder of the corpus")
    parser.add_argument("--tasks", type=int, default=1, help="shares of the inputs")
    parser.add_argument("--workers", type=int, default=1, help="tasks that run at a time")
    parser.add_argument("--config", help="configuration whose filter, limits and decision hold")
    parser.add_argument("--model", help="shipped model or path of one")
    return parser.parse_args(arguments)


def executor(said: argparse.Namespace) -> LocalPipelineExecutor:
    """The pipeline with what runs it."""
    system = System(model=said.model).configured(load(said.config))
    reading = ReadOptions(max_bytes=system.cleaner().limits.bytes)
    pipeline = [
        VictorReader(said.inputs, reading, exclusion_writer=JsonlWriter(f"{said.out}/damaged")),
        VictorStep(system, exclusion_writer=JsonlWriter(f"{said.out}/dropped")),
        JsonlWriter(f"{said.out}/texts", expand_metadata=True),
    ]
    return LocalPipelineExecutor(
        pipeline, tasks=said.tasks, workers=said.workers, logging_dir=f"{said.out}/logs"
    )


if __name__ == "__main__":
    executor(parsed()).run()
