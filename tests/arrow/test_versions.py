"""A model or configuration that is written again is loaded again."""

import os
import shutil

import pyarrow as arrow
import pytest

import victor.arrow
from victor.documents.process import CrawlSpec
from victor.labelers.crf import model_file, model_labeler

BATCH = arrow.RecordBatch.from_pylist([{"html": "<p>Bees live in colonies of many workers."}])


def model_of(**options):
    return victor.arrow.clean(BATCH, **options).to_pylist()[0]["model"]


@pytest.fixture
def replace(small_model_file):
    """Function: puts another model in the place of one, by another way."""

    def replaced(path, way):
        before = path.stat()
        if way == "renamed":
            shutil.copy(small_model_file, path.with_name("new"))
            path.with_name("new").replace(path)
        else:
            shutil.copyfile(small_model_file, path)
        if way == "of the same time":
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    return replaced


@pytest.mark.parametrize("way", ["renamed", "in place", "of the same time"])
@pytest.mark.parametrize("named", ["model", "spec"])
def test_an_adapted_model_cleans_from_the_next_batch_on(tmp_path, replace, way, named):
    path = tmp_path / "mine.victor"
    shutil.copy(model_file("default"), path)
    options = {"model": path} if named == "model" else {"spec": CrawlSpec(model=str(path))}
    before = model_of(**options)
    assert model_of(**options) == before
    labeler = model_labeler(path)
    replace(path, way)
    assert model_of(**options) != before
    assert model_labeler(path) is not labeler
    assert model_labeler(path) is model_labeler(path)
