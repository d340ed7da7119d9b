"""The examples of the documentation for engines that hold Arrow: they run, and agree."""

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

import victor.arrow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
COUNT = 12
HEAVY = ("ray", "spark")
"""They start servers, and are too large for the extra of the tests."""


@pytest.fixture(scope="module")
def pages(annotated, tmp_path_factory):
    """Pages in two Parquet files, one page without content among them."""
    folder = tmp_path_factory.mktemp("pages")
    rows = [{"page": page.html, "url": f"http://a.example/{i}"}
            for i, page in enumerate(annotated[:COUNT])]  # fmt: skip
    rows[3]["page"] = b"%PDF-1.4"
    for number, half in enumerate((rows[: COUNT // 2], rows[COUNT // 2 :])):
        table = pyarrow.Table.from_pylist(half)
        pyarrow.parquet.write_table(table, folder / f"{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def expected(pages):
    """Addresses to texts of what is written."""
    table = pyarrow.parquet.read_table(pages)
    rows = victor.arrow.clean(table, columns={"html": "page"}).to_pylist()
    return {row["url"]: row["text"] for row in rows if row["status"] == "written"}


@pytest.fixture
def run(tmp_path):
    """Function: name of an example and its arguments to the texts that it wrote, by address."""

    def start(name, source, *options):
        out = tmp_path / "clean"
        arguments = [*map(str, (source, out, "--html-column", "page", *options))]
        path = EXAMPLES / f"{name}_clean.py"
        if name in HEAVY:
            start_apart(path, arguments)
        else:
            load(path).main(arguments)
        rows = pyarrow.parquet.read_table(out).to_pylist()
        return {row["url"]: row["text"] for row in rows}

    return start


def load(path):
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start_apart(path, arguments):
    """Run a script in a process of its own, for what it starts outlives a test."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run([sys.executable, "-P", path, *arguments], env=environment, stdout=-1,
                          stderr=-1, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["polars", "duckdb", *HEAVY])
def test_an_engine_gives_the_same_texts(name, run, pages, expected):
    pytest.importorskip(name if name != "spark" else "pyspark")
    source = {"polars": pages / "*.parquet", "duckdb": f"SELECT * FROM '{pages}/*.parquet'"}
    assert run(name, source.get(name, pages)) == expected


@pytest.mark.slow
def test_datatrove_gives_the_same_texts(pages, expected, tmp_path):
    rows = pyarrow.parquet.read_table(pages).to_pylist()
    (tmp_path / "pages").mkdir()
    with (tmp_path / "pages/a.jsonl").open("w") as file:
        for row in rows:
            page = row["page"].decode("utf-8", "replace")
            file.write(json.dumps({"page": page, "url": row["url"]}) + "\n")
    arguments = [str(tmp_path / "pages"), str(tmp_path / "out"), "--html-column", "page"]
    start_apart(EXAMPLES / "datatrove_clean.py", arguments)
    written = [
        json.loads(line)
        for path in (tmp_path / "out").glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert {row["metadata"]["url"]: row["text"] for row in written} == expected


@pytest.mark.parametrize("name", ["polars", "duckdb"])
def test_a_column_that_is_missing_is_named(name, pages, tmp_path):
    pytest.importorskip(name)
    source = pages / "*.parquet" if name == "polars" else f"SELECT url FROM '{pages}/*.parquet'"
    with pytest.raises(Exception, match="no column 'html' for html"):
        load(EXAMPLES / f"{name}_clean.py").main([str(source), str(tmp_path / "out")])
