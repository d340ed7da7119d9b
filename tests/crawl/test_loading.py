"""The folder of a run, loaded by its name: what libraries find there."""

import json

import pytest
import yaml

from victor.crawl.run import Job, crawl
from victor.documents.process import CrawlSpec
from victor.documents.row import TYPES, arrow_schema
from victor.sources.inputs import expand

SEVERAL = 30
FORMS = ("parquet", "jsonl.gz", "jsonl")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A file of pages: what is known of the first is unknown of the others, and the reverse."""
    path = tmp_path_factory.mktemp("in") / "pages.jsonl"
    head = '<meta property="og:site_name" content="Bees"><meta name="author" content="A. Apis">'
    with path.open("w") as file:
        for number in range(SEVERAL):
            known = head if number >= SEVERAL // 2 else ""
            page = f"<html lang=en>{known}<title>P{number}</title><p>Page {number}, of bees.</p>"
            row = {"html": page, "id": f"p{number}", "url": f"http://a.example/{number}"}
            file.write(json.dumps(row | ({"rank": number} if number < 3 else {})) + "\n")
    return path


@pytest.fixture(scope="module")
def folders(rows, tmp_path_factory):
    """Forms to the folders of runs."""
    out = tmp_path_factory.mktemp("runs")
    for form in FORMS:
        spec = CrawlSpec(labeler="none", markdown=True)
        job = Job(expand([str(rows)]), out / form, spec, form, part_size=2_000)
        assert crawl(job).written == SEVERAL
        broken = out / form / "failed.jsonl"
        broken.write_text('{"source": 1}\n')  # whoever takes it for data, fails
    return {form: out / form for form in FORMS}


def is_whole(ids, texts):
    assert sorted(ids) == sorted(f"p{number}" for number in range(SEVERAL))
    assert all(text.startswith("Page ") for text in texts)


def test_pandas(folders):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_parquet(folders["parquet"] / "data")
    is_whole(table["id"], table["text"])
    assert [*table.columns] == [*TYPES]
    assert [*table["metadata"][0]] == [*TYPES["metadata"]]


def test_polars(folders):
    polars = pytest.importorskip("polars")
    table = polars.read_parquet(folders["parquet"] / "data")
    is_whole(table["id"], table["text"])
    authors = table.select(polars.col("metadata").struct.field("authors"))["authors"]
    assert authors.to_list() == [[]] * (SEVERAL // 2) + [["A. Apis"]] * (SEVERAL // 2)
    # The types of JSON lines have to be given: the first of them do not show all.
    lines = polars.read_ndjson(
        folders["jsonl"] / "data", schema=polars.from_arrow(arrow_schema().empty_table()).schema
    )
    assert lines.equals(table)


def test_pyarrow(folders):
    dataset = pytest.importorskip("pyarrow.dataset")
    table = dataset.dataset(folders["parquet"] / "data").to_table()
    is_whole(table["id"].to_pylist(), table["text"].to_pylist())
    for form in ("jsonl", "jsonl.gz"):
        lines = dataset.dataset(folders[form] / "data", format="json", schema=arrow_schema())
        assert lines.to_table().to_pylist() == table.to_pylist()


@pytest.mark.parametrize("form", FORMS)
def test_datasets(folders, form, tmp_path):
    datasets = pytest.importorskip("datasets")
    table = datasets.load_dataset(str(folders[form]), split="train", cache_dir=str(tmp_path))
    is_whole(table["id"], table["text"])
    assert [*table.features] == [*TYPES]
    assert [*table.features["metadata"]] == [*TYPES["metadata"]]
    assert {each["site"] for each in table["metadata"]} == {None, "Bees"}
    assert all("Page " in each for each in table["markdown"])


def test_the_card_names_the_parts_and_every_field(folders):
    card = (folders["jsonl.gz"] / "README.md").read_text()
    head = yaml.safe_load(card.split("---\n")[1])
    (config,) = head["configs"]
    (files,) = config["data_files"]
    found = [*folders["jsonl.gz"].glob(files["path"])]
    assert len(found) > 1
    assert [each["name"] for each in head["dataset_info"]["features"]] == [*TYPES]
    assert "30 documents of 30 pages" in card


def test_nothing_but_parts_lies_in_data(folders):
    for form, folder in folders.items():
        names = [path.name for path in sorted((folder / "data").iterdir())]
        assert names == [f"part-00000-{number:05d}.{form}" for number in range(len(names))]
