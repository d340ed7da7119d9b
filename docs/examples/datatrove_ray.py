"""Clean a crawl on a Ray cluster by datatrove.

    python datatrove_ray.py @warcs.txt --out /shared/corpus --tasks 1000 --address auto

Paths must be absolute and those of a file system that all nodes share, or URLs that fsspec knows.
Without --address Ray is started on this machine. Needs `pip install ray`.
"""

from __future__ import annotations

import argparse

from datatrove.executor import RayPipelineExecutor
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
    parser.add_argument("--address", help="of the Ray cluster, e.g. auto")
    parser.add_argument("--gigabytes", type=float, default=3, help="memory of a task")
    parser.add_argument("--config", help="configuration whose filter, limits and decision hold")
    parser.add_argument("--model", help="shipped model or path of one")
    return parser.parse_args(arguments)


def executor(said: argparse.Namespace) -> RayPipelineExecutor:
    """The pipeline with what runs it."""
    system = System(model=said.model).configured(load(said.config))
    reading = ReadOptions(max_bytes=system.cleaner().limits.bytes)
    pipeline = [
        VictorReader(said.inputs, reading, exclusion_writer=JsonlWriter(f"{said.out}/damaged")),
        VictorStep(system, exclusion_writer=JsonlWriter(f"{said.out}/dropped")),
        JsonlWriter(f"{said.out}/texts", expand_metadata=True),
    ]
    return RayPipelineExecutor(
        pipeline,
        tasks=said.tasks,
        workers=said.workers,
        mem_per_cpu_gb=said.gigabytes,
        logging_dir=f"{said.out}/logs",
    )


if __name__ == "__main__":
    import ray

    options = parsed()
    ray.init(address=options.address)
    executor(options).run()
