"""The system of the 2008 paper from the command line: trained on our pages, cleaning one."""

from pathlib import Path

from victor.corpus.pages import write_corpus

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "examples" / "papers" / "victor-czech.html"


def test_trained_on_our_pages_it_cleans_a_page(victor, annotated, tmp_path):
    write_corpus(tmp_path / "corpus", annotated[:20])
    model, fast = tmp_path / "my.victor", ("--set", "crf.max_iterations=15")
    trained = victor("train", tmp_path / "corpus", "-c", "victor-paper", *fast, "-o", model)
    assert trained.status == 0, trained.err
    cleaned = victor("clean", "-m", model, PAGE)
    assert cleaned.status == 0, cleaned.err
    assert "V sobotu ráno začal za obcí výlov rybníka" in cleaned.out
    assert "Archiv" not in cleaned.out
    everything = victor("clean", "-m", model, "-t", "1", PAGE)
    assert "Archiv" in everything.out, "the threshold is what drops the menu"
