"""The model that ships: it is there, it is small, and it cleans."""

from importlib import resources

import victor
from victor.evaluation.scores import assess
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

PARAGRAPH = (
    "Beekeepers in the valley say that the spring was late this year, and that the hives which "
    "survived the winter are weaker than those of the year before. "
)
PAGE = f"""<html><head><title>A late spring</title></head><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
<article><h1>A late spring for the bees</h1><p>{PARAGRAPH * 2}</p><p>{PARAGRAPH}</p></article>
<footer class="footer"><p><a href="/terms">Terms of use</a> <a href="/privacy">Privacy</a></p>
</footer></body></html>"""


def test_it_ships():
    assert "default" in victor.model_names()
    model = victor.load_model()
    assert model.card["training"]["licences"]
    file = resources.files("victor.models") / "default.victor"
    assert len(file.read_bytes()) < 4_000_000


def test_it_cleans_a_page():
    result = victor.clean(PAGE)
    assert result.reason == "ok"
    assert result.text.count("Beekeepers") == 3
    assert "Privacy" not in result.text
    assert "News" not in result.text


def test_it_keeps_the_right_blocks_of_our_pages(annotated):
    """Nobody trained it on these: far below what was measured, something is broken."""
    model = victor.load_model()
    dataset = analyze(annotated, FeatureExtractor(model.config))
    marginals = model.marginals(dataset.columns, dataset.page_starts)
    scores = assess(dataset, marginals, Decision("expected-f"))
    assert scores.all_blocks.kept.f1 > 0.75
