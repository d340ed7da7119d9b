"""Results and labels are the same page by page and in batches."""

from pathlib import Path

import numpy as np
import pytest

from victor.api import load_cleaner
from victor.errors import PageError
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("annotations/pages/*.html"))[::6]
TABLE = b"<p>Trains<table border=1>" + b"".join(
    b"<tr><td>R %d<td rowspan=1>%d:40" % (n, n) for n in range(5, 19)
)
ODD = (
    *(b"", b"   ", b"<p>", b"<frameset><frame src=a></frameset>", "mill \ud800 river", None),
    *(b"\xff\xfe<\0p\0>\0", b"<pre>a\n  b\n</pre><p>the mill", b"<math><mi>x", TABLE),
)


@pytest.fixture(scope="module")
def pages():
    return [*(path.read_bytes() for path in FILES), *ODD]


@pytest.fixture(scope="module")
def cleaner():
    return load_cleaner()


def plain(result):
    """All that a result says, to be compared."""
    error = result.error and (result.error.reason, str(result.error))
    arrays = result.labels.tolist(), result.marginals.tolist()
    return result.url, result.reason, error, result.text, dict(result.metadata), *arrays


def test_one_page_alone_is_the_page_of_a_batch(pages, cleaner):
    for page, result in zip(pages, cleaner.clean_many(pages), strict=True):
        if result.error is None:
            alone = cleaner.clean(page)
            assert plain(alone)[:5] == plain(result)[:5]
            assert np.allclose(alone.marginals, result.marginals, atol=1e-12)
        else:
            with pytest.raises(PageError, match=str(result.error)):
                cleaner.clean(page)


@pytest.mark.parametrize("name", ["default", "crf"])
@pytest.mark.parametrize("method", ["expected-f", "viterbi", "threshold"])
def test_labels_of_a_batch_are_those_of_each_page(name, method):
    labeler = CrfLabeler(load_model(name))
    pages = [*(path.read_bytes() for path in FILES), b""]
    decision = labeler.decision.replace(method=method)
    together = labeler.label(labeler.table(pages), decision)
    alone = [labeler.label(labeler.table([page]), decision) for page in pages]
    assert len(together.labels) > 300
    assert np.array_equal(together.labels, np.concatenate([each.labels for each in alone]))
    assert np.array_equal(together.marginals, np.concatenate([each.marginals for each in alone]))


def test_pages_without_blocks():
    labeler = CrfLabeler(load_model("default"))
    for pages in ([], [b""], [b"", b"<br>"]):
        verdict = labeler.label(labeler.table(pages))
        assert verdict.marginals.shape == (0, 3)
