"""What the options of `victor crawl` mean."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from victor.cli.crawl import crawl_command
from victor.errors import ConfigError
from victor.render.forms import Shown


@pytest.fixture
def call(pages, tmp_path):
    """Function: options to folder and messages of a run of kimatu on two pages."""

    def run(*options, labeler=("-l", "kimatu"), folder="out", status=0):
        out = tmp_path / folder
        arguments = [str(pages / "000.html"), str(pages / "001.html"), "-o", str(out), *labeler]
        result = CliRunner().invoke(crawl_command, [*arguments, *map(str, options)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return {"out": out, "messages": result.output}

    return run


def options_of(out):
    return json.loads((out / "run.json").read_text())["options"]


def test_limits_and_filter_come_from_the_settings_the_rest_from_the_labeler(call):
    run = call("--set", "limits.seconds=7", "-s", "filter.least_words=3")
    options = options_of(run["out"])
    assert options["limits"] == {
        "bytes": 20_000_000,
        "blocks": 200_000,
        "seconds": 7.0,
        "output": 100_000_000,
    }
    assert options["filter"]["least_words"] == 3


def test_pages_whose_text_is_beyond_the_limits_are_counted_and_named(call):
    run = call("-s", "limits.output=5", status=1)
    assert "failed 2 (too-much-output 2)" in run["messages"]
    failed = (run["out"] / "failed.jsonl").read_text().splitlines()
    assert [json.loads(line)["reason"] for line in failed] == ["too-much-output"] * 2


def test_a_shard_has_a_folder_of_its_own(call):
    out = call("--shard", "2/2")["out"]
    (part,) = out.glob("shard-00002-of-00002/data/part-*.jsonl")
    assert json.loads(part.read_text())["file_path"].endswith("001.html")


@pytest.mark.parametrize("shard", ["0/2", "3/2", "2", "a/b", "1/"])
def test_what_is_no_shard_is_refused(call, shard):
    assert "3/64" in call("--shard", shard, status=2)["messages"]


def test_the_last_line_says_what_was_written_where(call):
    run = call("-f", "parquet")
    *_, last = run["messages"].splitlines()
    data = run["out"] / "data"
    size = sum(file.stat().st_size for file in data.iterdir())
    start = f"victor: wrote 2 of 2 pages to {data} (parquet, {size / 1e3:,.1f} kB), "
    assert last.startswith(start)
    spent = r"[\d.:]+( s)?, \d+ pages/s; none was dropped, none failed"
    assert re.fullmatch(spent, last.removeprefix(start))


def test_markdown_stands_beside_the_text(call):
    (line,) = (
        (call("--markdown")["out"] / "data/part-00000-00000.jsonl").read_text().splitlines()[:1]
    )
    row = json.loads(line)
    assert row["text"].splitlines()[0] in row["markdown"]
    assert row["text"] != row["markdown"]
    (line,) = (
        (call(folder="plain")["out"] / "data/part-00000-00000.jsonl").read_text().splitlines()[:1]
    )
    plain = json.loads(line)
    assert (plain["text"], plain["markdown"]) == (row["text"], None)


def test_the_scope_says_whether_markdown_has_the_headline(call):
    def first_line(*options):
        out = call("--markdown", *options, folder="-".join(["out", *options]))["out"]
        row = json.loads((out / "data/part-00000-00000.jsonl").read_text().splitlines()[0])
        assert row["text"]
        return row["markdown"].splitlines()[0]

    assert first_line().startswith("# ")
    assert first_line("--headline").startswith("# ")
    assert not first_line("--no-headline").startswith("#")


def test_vertical_has_no_markdown(call):
    assert "leave --markdown out" in call("--markdown", "-f", "vertical", status=2)["messages"]


def test_what_a_run_wrote_is_no_input_of_it(pages, tmp_path):
    (tmp_path / "a.html").write_bytes((pages / "000.html").read_bytes())
    arguments = [str(tmp_path), "-o", str(tmp_path / "out"), "-l", "kimatu"]
    for _ in range(2):
        assert CliRunner().invoke(crawl_command, arguments).exit_code == 0
    assert len((tmp_path / "out/state/inputs.jsonl").read_text().splitlines()) == 1


def test_too_little_memory_is_an_error_of_the_call(call):
    with pytest.raises(ConfigError, match="larger --memory"):
        call("--memory", 1)


def test_a_folder_of_the_name_of_the_package_is_not_taken_for_it(crawled, pages, tmp_path):
    (tmp_path / "victor").mkdir()
    (tmp_path / "victor" / "__init__.py").write_text("raise SystemExit('another package')")
    arguments = [pages / "000.html", "-o", "out", "-l", "kimatu"]
    status, messages = crawled(*arguments, cwd=tmp_path)
    assert status == 0, messages
    assert len((tmp_path / "out/state/inputs.jsonl").read_text().splitlines()) == 1


def test_the_environment_is_as_it_was_with_several_workers(pages, tmp_path):
    program = (
        "import os\n"
        "from click.testing import CliRunner\n"
        "from victor.cli.crawl import crawl_command\n"
        "before = dict(os.environ)\n"
        f"arguments = [{str(pages)!r}, '-o', {str(tmp_path / 'out')!r}, '-l', 'kimatu']\n"
        "result = CliRunner().invoke(crawl_command, [*arguments, '-j', '4', '--part-size', '1'])\n"
        "assert result.exit_code == 0, result.output\n"
        "assert dict(os.environ) == before\n"
    )
    ended = subprocess.run([sys.executable, "-P", "-c", program], stderr=-1, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


ARTICLE = (
    b"<title>On bees</title><h1>On bees</h1><p>" + b"Bees live in colonies of many. " * 20
    + b"<div class=comments><p>What a nice story!</div>"
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "comment"),
    [
        ((), True),
        (("--scope", "article"), False),
        (("-s", "scope.name=article"), False),
        (("-s", "scope.name=article", "--comments"), True),
        (("--no-comments",), False),
    ],
)
def test_the_scope_comes_from_options_and_configuration(tmp_path, options, comment):
    (tmp_path / "a.html").write_bytes(ARTICLE)
    out = tmp_path / "out"
    arguments = [str(tmp_path / "a.html"), "-o", str(out), "-l", "none", *options]
    assert CliRunner().invoke(crawl_command, arguments).exit_code == 0
    (line,) = (out / "data/part-00000-00000.jsonl").read_text(encoding="utf-8").splitlines()
    assert ("What a nice story!" in json.loads(line)["text"]) == comment


def test_switches_say_what_markdown_shows(call):
    out = call("--markdown", "--no-links", "--no-formatting")["out"]
    given = {"links": False, "formatting": False}
    assert options_of(out)["shown"] == Shown(**given)._asdict()


def test_switches_without_markdown_are_refused(call):
    assert "--markdown, too" in call("--no-links", status=2)["messages"]
