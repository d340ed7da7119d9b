"""Run tests against one change, each time in a process that is forked and so starts at once.

The parent imports the libraries and nothing of the tree. A child imports the changed module from
memory, so that no file is written. Tests that enter the changed function run first, then those
that enter its file, quick ones before slow ones; others cannot notice the change.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path

import hypothesis  # noqa: F401  (imported here once, for all children, as are lxml, numpy and yaml)
import lxml.html  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import yaml  # noqa: F401

from .changes import Change, compiled

OPTIONS = (
    *("-q", "-x", "-p", "no:cacheprovider"),
    *(
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ),  # of hypothesis, which is imported already
)
SPARE_SECONDS = 20
"""CPU time beyond that of the tests: a change that makes them run on for ever has been noticed."""
MOST_WAITING = 900
"""Seconds until a child that waits for ever is ended, too."""


class Recorder:
    """Notes for each test its CPU time and the functions that it enters, as file and first line."""

    def __init__(self):
        self.by_test: dict[str, tuple[float, list[tuple[str, int]]]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        entered, start, tree = set(), time.process_time(), os.getcwd()

        def note(frame, event, argument):
            if frame.f_code.co_filename.startswith(tree):
                entered.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        sys.settrace(note)
        result = yield
        sys.settrace(None)
        self.by_test[item.nodeid] = time.process_time() - start, list(entered)
        return result


class Sorter:
    """Keeps the tests that have a rank, in the order of these."""

    def __init__(self, ranks: dict[str, tuple[bool, float]]):
        self.ranks = ranks

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid in self.ranks]
        items.sort(key=lambda item: self.ranks[item.nodeid])


def recorded(tests: list[str]):
    """By the name of each test: its CPU time and the functions that it enters."""
    with tempfile.NamedTemporaryFile() as file:

        def record() -> int:
            recorder = Recorder()
            status = pytest.main([*OPTIONS, *tests], [recorder])
            Path(file.name).write_text(json.dumps(recorder.by_test), encoding="utf-8")
            return status

        if os.waitpid(forked(record), 0)[1]:
            raise SystemExit(f"{' '.join(tests)}: a test fails before anything is changed")
        by_test = json.loads(Path(file.name).read_text(encoding="utf-8"))
    return {name: (seconds, set(map(tuple, calls))) for name, (seconds, calls) in by_test.items()}


def started(change: Change, by_test) -> int:
    """Begin to run tests against a change; the process ends with 0 if they all pass."""
    file = os.path.abspath(change.path)
    entering = [name for name, (_, calls) in by_test.items() if file in dict(calls)] or by_test
    ranks = {
        name: ((file, change.function) not in by_test[name][1], by_test[name][0])
        for name in entering
    }
    files = list(dict.fromkeys(name.partition("::")[0] for name in ranks))
    limit = int(sum(seconds for seconds, _ in by_test.values())) + SPARE_SECONDS

    def run() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        signal.alarm(MOST_WAITING)
        sys.dont_write_bytecode = True
        code = compiled(change, Path(file).read_text(encoding="utf-8"), file)
        of_file = SourceFileLoader.get_code
        SourceFileLoader.get_code = lambda loader, name: (
            code if loader.path == file else of_file(loader, name)
        )
        return pytest.main([*OPTIONS, *files], [Sorter(ranks)])

    return forked(run)


def forked(run: Callable[[], int]) -> int:
    """A process of its own that runs a function and ends with its status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.setsid()
            for stream in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
            status = int(run())
        finally:
            os._exit(status)
    return pid
