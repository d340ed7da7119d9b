"""Models to explain, and a browser to look at what was written."""

from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="session")
def bag_model(annotated):
    """A model with tokens, a conjunction of two blocks, and edges that tell distances."""
    from victor.analysis import Analyzer
    from victor.config import load
    from victor.dataset import analyze
    from victor.training import train

    template = (
        '[{column: "{word.count,word.end,link.density}", offset: "{-2..2}"}, {column: lexicon.all},'
        "[{column: word.count, offset: -1}, {column: link.density, offset: 1}]]"
    )
    settings = [
        f"template={template}", "page_edge=distance",
        "features=[words, links, lexicon, ancestors, headings, regexps, page]",
        "crf.bag_min_sites=1", "crf.max_iterations=20", "split=tag",
    ]  # fmt: skip
    analyzer = Analyzer(load("default", settings))
    return train(analyze(annotated[:12], analyzer), analyzer)


@pytest.fixture(scope="session")
def models(small_model, bag_model):
    return {"default": small_model, "bags": bag_model}


@pytest.fixture(scope="session")
def browser():
    """Chromium; tests that look at pages are left out only where it is not installed."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield started
        started.close()
