"""Record batches in and out: a row for each, and the rows of a crawl."""

import gzip

import pyarrow as arrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import victor.arrow
from tests.rows import seen, tables
from victor.config.schema import Filter
from victor.crawl import CrawlSpec, Job, crawl, expand
from victor.documents.row import TYPES
from victor.errors import ConfigError

ROWS = tables(__file__)
QUICK = CrawlSpec(labeler="kimatu")
PAGE = "<html lang=en><title>Bees</title><p>Bees live in colonies, and so they have for long.</p>"


@pytest.fixture(scope="module")
def table(annotated):
    """Pages as rows, as a crawl reads them from Parquet."""
    pages = [page.html for page in annotated[:20]]
    pages += [b"%PDF-1.4", b"", b"<p>\xff\xfe" * 9, b"<title>x</title>"]
    rows = [
        {"html": page, "url": f"http://a.example/{i}", "id": f"p{i}", "date": "2026-01-02",
         "rank": i, "site": "A" if i % 2 else None, "links": ["a"]}
        for i, page in enumerate(pages)
    ]  # fmt: skip
    return arrow.Table.from_pylist(rows)


@pytest.fixture(scope="module", params=["kimatu", "default"])
def spec(request):
    if request.param == "kimatu":
        return CrawlSpec(labeler="kimatu", markdown=True, filter=Filter(least_words=30))
    return CrawlSpec().configured(None)


@pytest.mark.slow
def test_rows_are_those_of_a_crawl(table, spec, tmp_path):
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    job = Job(expand([str(tmp_path / "in.parquet")]), tmp_path / "out", spec, "parquet")
    totals = crawl(job)
    expected = pyarrow.parquet.read_table(tmp_path / "out" / "data").to_pylist()
    cleaned = victor.arrow.clean(table, spec=spec).to_pylist()
    assert len(cleaned) == table.num_rows
    assert [row["url"] for row in cleaned] == table["url"].to_pylist()
    written = [row for row in cleaned if row["status"] == "written"]
    source = {"file_path": str(tmp_path / "in.parquet")}
    assert [{name: row[name] for name in TYPES} | source for row in written] == expected
    assert len(written) == totals.written > 0
    reasons = [row["reason"] for row in cleaned if row["status"] == "dropped"]
    assert {reason: reasons.count(reason) for reason in reasons} == totals.dropped


@pytest.mark.parametrize("case", ROWS["cases"].values(), ids=ROWS["cases"])
def test_rows(case):
    batch = arrow.RecordBatch.from_pylist(case["pages"])
    columns = case.get("columns", {})
    rows = victor.arrow.clean(batch, spec=CrawlSpec(labeler="none"), columns=columns).to_pylist()
    assert seen(rows, case["rows"]) == case["rows"]


@pytest.mark.parametrize(
    "kind",
    [arrow.binary(), arrow.large_binary(), arrow.string(), arrow.large_string(),
     arrow.string_view(), arrow.binary_view(), arrow.dictionary(arrow.int8(), arrow.string())],
    ids=str,
)  # fmt: skip
def test_types_of_pages(kind):
    pages = arrow.array([PAGE.encode()] if "binary" in str(kind) else [PAGE], kind)
    given_batch = arrow.RecordBatch.from_arrays([pages], ["html"])
    (row,) = victor.arrow.clean(given_batch, spec=QUICK).to_pylist()
    assert row["text"].startswith("Bees live")


def test_a_row_that_cannot_be_read_fails_alone():
    broken = arrow.StringArray.from_buffers(
        2, arrow.py_buffer(b"\0\0\0\0\x02\0\0\0\x04\0\0\0"), arrow.py_buffer(b"\xff\xff<p")
    )
    given_batch = arrow.RecordBatch.from_arrays([arrow.array([PAGE, PAGE]), broken], ["html", "id"])
    first, second = victor.arrow.clean(given_batch, spec=QUICK).to_pylist()
    assert (first["status"], first["reason"]) == ("failed", "damaged-input")
    assert (second["status"], second["id"]) == ("written", "<p")


@pytest.mark.parametrize(("row", "options", "message"), ROWS["wrong"])
def test_what_is_wrong_is_named(row, options, message):
    with pytest.raises(ConfigError, match=message):
        victor.arrow.clean(arrow.RecordBatch.from_pylist([row]), spec=QUICK, **options)


def test_two_columns_of_one_name_are_refused():
    given_batch = arrow.RecordBatch.from_arrays([arrow.array([PAGE])] * 2, ["html", "html"])
    with pytest.raises(ConfigError, match="two columns"):
        victor.arrow.clean(given_batch, spec=QUICK)


@given(st.lists(st.none() | st.binary(max_size=60) | st.just(gzip.compress(b"<p>a")), max_size=4))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_any_bytes_give_a_row_each(pages):
    given_batch = arrow.RecordBatch.from_arrays([arrow.array(pages, arrow.binary())], ["html"])
    rows = victor.arrow.clean(given_batch, spec=QUICK).to_pylist()
    assert len(rows) == len(pages)
    assert all(row["status"] in ("written", "dropped", "failed") for row in rows)


def test_a_table_gives_a_table():
    table = arrow.table({"html": arrow.chunked_array([[PAGE], [PAGE, "<p>"]])})
    cleaned = victor.arrow.clean(table, spec=QUICK)
    assert isinstance(cleaned, arrow.Table)
    assert cleaned["status"].to_pylist() == ["written", "written", "dropped"]
