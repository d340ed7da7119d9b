"""Clean pages with datatrove: JSON lines in and out, shared by tasks of one or many machines.

    python datatrove_clean.py pages/ clean/ --html-column html --tasks 64 --workers 8

datatrove gives every page a process and a time limit. `WarcReader` in place of `JsonlReader` reads
WARC files.
"""

from __future__ import annotations

import argparse

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter

from victor.crawl import CrawlSpec
from victor.crawl.datatrove import VictorExtractor


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", help="folder of JSON lines")
    parser.add_argument("out", help="folder to write")
    parser.add_argument("--html-column", default="html", help="key of the pages")
    parser.add_argument("--model", default="default", help="a shipped model, or path of one")
    parser.add_argument("--tasks", type=int, default=1, help="parts of the work")
    parser.add_argument("--workers", type=int, default=1, help="tasks at once")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Read, clean, write what was kept."""
    options = parsed(arguments)
    extractor = VictorExtractor(CrawlSpec(model=options.model), timeout=60)
    reader = JsonlReader(options.pages, text_key=options.html_column)
    steps = [reader, extractor, JsonlWriter(options.out, compression=None)]
    LocalPipelineExecutor(
        steps, tasks=options.tasks, workers=options.workers, logging_dir=f"{options.out}/logs"
    ).run()


if __name__ == "__main__":
    main()
