"""Fixtures for all tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import settings
from web_server import serving

ROOT = Path(__file__).parents[1]

settings.register_profile("victor", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("nightly", deadline=None, max_examples=400)
settings.load_profile("victor")  # no test depends on how fast the machine is, or on luck

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""A browser that asks nobody anything of its own accord."""


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="write what cases give into their files")


@pytest.fixture
def held(request):
    """What a YAML file holds under a name; ``--update`` writes there first what was found."""

    def read(file, name, found):
        whole = yaml.safe_load(file.read_text("utf-8")) if file.exists() else {}
        if request.config.getoption("update"):
            whole[name] = found
            written = yaml.safe_dump(whole, width=10_000, default_flow_style=None)
            file.write_text(written, "utf-8")
        return whole[name]

    return read


@pytest.fixture(scope="session")
def annotated():
    """Our own annotated pages."""
    from victor.corpus.pages import read_marked_corpus

    return tuple(read_marked_corpus(ROOT / "annotations"))


@pytest.fixture(scope="session")
def small_model(annotated):
    """The default configuration trained on our own pages: seconds, and good enough to test with."""
    from victor.config.layers import load
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    extractor = FeatureExtractor(load("crf"))
    return train(analyze(annotated, extractor), extractor)


@pytest.fixture(scope="session")
def expert_model():
    """The default model with the leaves that it has for articles, and an expert that keeps more.

    Both have as much to say of every page, unless a user tells the type.
    """
    import numpy as np
    from msgspec.structs import replace

    from victor.labelers.crf import load_model
    from victor.model.trees import Gate

    model = load_model()
    trees = model.potentials
    leaves, cover = trees.leaves[:1], trees.cover[:1]
    experts = replace(
        trees,
        leaves=np.concatenate([leaves, np.abs(leaves)]),
        cover=np.concatenate([cover, cover]),
        gate=Gate.even(("article", "forum"), len(trees.columns)),
    )
    return replace(model, potentials=experts)


@pytest.fixture(scope="session")
def expert_model_file(expert_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "experts.victor"
    expert_model.save(path)
    return path


@pytest.fixture(scope="session")
def small_model_file(small_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "small.victor"
    small_model.save(path)
    return path


def pytest_make_parametrize_id(val):
    """Pages and archives as parameters are named by their length."""
    if isinstance(val, bytes | str) and len(val) > 80:
        return f"{len(val)} {type(val).__name__}"
    return None


@pytest.fixture(scope="session")
def browser():
    """Chromium as Playwright drives it. Without it tests are skipped, or fail if CI wants them.

    ``VICTOR_BROWSER`` is 1 where it must be there, and 0 where no browser is wanted.
    """
    if os.environ.get("VICTOR_BROWSER") == "0":
        pytest.skip("VICTOR_BROWSER is 0")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing = pytest.fail if os.environ.get("VICTOR_BROWSER") == "1" else pytest.skip
        missing("no Chromium; on Debian, run 'apt-get install chromium'")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def opened_file(browser):
    """Function: a file to its page in the browser; it may ask for nothing and complain of nothing.

    Drawings that stand in the file itself are no requests.
    """
    pages, seen, expected = [], [], []

    def open_file(path, **options):
        page = browser.new_page(**{"viewport": {"width": 1366, "height": 768}, **options})
        pages.append(page)
        expected.append(path.as_uri())
        page.on("request", lambda request: seen.append(request.url))
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_file
    for page in pages:
        page.close()
    assert [said for said in seen if not said.startswith("data:image/svg+xml;base64,")] == expected


@pytest.fixture(scope="session")
def process():
    """Function: arguments to a command in a process of its own, not yet waited for."""

    def start(*arguments, **options):
        program = "from victor.cli import main; main()"
        return subprocess.Popen(
            [sys.executable, "-P", "-c", program, *map(str, arguments)], **options
        )

    return start


@pytest.fixture(scope="session")
def serve():
    """Starts a web server with answers by path."""
    return serving
