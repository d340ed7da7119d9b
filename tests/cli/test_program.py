"""The commands: help that fits, examples that are understood, names that are completed."""

import os
import shlex
import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from victor.cli import program

WIDTH, LINES = 80, 45
MOST = 4
FOLDERS = ("clones", "pages", "gold", "published", "corpus", "texts", "scores", "jana", "petr")
FILES = ("labels.jsonl", "sources.jsonl", "page.html", "mine.victor", "text.txt", "crawl.warc.gz",
         "inputs.txt", "frequent.json",
         "scores/default.npz", "addresses.txt", "export.json")  # fmt: skip
"""What the examples name."""
COMPLETIONS = {
    "cl": {"clean"},
    "": set(program.COMMANDS),
    "clean --form": {"--format", "--formatting"},
    "clean -f t": {"text"},
    "annotate ser": {"serve"},
}


def walk(command, path=()):
    """Every command with its path."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), (*path, name))


COMMANDS = {" ".join(path): command for path, command in walk(program.group)}
EXAMPLES = {example: path for path, command in COMMANDS.items() for example in command.examples}


def help_of(path):
    context = click.Context(COMMANDS[path], info_name="victor " + path, terminal_width=WIDTH)
    return COMMANDS[path].get_help(context)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_examples_of_itself_in_a_help_that_fits(path):
    examples = COMMANDS[path].examples
    assert 1 <= len(examples) <= MOST
    assert examples[0].startswith(f"victor {path}".strip())
    shown = help_of(path).splitlines()
    assert shown[shown.index("Examples:") + 1 :][: len(examples)] == [f"  {e}" for e in examples]
    assert any(line.startswith("  -h, --help  ") for line in shown)
    assert max(map(len, shown)) <= WIDTH
    assert len(shown) <= LINES
    assert not any(line.endswith("...") for line in shown if not line.startswith("Usage"))


def test_commands_stand_in_groups():
    shown = help_of("")
    positions = [shown.index(f"\n{title}:\n") for title in program.GROUPS]
    assert positions == sorted(positions)
    in_groups = (name for each in program.GROUPS.values() for name in each)
    assert sorted(program.COMMANDS) == sorted(in_groups)


def parse(arguments):
    """Parse arguments with click as a call would, without calling anything."""
    command, path, parent = program.group, "victor", None
    while True:
        parent = command.make_context(path, [*arguments], parent=parent)
        if not isinstance(command, click.Group):
            return
        arguments = [*parent._protected_args, *parent.args]
        path, command, arguments = command.resolve_command(parent, arguments)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_understood(example, tmp_path, monkeypatch):
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    for name in FILES:
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for command in example.split(" | "):
        name, *arguments = shlex.split(command.partition(" < ")[0].partition(" > ")[0])
        if name == "victor":
            parse(arguments)


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


def in_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-P", *code], capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_completion_of_commands_imports_none():
    """A key is pressed, and somebody waits."""
    code = (
        "import atexit, sys\n"
        "from victor.cli import main\n"
        "atexit.register(lambda: print(*sorted(n for n in sys.modules if 'victor.cli.' in n),"
        " file=sys.stderr))\n"
        "sys.argv = ['victor']\n"
        "main()\n"
    )
    asked = {"_VICTOR_COMPLETE": "fish_complete", "COMP_WORDS": "victor c", "COMP_CWORD": "c"}
    run = in_python(["-c", code], **asked)
    assert "clean" in run.stdout
    assert run.stderr.split() == ["victor.cli.commands", "victor.cli.program"]


def test_the_package_runs_as_a_module():
    assert in_python(["-m", "victor", "--version"]).stdout.startswith("victor ")
