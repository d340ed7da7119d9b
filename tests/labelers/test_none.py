"""The labeler that keeps everything."""

from victor.labelers import build_labeler
from victor.page.verdict import whole

PAGE = b"<nav>Home</nav><h2>Bees</h2><p>They live in colonies."


def test_everything_is_kept_as_kitten_keeps_it():
    labeler = build_labeler("none")
    table = labeler.table([PAGE, b""])
    verdict = labeler.label(table)
    assert verdict.labels.tolist() == [1, 0, 1]
    assert verdict.labels.tolist() == whole(table).labels.tolist()
    assert verdict.kept.all()
