"""Screens of the docs: each is made by a test, from our own annotated pages.

    pytest tests/screens --write-screens     # renews docs/images/*.png

Without the option a test makes the screen, throws it away, and checks the file that the docs show.
"""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from annotate.browser.conftest import SERVE, running

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "annotations" / "pages"
IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 200_000
SIZE = slice(16, 24)
"""Where a PNG file has its width and height."""
TWO_FRAMES = """() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})"""
"""What scripts draw before the next frame is drawn then."""
SHOWN = ("saltmarsh-oysters", "slowmile-lamplighter", "smallhours-tram", "gorsefield-seven-walks")
"""The pages that are annotated."""


def pytest_addoption(parser):
    parser.addoption("--write-screens", action="store_true", help="renew the pictures of the docs")


def pytest_collection_modifyitems(config, items):
    """Screens are slow tests, unless they are to be written."""
    for item in () if config.getoption("--write-screens", default=False) else items:
        if "screen" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def screen(request):
    """Checks the picture of a tab, `screen(tab, name)`, or writes it if that is wanted."""
    is_writing = request.config.getoption("--write-screens", default=False)
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)

    def check(tab, name, **options):
        tab.evaluate(TWO_FRAMES)
        picture = tab.screenshot(animations="disabled", caret="hide", **options)
        file = IMAGES / f"{name}.png"
        if is_writing:
            file.write_bytes(picture)
        assert file.is_file(), f"{file.name} is missing: pytest tests/screens --write-screens"
        assert file.read_bytes()[SIZE] == picture[SIZE]
        assert max(len(picture), file.stat().st_size) <= MOST_BYTES
        described = re.compile(rf"!\[[^\]]{{20,}}\]\([./a-z]*images/{re.escape(name)}\.png\)")
        assert described.search(shown), f"no page shows {file.name} with a description"

    return check


@pytest.fixture
def new_tab(browser):
    """Opens tabs that look the same every time."""
    contexts = []

    def open_tab(width=1280, height=800):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="light",
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
        )
        contexts.append(context)
        return context.new_page()

    yield open_tab
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A server of the annotator with a few of our pages; a tab that opens `url` may use it."""
    from victor.annotate.collect import collect

    folder = tmp_path_factory.mktemp("screens")
    (folder / "pages").mkdir()
    for name in SHOWN:
        (folder / "pages" / f"{name}.html").write_bytes((PAGES / f"{name}.html").read_bytes())
    ids = {page.file.stem: page.id for page in collect([str(folder / "pages")])}
    gold = {page.id: page.labels for page in collect([str(ROOT / "annotations")])}
    arguments = ["annotate", "serve", "--no-open", "pages", "--adapt-every", "0"]
    with running(SERVE, arguments, folder) as url:
        yield SimpleNamespace(url=url, ids=ids, gold=gold)
