"""Clean a crawl by datatrove: on this machine, on a Slurm cluster or on a Ray cluster.

    python datatrove_crawl.py local /crawl/*.warc.gz --out /corpus --tasks 64 --workers 8
    python datatrove_crawl.py slurm @warcs.txt --out /shared/corpus --tasks 1000 --partition cpu \
        --time 24:00:00 --workers 200
    python datatrove_crawl.py ray @warcs.txt --out /shared/corpus --tasks 1000 --address auto

Run again on the same inputs, it does the tasks that did not end. On a cluster, paths must be on a
file system that all nodes share (for Ray absolute), or URLs that fsspec knows.

- local: `victor crawl --jobs 8` does the same with one order of documents and one run.json; use
  this in pipelines that have further steps.
- slurm: submits an array job with one core for each task.
- ray: needs `pip install ray`; without --address it starts Ray on this machine.
"""

from __future__ import annotations

import argparse

from datatrove.executor import LocalPipelineExecutor, RayPipelineExecutor, SlurmPipelineExecutor
from datatrove.executor.base import PipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers.jsonl import JsonlWriter

from victor.crawl import CrawlSpec, ReadOptions
from victor.crawl.datatrove import VictorReader, VictorStep


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    every = argparse.ArgumentParser(add_help=False)
    every.add_argument("inputs", nargs="+", help="files, folders, patterns, URLs, @lists")
    every.add_argument("--out", required=True, help="folder of the corpus")
    every.add_argument("--config", help="configuration whose filter, limits and decision hold")
    every.add_argument("--model", help="name of a shipped model, or path of one")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    executors = parser.add_subparsers(dest="executor", required=True)
    local = executors.add_parser("local", parents=[every])
    local.add_argument("--tasks", type=int, default=1, help="shares of the inputs")
    local.add_argument("--workers", type=int, default=1, help="tasks that run at a time")
    slurm = executors.add_parser("slurm", parents=[every])
    slurm.add_argument("--partition", required=True, help="Slurm's name of the partition")
    slurm.add_argument("--qos", default="normal", help="Slurm's quality of service")
    slurm.add_argument("--time", required=True, help="limit of a task, e.g. 24:00:00")
    slurm.add_argument("--venv", help="script that activates the environment, on all nodes")
    ray = executors.add_parser("ray", parents=[every])
    ray.add_argument("--address", help="of the Ray cluster, e.g. auto")
    for cluster, number in ((slurm, int), (ray, float)):
        cluster.add_argument("--tasks", type=int, required=True, help="shares of the inputs")
        cluster.add_argument("--workers", type=int, default=-1, help="tasks at a time; -1: all")
        cluster.add_argument("--gigabytes", type=number, default=3, help="memory of a task")
    return parser.parse_args(arguments)


def pipeline(options: argparse.Namespace) -> list[PipelineStep]:
    """Read, clean, write."""
    spec = CrawlSpec(model=options.model).configured(options.config)
    reading = ReadOptions(max_bytes=spec.cleaner().limits.bytes)
    out = options.out
    return [
        VictorReader(options.inputs, reading, exclusion_writer=JsonlWriter(f"{out}/damaged")),
        VictorStep(spec, exclusion_writer=JsonlWriter(f"{out}/dropped")),
        JsonlWriter(f"{out}/texts", expand_metadata=True),
    ]


def executor(options: argparse.Namespace) -> PipelineExecutor:
    """The pipeline with what runs it."""
    steps = pipeline(options)
    common = {
        "tasks": options.tasks,
        "workers": options.workers,
        "logging_dir": f"{options.out}/logs",
    }
    if options.executor == "local":
        return LocalPipelineExecutor(steps, **common)
    common["mem_per_cpu_gb"] = options.gigabytes
    if options.executor == "ray":
        return RayPipelineExecutor(steps, **common)
    return SlurmPipelineExecutor(
        steps,
        **common,
        partition=options.partition,
        qos=options.qos,
        time=options.time,
        venv_path=options.venv,
        job_name="victor",
        mail_type="NONE",
    )


if __name__ == "__main__":
    chosen = parsed()
    if chosen.executor == "ray":
        import ray

        ray.init(address=chosen.address)
    executor(chosen).run()
