"""The pages of docs/reports/papers: every row has a verdict and a command that shows what it says.

``papers.yaml`` has what the commands print.
"""

import re
import shlex
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "reports" / "papers").glob("[!R]*.md"))
VERDICTS = ("●", "◐", "○")
ROW = re.compile(r"(?<!\\)\|")
SHOWN = re.compile(r"`(?:victor|pytest|python) [^`]+`")
PRINTED = yaml.safe_load(Path(__file__).with_name("papers.yaml").read_text("utf-8"))


def rows(document):
    """Cells of the rows of the tables that have a column of verdicts."""
    for line in document.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in ROW.split(line)[1:-1]]
        if any(cell in VERDICTS for cell in cells):
            yield cells


LAST_CELLS = [cells[-1] for page in PAGES for cells in rows(page)]
COMMANDS = sorted({command[1:-1] for cell in LAST_CELLS for command in SHOWN.findall(cell)})


def of(program):
    """The commands of a program."""
    return [command for command in COMMANDS if command.startswith(f"{program} ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_can_be_seen(page):
    mechanisms = list(rows(page))
    assert len(mechanisms) >= 5
    for cells in mechanisms:
        assert SHOWN.search(cells[-1]) or "○" in cells, cells[0]


def test_the_overview_counts_the_verdicts():
    assert {*PRINTED} == {*of("victor")}, "those that rows name are looked into"
    overview = (ROOT / "docs" / "reports" / "papers" / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        verdicts = [cell for cells in rows(page) for cell in cells if cell in VERDICTS]
        counts = " | ".join(str(verdicts.count(verdict)) for verdict in VERDICTS)
        assert re.search(rf"\({page.name}\) \|.*\| {re.escape(counts)} \|$", overview, re.MULTILINE)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The repository as the current folder; what commands write stays out of it."""
    for name in ("annotations", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", of("victor"))
def test_a_command_prints_what_its_row_says(victor, checkout, command):
    printed = ""
    for part in command.split(" && "):
        call, _, line = part.partition(" <<< ")
        arguments = shlex.split(call)[1:]
        if arguments[:2] == ["annotate", "serve"]:  # it serves until it is stopped
            arguments = [*arguments[:2], "--help"]
        run = victor(*arguments, stdin=" ".join(shlex.split(line)).encode())
        assert run.status == 0, run.err
        printed += run.out + run.err
    for piece in PRINTED[command]:
        absent = piece.removeprefix("not: ")
        assert (piece in printed) if absent == piece else (absent not in printed), piece


CASES = {path.stem for path in (ROOT / "tests" / "cases").rglob("*.md")}


@pytest.mark.parametrize("command", of("pytest"))
def test_a_test_exists(command):
    """Words behind -k are parts of names of tests or of their rows, or files of cases."""
    calls, _, wanted = command.partition(" -k ")
    words = [word for word in re.findall(r"\w+", wanted) if word not in ("and", "or")]
    for test in shlex.split(calls)[1:]:
        path, *named = test.split("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        rows_file = (ROOT / path.replace("/test_", "/rows/")).with_suffix(".yaml")
        names = rows_file.read_text(encoding="utf-8") if rows_file.is_file() else ""
        for name in named:
            assert re.search(rf"^(?:def|class) {name}\b", text, re.MULTILINE), test
        for word in () if named else words:
            is_name = re.search(rf"^def test_\w*{word}", text, re.MULTILINE)
            assert is_name or word in names or word in CASES or f'"{word}"' in text, command


@pytest.mark.parametrize("command", of("python"))
def test_a_script_exists(command):
    assert (ROOT / shlex.split(command)[1]).is_file()
