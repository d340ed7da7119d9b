"""Pages that only say that there is no page give nothing; texts about errors stay."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.kinds.error_pages import MOST_WORDS, of_error_pages
from victor.page.table.segment import parse_pages

MESSAGE = "<p>We are sorry, what you are looking for is not here. Try the search or go home."


def _errors(*pages):
    table = parse_pages([page.encode() for page in pages], "block")
    errors = of_error_pages(table, np.full(len(table), Label.TEXT, dtype=np.uint8))
    return [bool(errors[start]) for start in table.page_starts[:-1]]


@pytest.mark.parametrize(
    "title",
    [
        "404 - Page not found | The Beekeeper",
        "The Beekeeper: Page Not Found",
        "403 Forbidden",
        "Error 404 (Not Found)!!1",
        "Just a moment...",
        "Stránka nenalezena – Včelař",
        "Seite nicht gefunden",
        "Page introuvable (404)",
        "Página no encontrada",
        "Страница не найдена",
        "ページが見つかりません",
    ],
)
def test_titles_that_are_messages(title):
    assert _errors(f"<title>{title}</title>{MESSAGE}", f"<title>Bees</title>{MESSAGE}") == [
        True,
        False,
    ]


def test_the_first_heading_counts_too():
    page = f"<title>The Beekeeper</title><h1>Page not found</h1>{MESSAGE}"
    assert _errors(page, "<h1>Finding a page</h1><p>It is not found.") == [True, False]


def test_a_text_about_errors_stays():
    text = "<p>" + "How a server answers. " * (MOST_WORDS // 4 + 1)
    assert _errors(f"<title>404 Not Found</title>{text}") == [False]
    assert _errors(f"<title>Page not found: why links die</title>{text}") == [False]


@pytest.mark.parametrize(("n_words", "is_error"), [(60, True), (61, False)])
def test_an_error_message_has_sixty_words_at_most(n_words, is_error):
    assert _errors(f"<title>404 Not Found</title><p>{'word ' * n_words}") == [is_error]


def test_what_is_dropped_does_not_count():
    page = f"<title>Not found</title>{MESSAGE}<p>" + "menu " * 200
    table = parse_pages([page.encode()], "block")
    labels = np.array([Label.TEXT, Label.OTHER], dtype=np.uint8)
    assert of_error_pages(table, labels).all()
    assert not of_error_pages(table, np.full(2, Label.TEXT, dtype=np.uint8)).any()


def test_an_empty_batch():
    assert _errors() == []
    table = parse_pages([b"<title>Not found</title>"], "block")
    assert not len(of_error_pages(table, np.zeros(0, dtype=np.uint8)))
