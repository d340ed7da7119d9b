"""Wrong names get a guess; names are completed."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from victor.cli import program

GUESSES = {
    "claen": "did you mean clean?",
    "page.html": "victor clean page.html",
    "nothing-like-it": "known are: ablate, adapt, align",
    "language identfy": "identify",
    "clean -f jsn -": "there is no jsn, did you mean json? There are text, markdown",
    "clean -l kimtu -": "did you mean kimatu?",
    "clean -m defalt -": "did you mean default?",
    "clean -l kimatu -c kimatuu -": "did you mean kimatu?",
    "clean -t precisoin -": "did you mean precision?",
    "clean --scope artcle -": "did you mean article?",
    "clean --decide treshold -": "did you mean threshold?",
    "clean --formt json -": "--format",
    "crawl -f parket -o out -": "did you mean parquet?",
    "normalize -c kiten -": "did you mean kitten?",
    "models defualt": "did you mean default?",
    "features --list -c defualt": "did you mean default?",
    "features -f crfp -": "did you mean crfpp?",
    "language identify -m cavnr -": "did you mean cavnar?",
}


@pytest.mark.parametrize("call", GUESSES)
def test_wrong_names_get_a_guess(call, victor, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = victor(*call.split(), stdin=b"<p>Bees live in colonies.")
    assert (run.status, run.out) == (2, "")
    assert GUESSES[call] in run.err


COMPLETIONS = {
    "cl": {"clean"},
    "": set(program.COMMANDS),
    "clean --form": {"--format", "--formatting"},
    "clean -f t": {"text", "tei"},
    "annotate ser": {"serve"},
}


def completed(line):
    """What a shell is offered for the end of a line."""
    *before, last = line.split(" ")
    shell = ShellComplete(program.group, {}, "victor", "_VICTOR_COMPLETE")
    return shell.get_completions(before, last)


@pytest.mark.parametrize("line", COMPLETIONS)
def test_names_are_completed(line):
    offered = {item.value for item in completed(line)}
    assert offered >= COMPLETIONS[line]
    assert all(value.startswith(line.split(" ")[-1]) for value in offered)


def test_commands_are_completed_with_their_lines():
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
    names = ("commands", "messages", "program")
    assert set(run.stderr.split()) == {f"victor.cli.{name}" for name in names}
