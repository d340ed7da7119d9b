"""What only a process of its own shows: pipes that break, terminals, bars."""

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reader_that_leaves_early_is_no_error(process, folder, small_model_file, jobs):
    """`victor clean ... | head -1`: no traceback, whatever was under way."""
    arguments = ["-f", "records", "-m", small_model_file, "-j", jobs, *[folder] * 10]
    with process("clean", *arguments, stdout=-1, stderr=-1) as running:
        assert running.stdout.readline()
        running.stdout.close()
        complaints = running.stderr.read().decode()
    assert complaints == ""


def test_who_waits_for_a_keyboard_says_so(process, small_model_file):
    """`victor clean` alone on a terminal is no command that hangs."""
    terminal, inside = pty.openpty()
    try:
        with process(
            "clean", "-m", small_model_file, stdin=inside, stdout=-1, stderr=-1
        ) as running:
            os.write(terminal, b"<p>typed</p>\n\x04")
            complaints = running.communicate(timeout=60)[1].decode()
    finally:
        os.close(inside)
        os.close(terminal)
    assert "victor: reads a page from the keyboard: Ctrl+D ends it\n" in complaints
    assert running.returncode == 0


BAR = """
import sys
from victor.cli import commands
with commands.progress("counting bees", {total}) as advance:
    for step in range(3):
        print("result", step, flush=True)
        print("message", step, file=sys.stderr, flush=True)
        advance(1)
"""


def run_on_terminal(program):
    """Standard output of a program, and what it shows on a terminal that is its standard error."""
    terminal, inside = pty.openpty()
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", program],
            stdout=subprocess.PIPE, stderr=inside, check=True, timeout=60,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )  # fmt: skip
        os.close(inside)
        shown = b""
        while chunk := read(terminal):
            shown += chunk
    finally:
        os.close(terminal)
    return ended.stdout.decode(), shown.decode()


def read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


RESULTS = "result 0\nresult 1\nresult 2\n"


def test_a_bar_appears_on_a_terminal_and_leaves_results_alone():
    out, shown = run_on_terminal(BAR.format(total=3))
    assert out == RESULTS
    assert "counting bees" in shown
    assert "message 2" in shown
    program = [sys.executable, "-P", "-c", BAR.format(total=3)]
    ended = subprocess.run(program, capture_output=True, check=True, timeout=60)  # no terminal
    assert b"counting bees" not in ended.stderr
    assert ended.stdout.decode() == RESULTS
