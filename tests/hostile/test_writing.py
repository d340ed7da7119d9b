"""Whatever happens while a command writes, the old file is there or the new one, never half.

That nothing is written but by `base.files` is tested in `tests/test_files.py`; here commands of
each kind meet faults at every event of their writing, each in a process of its own.
"""

import errno
import io
import os
import shutil
import signal
import sys

import pytest

from victor import cli

pytest.importorskip("resource")  # the faults are those of POSIX systems
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of forks with threads
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere forks may not go on"),
]
COMMANDS = {
    "a file": "clean {in}/pages/a.html -l kimatu -o {out}/clean",
    "a folder of files": "normalize {in}/pages -o {out}",
    "a log": "clean {in}/pages -l kimatu -f sentences --log {out}/log.jsonl",
    "a corpus": "align {in}/gold -o {out}/deep/corpus",
}
WHOLE = {"a corpus"}
"""All that these write appears at once."""
AT_MOST = 6
"""Events of a command at which each fault happens; of more, some from the first to the last."""


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("writing") / "in"
    (folder / "pages" / "deep").mkdir(parents=True)
    for name in ("a", "deep/b"):
        text = f"<h1>On bees</h1><p>Bees live in colonies, and so do ants and wasps.<p>{name}"
        (folder / f"pages/{name}.html").write_text(text)
    (folder / "gold" / "html").mkdir(parents=True)
    for name in "abc":
        (folder / f"gold/html/{name}.html").write_text(f"<p>Bees live in colonies.<p>{name}")
    rows = [f'{{"id": "{name}", "text": "Bees live in colonies."}}' for name in "abc"]
    (folder / "gold" / "gold.jsonl").write_text("\n".join(rows))
    return folder


class Events:
    """Counts what is written, given its name and made lasting; at one of these something happens.

    Args:
        at: the number of the event; none if nothing happens.
        kind: ``kill`` or ``error``.
        total: file for the number of all events.
    """

    def __init__(self, at=None, kind="kill", total=None):
        self.at, self.kind, self.total, self.count = at, kind, total, 0

    def arm(self):
        """Watch this process."""
        for name, number in (("replace", errno.EACCES), ("fsync", errno.EIO)):
            setattr(os, name, self.watched(getattr(os, name), number))
        plain = io.open

        def watched_open(file, mode="r", *more, **options):
            if "x" not in mode:
                return plain(file, mode, *more, **options)
            return io.BufferedWriter(Watched(self, file, mode.replace("b", "")))

        io.open = watched_open

    def watched(self, act, number):
        def acted(*arguments, **options):
            self.happen(number)
            return act(*arguments, **options)

        return acted

    def happen(self, number):
        self.count += 1
        if self.count - 1 == self.at:
            if self.kind == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(number, os.strerror(number))


class Watched(io.FileIO):
    def __init__(self, events, *arguments):
        super().__init__(*arguments)
        self._events = events

    def write(self, data):
        half = len(data) // 2 if self._events.count == self._events.at else len(data)
        written = super().write(memoryview(data)[:half])
        self._events.happen(errno.ENOSPC)
        return written


def run(call, events, folder):
    """Run a command in a copy of this process; its exit status, and what it says."""
    said = folder / "said"
    process = os.fork()
    if process == 0:
        status = 99
        try:
            output = os.open(said, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
            os.dup2(output, 1)
            os.dup2(output, 2)
            sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), write_through=True)
            sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), write_through=True)
            sys.argv = ["victor", *call.split()]
            events.arm()
            cli.main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        finally:
            (folder / "total").write_text(str(events.count))
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status, said.read_text()


def contents(folder):
    """Files by their names, without what is still being written."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if ".unfinished-" not in name}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_leaves_the_old_or_the_new(name, inputs, tmp_path):
    out = tmp_path / "out"
    call = COMMANDS[name].format(**{"in": inputs, "out": out})
    out.mkdir()
    assert run(call, Events(), tmp_path)[0] == 0
    new, n_events = contents(out), int((tmp_path / "total").read_text())
    old = {} if name in WHOLE else dict.fromkeys(new, b"old\n")
    events = sorted({n_events * number // AT_MOST for number in range(AT_MOST)} | {n_events - 1})
    for kind, at in [(kind, at) for kind in ("error", "kill") for at in events]:
        shutil.rmtree(out)
        for file, data in old.items():
            (out / file).parent.mkdir(parents=True, exist_ok=True)
            (out / file).write_bytes(data)
        out.mkdir(exist_ok=True)
        status, said = run(call, Events(at, kind), tmp_path)
        left = contents(out)
        if name in WHOLE:
            assert left in (old, new), (kind, at)
        assert all(left.get(file) in (old.get(file), new[file]) for file in new), (kind, at)
        assert left.keys() <= new.keys()
        if kind == "kill":
            assert status == -signal.SIGKILL
        else:
            assert status in (0, 1, 2), said
            assert not [*out.rglob(".unfinished-*")], at
            assert status == 0 or ("out" in said and "Traceback" not in said), said
            if "No space left" in said:
                assert "No space left on device; free space" in said
    assert run(call, Events(), tmp_path)[0] == (2 if name in WHOLE and left else 0)
    assert contents(out) == new
