"""Wrong names get a guess; names are completed."""

import os
import subprocess
import sys

from click.shell_completion import ShellComplete

from victor.cli import program

COMPLETIONS = {
    "cl": {"clean"},
    "": set(program.COMMANDS),
    "clean --form": {"--format", "--formatting"},
    "clean -f t": {"text"},
    "annotate ser": {"serve"},
}


def completed(line):
    """What a shell is offered for the end of a line."""
    *before, last = line.split(" ")
    shell = ShellComplete(program.group, {}, "victor", "_VICTOR_COMPLETE")
    return shell.get_completions(before, last)


def test_names_are_completed():
    for line, wanted in COMPLETIONS.items():
        offered = {item.value for item in completed(line)}
        assert offered >= wanted
        assert all(value.startswith(line.split(" ")[-1]) for value in offered)
    (clean,) = completed("cle")
    assert clean.help == program.COMMANDS["clean"]


def test_completion_of_commands_imports_none():
    """A key is pressed, and somebody waits."""
    program = (
        "import atexit, sys\n"
        "from victor.cli import main\n"
        "atexit.register(lambda: print(*sorted(n for n in sys.modules if 'victor.cli.' in n),"
        " file=sys.stderr))\n"
        "sys.argv = ['victor']\n"
        "main()\n"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "_VICTOR_COMPLETE": "fish_complete", "COMP_WORDS": "victor c",
             "COMP_CWORD": "c"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "clean" in run.stdout
    names = ("commands", "program")
    assert set(run.stderr.split()) == {f"victor.cli.{name}" for name in names}
