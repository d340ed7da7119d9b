"""What the options of `victor crawl` mean."""

import json

import pytest
from click.testing import CliRunner

from victor.cli.crawl import crawl_command
from victor.errors import ConfigError


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
    assert (options["limits"]["bytes"], options["limits"]["seconds"]) == (20_000_000, 7.0)
    assert options["filter"]["least_words"] == 3


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
    assert last.startswith(f"victor: wrote 2 of 2 pages to {run['out'] / 'data'} (parquet, ")


def rows(out):
    lines = (out / "data/part-00000-00000.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_markdown_stands_beside_the_text(call):
    row, *_ = rows(call("--markdown")["out"])
    assert row["text"].splitlines()[0] in row["markdown"]
    assert row["text"] != row["markdown"]
    plain, *_ = rows(call(folder="plain")["out"])
    assert (plain["text"], plain["markdown"]) == (row["text"], None)


def test_the_scope_says_whether_markdown_has_the_headline(call):
    def first_line(*options):
        out = call("--markdown", *options, folder="-".join(["out", *options]))["out"]
        row, *_ = rows(out)
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


def test_switches_without_markdown_are_refused(call):
    assert "--markdown, too" in call("--no-links", status=2)["messages"]
