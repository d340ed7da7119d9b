"""Every command that writes, and what may happen while it does: the old file or the new one stays.

A command runs once, up to the first thing that it writes. From there on a copy of the process meets
each fault, and what it leaves is compared with what was there and with what there should be.

    python tests/hostile/writing.py

prints a table of commands and faults.
"""

import errno
import hashlib
import io
import json
import os
import resource  # POSIX systems have it
import shutil
import signal
import subprocess
import sys
import traceback
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from victor import cli
from victor.base import files

ROOT = Path(__file__).parents[2]


class Writing(NamedTuple):
    """A command that writes; `is_whole` if all that it writes appears at once."""

    call: str
    is_whole: bool = False


COMMANDS = {
    "clean, a page": Writing("clean {in}/pages/a.html -l kimatu -o {out}/clean"),
    "clean, a folder": Writing("clean {in}/pages -l kimatu -f markdown -o {out}"),
    "clean --log": Writing("clean {in}/pages -l kimatu -f sentences --log {out}/log.jsonl"),
    "normalize": Writing("normalize {in}/pages -o {out}"),
    "demo": Writing("demo {in}/pages/a.html -l kimatu --no-open -o {out}/demo.html"),
    "align": Writing("align {in}/gold -o {out}/corpus", is_whole=True),
    "align, a corpus": Writing("align {in}/corpus -f corpus -o {out}/corpus", is_whole=True),
    "corpus build": Writing(
        "corpus build {in}/labels.jsonl --from {in}/gold -o {out}/deep/corpus", is_whole=True
    ),
    "corpus export": Writing(
        "corpus export {in}/gold --sources {in}/sources.jsonl -o {out}/labels.jsonl"
    ),
    **{
        f"annotate export, {form}": Writing(
            f"annotate export {{out}}/corpus -f {form} -s {{in}}/store.sqlite", is_whole=True
        )
        for form in ("corpus", "html")
    },
    "language train": Writing("language train cs {in}/pages/a.html -o {out}"),
    "train": Writing("train {in}/corpus -c crf -s crf.max_iterations=2 -o {out}/m.victor"),
    "train, density": Writing("train {in}/corpus -l density -o {out}/density.yaml"),
    "adapt": Writing("adapt {in}/corpus -m {in}/model.victor -o {out}/m.victor"),
    "evaluate": Writing("evaluate {in}/corpus -l kimatu --save {out}/save --report {out}"),
    "sweep": Writing(
        "sweep {in}/corpus -l kimatu --save {out} --csv {out}/a.csv --plot {out}/a.svg"
        " --report {out}"
    ),
    "sweep --store": Writing("sweep {in}/model.npz --store {out}/m.victor"),
}
SLOW = {
    "annotate export, corpus", "annotate export, html",
    "train", "train, density", "adapt", "evaluate", "sweep", "sweep --store",
}  # fmt: skip
TEXT = "<h1>On bees</h1><p>Bees live in colonies of one queen and of many workers, and they dance."


def prepare(folder, annotated):
    """Fill a folder with what most commands read."""
    from victor.annotate.exchange import import_pages, read
    from victor.annotate.store import Store
    from victor.corpus.pages import write_corpus
    from victor.corpus.standoff import export
    from victor.page.table.segment import parse_pages
    from victor.page.table.texts import block_texts

    for name in ("pages/deep", "gold/html", "gold/blocks"):
        (folder / name).mkdir(parents=True)
    rows, sources = [], []
    for page in ("a", "deep/b"):
        markup = f"{TEXT}<p>{page}".encode()
        (folder / f"pages/{page}.html").write_bytes(markup)
        key = page.replace("/", "-")
        (folder / f"gold/html/{key}.html").write_bytes(markup)
        texts = block_texts(parse_pages([markup], "block"))
        blocks = [{"label": "text", "kind": "text", "text": text} for text in texts]
        write_rows(folder / f"gold/blocks/{key}.blocks.jsonl", blocks)
        rows.append({"id": key, "text": "\n".join(texts), "site": key})
        sha256 = hashlib.sha256(markup).hexdigest()
        place = {"repository": "https://x.example/a/b", "commit": "c0ffee", "path": f"{key}.html"}
        sources.append({"corpus": "gold", "id": key, "sha256": sha256, **place})
    write_rows(folder / "gold/gold.jsonl", rows)
    write_rows(folder / "sources.jsonl", sources)
    lines = export(folder / "gold", folder / "sources.jsonl", "gold")
    (folder / "labels.jsonl").write_text("".join(lines))
    write_corpus(folder / "corpus", annotated[:4])
    with Store(folder / "store.sqlite") as store:
        found = read("corpus", folder / "corpus")
        assert all(each.error is None for each in import_pages(store, found, "ann"))


def prepare_model(folder):
    """Add a model, and predictions of it."""
    from victor.labelers.load import model_file

    shutil.copy(model_file("default"), folder / "model.victor")
    saved = folder / "saved"
    call = f"evaluate {folder}/corpus -m {folder}/model.victor --save {saved}"
    assert in_a_copy(lambda: command(call.split()))[0] == 0
    (saved / "model.npz").rename(folder / "model.npz")


def write_rows(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def command(arguments):
    """Run a command in this process, which ends with it."""
    sys.argv = ["victor", *arguments]
    try:
        cli.main()
    except SystemExit as ended:
        os._exit(int(ended.code or 0))
    os._exit(0)


def in_a_copy(act):
    """Call a function in a copy of this process; its exit status, and what it says."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        os.dup2(write, 1)
        os.dup2(write, 2)
        for name, number in (("stdout", 1), ("stderr", 2)):
            stream = io.FileIO(number, "w", closefd=False)
            setattr(sys, name, io.TextIOWrapper(stream, write_through=True))
        try:
            act()
        except GoOn:
            raise
        except BaseException:
            traceback.print_exc()
            os._exit(99)
    os.close(write)
    with io.FileIO(read) as said:
        text = said.readall().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), text


def contents(folder):
    """Files by their names, without those that are still being written."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if ".unfinished-" not in name}


def leftovers(folder):
    return [path.name for path in folder.rglob(".unfinished-*")]


def restore(folder, before):
    shutil.rmtree(folder)
    folder.mkdir()
    for name, data in before.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def compared(now, old, new, is_whole):
    """Is it what was there, what there should be, some files of each, or half."""
    if now in (new, old):
        return "new" if now == new else "old"
    names = {*now, *old, *new}
    are_complete = all(now.get(name) in (old.get(name), new.get(name)) for name in names)
    return "mixed" if are_complete and not is_whole else "half"


# --- faults ---------------------------------------------------------------------------------------


class Events:
    """Counts what is written, given its name and made lasting; at one of these something happens.

    Args:
        at: the number of the event.
        kind: ``kill`` or ``error``.
    """

    def __init__(self, at=None, kind="kill"):
        self.at, self.kind, self.count = at, kind, 0

    def arm(self, total=None):
        """Watch this process, which writes the number of events to a file when it ends."""
        end = os._exit

        def tell(status):
            if total is not None:
                total.write_text(str(self.count))
            end(status)

        os._exit = tell
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


def limit_size(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def fill(folder, left):
    """Leave so many bytes of a disk of its own."""
    with suppress(OSError), (folder / "filler").open("wb", 0) as filler:
        while True:
            filler.write(b"\0" * 4096)
    os.truncate(folder / "filler", max(0, (folder / "filler").stat().st_size - left))


def empty(folder):
    (folder / "filler").unlink()


def remount(disk, mode):
    subprocess.run(["mount", "-o", f"remount,{mode}", disk], check=True)


@contextmanager
def small_disk(place):
    """A disk of 32 MB where this process may mount one; gives if it is one."""
    place.mkdir()
    call = ["mount", "-t", "tmpfs", "-o", "size=32m", "none", place]
    is_mounted = subprocess.run(call, check=False, capture_output=True).returncode == 0
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", place], check=True)


# --- all faults of a command ----------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a fault left: see `compared`; files that are no use; the exit status; the message."""

    left: str
    leftovers: int
    status: int
    said: str


def outcomes(writing, inputs, disk, is_disk):
    """What each fault leaves of a command, by the name of the fault."""
    out = disk / "out"
    out.mkdir()
    if "--store" in writing.call:
        shutil.copy(inputs / "model.victor", out / "m.victor")
    report = inputs.parent / "report.json"
    plain = files._workshop

    def fan_out(place):
        files._workshop = plain
        with suppress(GoOn):
            meet_all(writing, out, disk if is_disk else None, report)
        return plain(place)

    def first():
        files._workshop = fan_out
        command(writing.call.format(**{"in": inputs, "out": out}).split())

    status, said = in_a_copy(first)
    assert status == 0, said
    return {name: Outcome(*each) for name, each in json.loads(report.read_text()).items()}


class GoOn(BaseException):
    """This process is a copy, and meets the fault that has been prepared."""


def meet(act):
    """Let a copy go on, once it has called a function; its exit status, and what it says."""

    def go_on():
        act()
        raise GoOn

    return in_a_copy(go_on)


def meet_all(writing, out, disk, report):
    """Let a copy of this process go on with each fault in turn.

    Raises:
        GoOn: in each of the copies.
    """
    start, found = contents(out), {}
    total = out.parent / "total"
    status, said = meet(lambda: Events().arm(total))
    assert status == 0, said
    new = contents(out)
    old = {} if writing.is_whole else dict.fromkeys(new, b"old\n") | start
    shortest = min(map(len, new.values()))
    for name, before, act, after in faults(int(total.read_text()), shortest, disk):
        if name != "again":
            restore(out, old)
        before()
        status, said = meet(act)
        after()
        now = compared(contents(out), old, new, writing.is_whole)
        found[name] = now, len(leftovers(out)), status, said[-300:]
    report.write_text(json.dumps(found))
    os._exit(0)


def nothing():
    """Prepare nothing."""


def faults(total, shortest, disk):
    """Names of faults; what comes before a copy is made, in the copy, and behind it."""
    for number in range(total):
        yield f"error {number}", nothing, Events(number, "error").arm, nothing
    for number in range(total):
        yield f"kill {number}", nothing, Events(number, "kill").arm, nothing
    yield "again", nothing, nothing, nothing
    for size in (0, 20, shortest // 2):
        yield f"size {size}", nothing, partial(limit_size, size), nothing
    if disk:
        for left in (0, 4096, 8192):
            yield f"full {left}", partial(fill, disk, left), nothing, partial(empty, disk)
        yield "read-only", partial(remount, disk, "ro"), nothing, partial(remount, disk, "rw")


def counts_by_fault(found):
    """Number of outcomes by fault, and what they left."""
    counts = Counter((name.split()[0], each.left) for name, each in found.items())
    kinds = dict.fromkeys(kind for kind, _ in counts)
    return {kind: {left: n for (of, left), n in counts.items() if of == kind} for kind in kinds}


if __name__ == "__main__":
    import tempfile

    from victor.corpus.pages import read_marked_corpus

    pages = tuple(read_marked_corpus(ROOT / "annotations"))
    with tempfile.TemporaryDirectory() as made:
        prepare(Path(made) / "in", pages)
        prepare_model(Path(made) / "in")
        for name, writing in COMMANDS.items():
            with small_disk(Path(made) / "disk") as is_disk:
                found = outcomes(writing, Path(made) / "in", Path(made) / "disk", is_disk)
            shutil.rmtree(Path(made) / "disk")
            cells = (
                f"{kind} {' '.join(f'{n} {left}' for left, n in counts.items())}"
                for kind, counts in counts_by_fault(found).items()
            )
            print(f"{name}: {'; '.join(cells)}", flush=True)
