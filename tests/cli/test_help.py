"""`--help`: commands in groups, whole short helps, and examples that are understood and work."""

import shlex
import subprocess
import sys

import click
import pytest

from victor.cli import program

WIDTH, LINES = 80, 45
MOST = 4
FOLDERS = ("clones", "pages", "gold", "published", "corpus", "texts", "scores", "jana", "petr")
FILES = ("labels.jsonl", "sources.jsonl", "page.html", "mine.victor", "text.txt", "crawl.warc.gz",
         "inputs.txt", "frequent.json",
         "scores/default.npz", "addresses.txt", "export.json")  # fmt: skip
"""What the examples name."""


def walk(command, path=()):
    """Every command with its path."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), (*path, name))


COMMANDS = {" ".join(path): command for path, command in walk(program.group)}
EXAMPLES = {example: path for path, command in COMMANDS.items() for example in command.examples}


def calls(example):
    """The calls of Victor in a line for a shell, as arguments."""
    for command in example.split(" | "):
        words = shlex.split(command)
        files = {n for i, word in enumerate(words) if word in ("<", ">") for n in (i, i + 1)}
        name, *arguments = [word for i, word in enumerate(words) if i not in files]
        if name == "victor":
            yield arguments


def help_of(path):
    context = click.Context(
        COMMANDS[path],
        info_name="victor " + path,
        terminal_width=WIDTH,
        **program.group.context_settings,  # a command keeps the help option that it gave first
    )
    return COMMANDS[path].get_help(context)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_examples_of_itself_in_a_help_that_fits(path):
    examples = COMMANDS[path].examples
    assert 1 <= len(examples) <= MOST
    assert examples[0].startswith(f"victor {path}".strip())
    shown = help_of(path).splitlines()
    assert shown[shown.index("Examples:") + 1 :][: len(examples)] == [f"  {e}" for e in examples]

    assert max(map(len, shown)) <= WIDTH
    assert len(shown) <= LINES
    assert not any(line.endswith("...") for line in shown if not line.startswith("Usage"))


def test_commands_stand_in_groups():
    shown = help_of("")
    positions = [shown.index(f"\n{title}:\n") for title in program.GROUPS]
    assert positions == sorted(positions)
    assert sorted(program.COMMANDS) == sorted(
        name for each in program.GROUPS.values() for name in each
    )


@pytest.fixture
def stock(tmp_path, monkeypatch):
    """A folder with everything that the examples name, empty."""
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    for name in FILES:
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parse(arguments):
    """Parse arguments with click as a call would, without calling anything."""
    command, path = program.group, "victor"
    parent = None
    while True:
        parent = command.make_context(path, [*arguments], parent=parent)
        if not isinstance(command, click.Group):
            return parent
        arguments = [*parent._protected_args, *parent.args]
        path, command, arguments = command.resolve_command(parent, arguments)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_understood(example, stock):
    for arguments in calls(example):
        parse(arguments)


def test_the_package_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-P", "-m", "victor", "--version"],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert run.stdout.startswith("victor ")
