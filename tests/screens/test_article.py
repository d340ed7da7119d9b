"""Screens of the article page, light and dark, on a wide window and on a phone."""

from pathlib import Path

import pytest

import victor

PAGES = Path(__file__).parents[2] / "annotations" / "pages"
SHOWN = (
    ("article-light", "saltmarsh-oysters", (1280, 370), "light", 0),
    ("article-dark", "quillstore-backup", (1280, 520), "dark", 380),
    ("article-phone-light", "quillstore-config", (390, 580), "light", 0),
    ("article-phone-dark", "loamhub-bed-six", (390, 580), "dark", 0),
)
"""Name of the picture, page, size of the window, what its reader likes, how far it is scrolled."""


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown[0])
def test_article(new_tab, tmp_path, screen, shown):
    name, page, size, scheme, scrolled = shown
    url = f"https://example.org/{page}"
    result = victor.clean((PAGES / f"{page}.html").read_bytes(), url=url, scope="article")
    file = tmp_path / "article.html"
    file.write_text(result.article, encoding="utf-8")
    tab = new_tab(*size)
    tab.emulate_media(color_scheme=scheme)
    tab.goto(file.as_uri())
    tab.evaluate(f"scrollTo(0, {scrolled})")
    screen(tab, name)
