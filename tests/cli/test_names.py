"""Wrong names get a guess; names are completed."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from victor import cli

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
    "features -f crfsuit -": "did you mean crfsuite?",
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
    "": set(cli.COMMANDS),
    "clean --form": {"--format", "--formatting"},
    "clean --format ": {"text", "markdown", "json", "tei"},
    "clean -f t": {"text", "tei"},
    "clean -l k": {"kimatu"},
    "clean -m ": {"default", "crf", "czech"},
    "clean -m d": {"default"},
    "clean -t ": {"precision", "balanced", "recall"},
    "clean -l kimatu -c k": {"kimatu", "kitten", "kitten-paper"},
    "crawl --format pa": {"parquet"},
    "evaluate corpus -m cr": {"crf"},
    "train -c victor20": {"victor2007", "victor2008"},
    "language ide": {"identify"},
    "annotate ser": {"serve"},
}


def completed(line):
    """What a shell is offered for the end of a line."""
    *before, last = line.split(" ")
    shell = ShellComplete(cli.group, {}, "victor", "_VICTOR_COMPLETE")
    return shell.get_completions(before, last)


@pytest.mark.parametrize("line", COMPLETIONS)
def test_names_are_completed(line):
    offered = completed(line)
    assert {item.value for item in offered if item.type == "plain"} >= COMPLETIONS[line]
    last = line.split(" ")[-1]
    assert all(item.value.startswith(last) for item in offered)


def test_files_are_offered_where_one_may_be_named():
    first, *names = completed("clean -m ")
    assert (first.type, {name.type for name in names}) == ("file", {"plain"})


def test_commands_are_completed_with_their_lines():
    (clean,) = completed("cle")
    assert clean.help == cli.COMMANDS["clean"]


@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_shells_get_what_they_read(shell, monkeypatch):
    """The words that the three shells send, and lines that name what was asked for."""
    last = "victor clean -f mark" if shell is not FishComplete else "mark"
    monkeypatch.setenv("COMP_WORDS", "victor clean -f mark")
    monkeypatch.setenv("COMP_CWORD", "3" if shell is not FishComplete else last)
    complete = shell(cli.group, {}, "victor", "_VICTOR_COMPLETE")
    assert "markdown" in complete.complete()
    assert "_VICTOR_COMPLETE=" in complete.source()


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
    assert set(run.stderr.split()) == {"victor.cli.commands", "victor.cli.messages"}
