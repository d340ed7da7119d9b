"""Every fenced block of README and docs does what it shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from docs.markdown_blocks import READ, RUN, CodeBlock, blocks_of, documents

from docs import stock
from victor.config.layers import load, load_as
from victor.labelers.labeler import LABELERS, system

DOCUMENTS = documents()
BLOCKS = [block for path in DOCUMENTS for block in blocks_of(path)]
WITH_BLOCKS = [path for path in DOCUMENTS if any(b.runs for b in blocks_of(path))]
LONGEST = 300
"""Seconds after which a command is taken to hang."""
ALWAYS = {"README.md"}
"""Documents whose blocks run with every run of the tests; `.ci/run` runs those of all others."""


@pytest.fixture(scope="session")
def stocked(tmp_path_factory):
    """The stock once; each page gets a copy."""
    folder = stock.make(tmp_path_factory.mktemp("stock") / "stock")
    train = ("train", "my-corpus", "--config", "crf", "--output", "my.victor")
    subprocess.run([_victor(), *train], cwd=folder, check=True, capture_output=True)
    return folder


def _victor() -> str:
    return str(Path(sys.executable).with_name("victor"))


def _environment() -> dict[str, str]:
    """Commands see this Python first, no colours, and a screen of 100 columns."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}


def _shell(command: str, folder: Path) -> str:
    """Run it as a person would, and end it with all that it started if it hangs."""
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=_environment(),
        stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        printed, errors = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    assert process.returncode == 0, f"{command}\n{printed[-2000:]}\n{errors[-4000:]}"
    return printed


def run_block(block: CodeBlock, folder: Path, names: dict[str, object]) -> None:
    """Do with a block what its language asks for."""
    if block.file:
        (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.file).write_text(block.code, encoding="utf-8")
    elif block.language == "sh":
        _shell(block.commands, folder)
    elif block.language == "console":
        _compare(block, folder)
    elif block.language == "python":
        exec(compile(block.code, str(block), "exec"), names)
    elif block.language == "yaml":
        _configuration(block, folder)
    elif block.language == "json":
        _json(block.code)


def _compare(block: CodeBlock, folder: Path) -> None:
    """Run the commands of a session and hold what they print against the page."""
    for command, shown in sessions(block.code):
        printed = _shell(command, folder)
        assert pattern_of(shown).fullmatch(_trimmed(printed)), f"{block}: {command}\n{printed}"


def sessions(code: str) -> list[tuple[str, str]]:
    """Commands of a console block, each with the output below it."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    return [re.sub(r"\\\n", " ", part).partition("\n")[::2] for part in parts]


def pattern_of(shown: str) -> re.Pattern[str]:
    """What a command may print whose output is shown so."""
    lines = []
    for line in _trimmed(shown).splitlines():
        if line.strip() == "…":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*".join(map(re.escape, line.split("…"))) + r"\n")
    return re.compile("".join(lines))


def _trimmed(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + "\n"


def _configuration(block: CodeBlock, folder: Path) -> None:
    """Load it: of a model, or of the labeler that is its base."""
    path = folder / f"block-{block.line}.yaml"
    path.write_text(block.code, encoding="utf-8")
    base = yaml.safe_load(block.code).get("base")
    if base in LABELERS:
        load_as(system(base).settings, path)
    else:
        load(path)


def _json(code: str) -> object:
    with suppress(ValueError):
        return json.loads(code)
    return [json.loads(line) for line in code.splitlines()]


def _documents():
    for path in WITH_BLOCKS:
        name = path.relative_to(stock.ROOT).as_posix()
        marks = [] if name in ALWAYS else [pytest.mark.slow]
        yield pytest.param(path, id=name, marks=marks)


@pytest.mark.parametrize("path", [*_documents()])
def test_the_blocks_of_a_page_run_in_order(path, stocked, tmp_path, monkeypatch):
    folder = tmp_path / "here"
    shutil.copytree(stocked, folder)
    stock.link_the_project(folder)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    names: dict[str, object] = {"__name__": "docs"}
    for block in blocks_of(path):
        if block.runs:
            try:
                run_block(block, folder, names)
            except Exception as error:
                raise AssertionError(f"{block} ({block.language}): {error}") from error


def test_every_block_is_run_or_read_and_few_are_left_out_with_a_reason():
    unknown = [f"{b}: {b.language!r}" for b in BLOCKS if b.language not in RUN | READ]
    assert not [name for name in unknown if "{" not in name], unknown
    left_out = [block for block in BLOCKS if block.left_out]
    assert all(len(block.left_out.split()) > 1 for block in left_out)
    assert len(left_out) * 3 < sum(block.runs for block in BLOCKS)


def test_a_console_block_is_held_against_what_is_printed(tmp_path):
    right = CodeBlock("x.md", 1, "console", "$ printf 'a 17 b\\nc\\nd\\n'\na … b\n…\nd\n", "")
    wrong = CodeBlock("x.md", 1, "console", "$ printf 'a\\nb\\n'\na\n", "")
    run_block(right, tmp_path, {})
    with pytest.raises(AssertionError, match="printf"):
        run_block(wrong, tmp_path, {})
