"""How results and blocks show themselves: in a shell, in a notebook, as a demo page."""

import html

import pytest

import victor
from victor.errors import ConfigError

PAGE = b"<title>On bees</title><h1>Bees</h1>" + b"<p>Bees live in colonies, and ants do. " * 9


def test_a_result_says_what_was_kept():
    result = victor.clean(PAGE)
    kept = sum(block.kept for block in result.blocks)
    shown = repr(result)
    assert shown.startswith(f"<Result ok: {kept} of {len(result.blocks)} blocks, ")
    assert "'On bees'" in shown
    assert result.text.split("\n")[0][:20] in shown
    assert len(shown) < 250


@pytest.mark.parametrize("page", [b"", b"<title>\x1b[31m\xe2\x80\xae</title><p>hi", b"%PDF-1.4 x"])
def test_any_result_is_one_harmless_line(page):
    (result,) = victor.clean_many([page])
    shown = repr(result)
    assert result.reason in shown
    assert shown.isprintable()


def test_a_result_of_a_batch_shows_its_own_page():
    _, second = victor.clean_many([b"<title>first</title><p>other text", PAGE])
    assert repr(second) == repr(victor.clean(PAGE))
    assert second.demo() == victor.clean(PAGE).demo()


def test_a_notebook_gets_a_frame_that_may_only_run_scripts():
    result = victor.clean(PAGE)
    shown = result._repr_html_()
    assert shown.startswith('<iframe srcdoc="')
    assert 'sandbox="allow-scripts"' in shown
    document = shown.split('srcdoc="')[1].split('"')[0]
    assert html.unescape(document) == result.demo()


def test_a_notebook_is_told_how_to_get_a_large_page(monkeypatch):
    monkeypatch.setattr("victor.explain.demo_page.LARGEST", 1)
    shown = victor.clean(PAGE)._repr_html_()
    assert "iframe" not in shown
    assert "result.demo()" in shown


def test_what_failed_has_no_page():
    (result,) = victor.clean_many([b"%PDF-1.4 x"])
    assert result._repr_html_() is None
    with pytest.raises(ConfigError, match="there is no page to show: it is"):
        result.demo()


def test_the_title_is_that_of_the_page_or_a_given_one():
    assert (
        '<h1 dir="auto">Bees · http://b.example/</h1>'
        in victor.clean(PAGE, url="http://b.example/").demo()
    )
    assert "<title>My &lt;page&gt;</title>" in victor.clean(PAGE).demo("My <page>")
