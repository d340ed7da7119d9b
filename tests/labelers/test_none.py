"""The labeler that keeps everything."""

from victor.base.labels import Label
from victor.labelers import build_labeler

PAGE = b"<nav>Home</nav><h2>Bees</h2><p>They live in colonies."


def test_everything_is_kept():
    labeler = build_labeler("none")
    verdict = labeler.label(labeler.table([PAGE, b""]))
    assert verdict.labels.tolist() == [Label.TEXT, Label.HEADER, Label.TEXT]
    assert verdict.kept.all()
    assert verdict.marginals.tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    assert verdict.method == "none"
