"""A file or folder has its name only when it is complete, and nothing is written otherwise."""

import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from victor.base.files import check_new, created, new_folder, replaced, sweep, version, write_bytes
from victor.errors import OutputError

ROOT = Path(__file__).parents[1]
LEFT = ".unfinished-0123456789abcdef"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files, or other rules")


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_file_is_replaced_when_the_block_ends(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replaced(path) as unfinished:
        sweep(tmp_path)  # what is being written stays
        unfinished.write_text("new")
        assert path.read_text() == "old"
        assert unfinished.name == path.name
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_a_folder_is_replaced_with_all_it_holds(tmp_path):
    (tmp_path / "texts" / "old").mkdir(parents=True)
    with replaced(tmp_path / "texts") as unfinished:
        (unfinished / "deep").mkdir(parents=True)
        created(unfinished / "deep" / "new").close()
    assert names(tmp_path) == ["texts", "texts/deep", "texts/deep/new"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write_half():
        with replaced(path) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@posix
def test_a_file_and_a_folder_do_not_replace_each_other(tmp_path):
    (tmp_path / "folder" / "in").mkdir(parents=True)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="folder"):
        write_bytes(tmp_path / "folder", b"new")
    with pytest.raises(OutputError, match="file"), replaced(tmp_path / "file") as unfinished:
        unfinished.mkdir()
    assert names(tmp_path) == ["file", "folder", "folder/in"]


def test_what_cannot_be_read_is_no_fault_of_the_output(tmp_path):
    with pytest.raises(FileNotFoundError), replaced(tmp_path / "a"):
        (tmp_path / "none").read_bytes()


@posix
@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127, "a b", ".hidden", "-"])
def test_any_name_that_the_disk_takes(tmp_path, name):
    write_bytes(tmp_path / name, b"new")
    assert names(tmp_path) == [name]


# --- two writers ----------------------------------------------------------------------------------


def test_two_writers_of_one_name_end_with_one_complete_file(tmp_path):
    path = tmp_path / "m.victor"
    with replaced(path) as second, created(second) as file:
        file.write(b"B" * 10)
        write_bytes(path, b"A" * 100)
        assert path.read_bytes() == b"A" * 100
        file.write(b"B" * 90)
    assert path.read_bytes() == b"B" * 100
    assert names(tmp_path) == ["m.victor"]


def test_the_second_of_two_that_make_a_folder_is_told(tmp_path):
    corpus = tmp_path / "corpus"
    with (
        pytest.raises(OutputError, match="is not empty"),
        new_folder(corpus),
        new_folder(corpus) as faster,
    ):
        created(faster / "index").close()
    assert names(tmp_path) == ["corpus", "corpus/index"]


def test_many_processes_write_one_name(tmp_path):
    write = (
        "import sys; from pathlib import Path; from victor.base.files import write_bytes\n"
        "for _ in range(40): write_bytes(Path(sys.argv[1]), sys.argv[2].encode() * 50_000)"
    )
    path = tmp_path / "a"
    command = [sys.executable, "-P", "-c", write, str(path)]
    writers = [subprocess.Popen([*command, letter]) for letter in "ABC"]
    while any(writer.poll() is None for writer in writers):
        content = path.read_bytes() if path.exists() else b"A"
        assert len(set(content)) == 1
        assert len(content) in (1, 50_000)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert names(tmp_path) == ["a"]


@posix
def test_a_folder_that_is_swept_as_it_is_made_is_made_anew(tmp_path, monkeypatch):
    made, is_swept, mkdir = [], threading.Event(), Path.mkdir

    def sweep_slowly(folder, lock):
        time.sleep(0.2)
        shutil.rmtree(folder)
        os.close(lock)
        is_swept.set()

    def mkdir_beside_a_sweeper(folder, *given, **options):
        import fcntl  # Windows has none

        mkdir(folder, *given, **options)
        made.extend([folder] * folder.name.startswith(LEFT[:12]))
        if made == [folder]:
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            threading.Thread(target=sweep_slowly, args=(folder, lock)).start()

    monkeypatch.setattr(Path, "mkdir", mkdir_beside_a_sweeper)
    with replaced(tmp_path / "a.txt") as unfinished:
        assert is_swept.wait(10)
        unfinished.write_text("new")
    assert len(made) == 2
    assert names(tmp_path) == ["a.txt"]


# --- what killed processes leave ------------------------------------------------------------------


@posix
def test_what_a_killed_process_left_goes_with_the_next_file(tmp_path):
    (tmp_path / LEFT).mkdir()
    (tmp_path / LEFT / "a.txt").write_text("half")
    write_bytes(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert names(tmp_path) == ["a.txt"]


@posix
@pytest.mark.parametrize(
    "name", [".unfinished-work", ".unfinished-0123456789ABCDEF", f"{LEFT}.txt", LEFT]
)
def test_files_of_people_are_not_swept(tmp_path, name):
    (tmp_path / name).write_text("mine")
    sweep(tmp_path)
    assert names(tmp_path) == [name]


@posix
def test_a_pipe_among_what_is_left_makes_nobody_wait(tmp_path):
    os.mkfifo(tmp_path / LEFT)
    sweep(tmp_path)


# --- links, modes, devices ------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("is_there", [True, False])
def test_what_a_link_leads_to_is_replaced_and_the_link_stays(tmp_path, is_there):
    target, link = tmp_path / "deep" / "target", tmp_path / "link"
    target.parent.mkdir()
    if is_there:
        target.write_text("old")
    (tmp_path / "between").symlink_to("deep/target")
    link.symlink_to("between")
    write_bytes(link, b"new")
    assert target.read_bytes() == b"new"
    assert link.is_symlink()
    assert not target.is_symlink()


@posix
def test_links_in_a_circle_cannot_be_written(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OutputError):
        write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "a").is_symlink()


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_the_mode_and_the_owner_of_a_file_stay(tmp_path, mode):
    path = tmp_path / "a"
    path.touch()
    path.chmod(mode)
    if IS_ROOT:  # who alone gives files away
        os.chown(path, 1234, 4321)
    before = path.stat()
    write_bytes(path, b"new")
    after = path.stat()
    assert stat.S_IMODE(after.st_mode) == mode
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_files_have_the_mode_that_the_system_gives(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_bytes(tmp_path / "a", b"new")
        with new_folder(tmp_path / "b") as folder:
            created(folder / "c").close()
    finally:
        os.umask(before)
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names(tmp_path)}
    assert modes == {"a": 0o666 & ~mask, "b": 0o777 & ~mask, "b/c": 0o666 & ~mask}


@posix
def test_a_device_stays_one(tmp_path):
    write_bytes(Path("/dev/null"), b"new")
    assert Path("/dev/null").is_char_device()
    if IS_ROOT:
        path = tmp_path / "null"
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        write_bytes(path, b"new")
        assert path.is_char_device()
        assert names(tmp_path) == ["null"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
def test_a_full_device_says_so():
    with pytest.raises(OutputError, match="/dev/full"):
        write_bytes(Path("/dev/full"), b"new")


@posix
def test_a_pipe_gets_the_bytes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_bytes(pipe, b"new" * 1000)
    assert reader.communicate()[0] == b"new" * 1000
    assert pipe.is_fifo()


@posix
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other names")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_goes_on_behind_what_it_has(tmp_path, name):
    write = (
        "import sys; from pathlib import Path; from victor.base.files import write_bytes\n"
        "print('before'); write_bytes(Path(sys.argv[1]), b'new\\n'); print('after')"
    )
    command = [sys.executable, "-P", "-c", write, name]
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "before\nnew\nafter\n"
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.count(b"\n") == 3


# --- new folders, versions ------------------------------------------------------------------------


def test_a_folder_appears_with_the_folders_above_it_or_not_at_all(tmp_path):
    path = tmp_path / "a" / "b" / "corpus"

    def write(error=None):
        with new_folder(path) as folder:
            created(folder / "index").close()
            if error:
                raise error

    with pytest.raises(KeyError):
        write(KeyError)
    assert names(tmp_path) == []
    write()
    assert names(path) == ["index"]
    with pytest.raises(OutputError, match="is not empty"):
        check_new(path)


@posix
def test_a_folder_that_something_stands_on_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (Path(), tmp_path, Path("/proc")):
        with pytest.raises(OutputError, match=r"name a new folder in it|is not empty"):
            check_new(path)


def test_versions_differ_with_every_writing(tmp_path):
    path = tmp_path / "a"
    assert version(path) == version(None) == ()
    seen = set()
    for content in (b"one", b"two", b"two"):
        write_bytes(path, content)
        os.utime(path, (1, 1))
        seen.add(version(path))
    assert len(seen) == 3


# --- nobody else writes ---------------------------------------------------------------------------

WRITES = re.compile(
    r"""\.(?:write_text|write_bytes|rename|touch|symlink_to|hardlink_to|tofile)\("""
    r"""|\bos\.(?:replace|renames?|link|symlink|truncate)\("""
    r"""|\bshutil\.(?:move|copy2?|copyfile|copytree|rmtree)\(|\btempfile\.(?:NamedTemporaryFile|mkstemp)\("""
    r"""|(?<!os\.)\bopen\([^\n]*?["'][rbt]*[wax+]+[bt+]*["']"""
)
"""A call that writes."""
ALLOWED = {"victor/base/files.py", "victor/crawl/state.py", "victor/explain/demo_page.py"}
"""The one writer; the lock of a run; an example in a docstring."""


def test_nothing_is_written_but_by_the_one_writer():
    files = [file for folder in ("victor", "features") for file in (ROOT / folder).rglob("*.py")]
    found = {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}
    writers = {name for name, source in found.items() if WRITES.search(source)}
    assert writers - ALLOWED == set()


@pytest.mark.parametrize(
    ("call", "does"),
    [*((call, True) for call in
       ("p.write_text('x')", "open(p, 'w')", "p.open(mode='ab')", "os.replace(a, b)",
        "io.open(p, 'x')", "shutil.move(a, b)", "open(p, 'r+b')")),
     *((call, False) for call in ("p.open('rb')", "open(p)", "a.replace(b, c)", "p.read_text(w)"))],
)  # fmt: skip
def test_the_rule_finds_what_writes(call, does):
    assert bool(WRITES.search(call)) == does
