"""Clean a crawl on a Slurm cluster by datatrove: one array job, one task a core.

    python datatrove_slurm.py @warcs.txt --out /shared/corpus --tasks 1000 --partition cpu \
        --time 24:00:00 --workers 200

Paths must be those of a file system that all nodes share, or URLs that fsspec knows. Run again on
the same inputs, it submits the tasks that did not end.
"""

from __future__ import annotations

import argparse

from datatrove.executor import SlurmPipelineExecutor
from datatrove.pipeline.writers.jsonl import JsonlWriter

from victor.config import load
from victor.crawl.datatrove import VictorReader, VictorStep
from victor.crawl.documents.cleaner_spec import System
from victor.sources import ReadOptions


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", help="files, folders, patterns, URLs, @lists")
    parser.add_argument(
        "--out", required=True, help="folder of the corpus, on a shared file system"
    )
    parser.add_argument("--tasks", type=int, required=True, help="shares of the inputs")
    parser.add_argument("--workers", type=int, default=-1, help="tasks at a time; -1: all")
    parser.add_argument("--partition", required=True, help="Slurm's name of the partition")
    parser.add_argument("--qos", default="normal", help="Slurm's quality of service")
    parser.add_argument("--time", required=True, help="limit of a task, e.g. 24:00:00")
    parser.add_argument("--gigabytes", type=int, default=3, help="memory of a task")
    parser.add_argument("--venv", help="script that activates the environment, on all nodes")
    parser.add_argument("--config", help="configuration whose filter, limits and decision hold")
    parser.add_argument("--model", help="shipped model or path of one")
    return parser.parse_args(arguments)


def executor(said: argparse.Namespace) -> SlurmPipelineExecutor:
    """The pipeline with what runs it."""
    system = System(model=said.model).configured(load(said.config))
    reading = ReadOptions(max_bytes=system.cleaner().limits.bytes)
    pipeline = [
        VictorReader(said.inputs, reading, exclusion_writer=JsonlWriter(f"{said.out}/damaged")),
        VictorStep(system, exclusion_writer=JsonlWriter(f"{said.out}/dropped")),
        JsonlWriter(f"{said.out}/texts", expand_metadata=True),
    ]
    return SlurmPipelineExecutor(
        pipeline,
        tasks=said.tasks,
        workers=said.workers,
        partition=said.partition,
        qos=said.qos,
        time=said.time,
        mem_per_cpu_gb=said.gigabytes,
        venv_path=said.venv,
        job_name="victor",
        mail_type="NONE",
        logging_dir=f"{said.out}/logs",
    )


if __name__ == "__main__":
    executor(parsed()).run()
