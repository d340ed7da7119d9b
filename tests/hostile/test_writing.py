"""Whatever happens while something is written, the old is there or the new, never half of it.

That nothing is written but by `base.files` is tested in `tests/test_files.py`; here a file and a
folder meet faults at every event of their writing, each in a process of its own.
"""

import errno
import os
import shutil
import signal
import sys

import pytest

from victor.base import files
from victor.base.errors import OutputError

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of forks with threads
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere forks may not go on"),
]
TEXT = b"Bees live in colonies.\n" * 9
REFUSED, FAILED = 2, 3


def write_file(out):
    files.write_bytes(out / "a.txt", TEXT)


def write_folder(out):
    with files.new_folder(out / "deep" / "corpus") as folder:
        for name in ("a.txt", "b.txt"):
            files.add(folder / name, TEXT)


ACTS = {
    "a file": (write_file, {"a.txt": b"old\n"}, {"a.txt": TEXT}),
    "a folder": (write_folder, {}, {f"deep/corpus/{name}.txt": TEXT for name in "ab"}),
}
"""What writes, what is there before, and what is there after it."""


class Faults:
    """At one event of writing something happens: a part is written, lasting, or has its name."""

    def __init__(self, at, kind):
        self.left, self.kind = at, kind

    def happen(self, number):
        self.left -= 1
        if self.left == -1 and self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.left == -1:
            raise OSError(number, os.strerror(number))

    def arm(self):
        """Watch this process."""
        for name, number in (("replace", errno.EACCES), ("fsync", errno.EIO)):
            setattr(os, name, self.watched(getattr(os, name), number))
        files.add = self.add

    def watched(self, act, number):
        def acted(*arguments, **options):
            self.happen(number)
            return act(*arguments, **options)

        return acted

    def add(self, path, data):
        with files.created(path) as file:
            for part in (data[: len(data) // 2], data[len(data) // 2 :]):
                file.write(part)
                file.flush()
                self.happen(errno.ENOSPC)


def status_of(act, out, faults):
    """How a copy of this process ends that writes something, and whether a fault came."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        status = FAILED
        try:
            faults.arm()
            act(out)
            status = 0
        except OutputError as error:
            status = REFUSED if str(out) in str(error) else FAILED
        finally:
            os.write(write, b"1" if faults.left < 0 else b"0")
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        has_come = pipe.read() != b"0"
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), has_come


def contents(folder):
    """Files by their names, without what is still being written."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if ".unfinished-" not in name}


@pytest.mark.parametrize("kind", ["error", "kill"])
@pytest.mark.parametrize("name", ACTS)
def test_the_old_or_the_new_is_there(name, kind, tmp_path):
    (act, old, new), at, has_come = ACTS[name], 0, True
    while has_come:
        out = tmp_path / str(at)
        out.mkdir()
        for file, data in old.items():
            (out / file).write_bytes(data)
        status, has_come = status_of(act, out, Faults(at, kind))
        assert contents(out) in (old, new), at
        if kind == "kill":
            assert status == (-signal.SIGKILL if has_come else 0)
        else:
            assert status in (0, REFUSED)
            assert not [*out.rglob(".unfinished-*")], at
        if contents(out) == old:
            assert status_of(act, out, Faults(99, kind)) == (0, False)
        assert contents(out) == new
        shutil.rmtree(out)
        at += 1
    assert at > 5
