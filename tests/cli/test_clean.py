"""`victor clean`: what goes in, what comes out, and where."""

import json
import os
import sys

import pytest
from msgspec.structs import replace

import victor as package
from victor.cli.cleaner_options import Deciding
from victor.cli.pages import unique
from victor.config.schema import Filter
from victor.model.decide import Decision

PAGE = b"<html><body><h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 5


@pytest.fixture
def clean(victor, small_model_file):
    """Function: `victor clean` with the small model."""

    def run(*arguments, stdin=b""):
        return victor("clean", "--model", small_model_file, *arguments, stdin=stdin)

    return run


def test_a_file_whose_name_is_not_utf8(clean, tmp_path):
    path = bytes(tmp_path) + b"/v\xe8ela.html"
    with open(path, "wb") as file:
        file.write(PAGE)
    run = clean("-f", "records", tmp_path)
    assert run.status == 0
    assert json.loads(run.out.splitlines()[0])["url"].endswith("v\ufffdela.html")


@pytest.mark.parametrize(
    "form",
    ["text", "markdown", "html", "article", "tei", "json", "cleaneval", "records", "native"],
)
def test_every_form(clean, small_model, form):
    run = clean("-f", form, "-", stdin=PAGE)
    assert run.status == 0
    assert run.out.rstrip("\n") == package.clean(PAGE, model=small_model).render(form).rstrip("\n")


def test_output_is_utf8_whatever_the_locale(process, small_model_file):
    page = "<p>Žluťoučký kůň úpěl ďábelské ódy, a to celou noc až do rána.</p>".encode()
    running = process(
        "clean", "-m", small_model_file, "-t", "1", stdin=-1, stdout=-1, stderr=-1,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    out, err = running.communicate(page)
    assert (running.returncode, err) == (0, b"")
    assert "Žluťoučký kůň" in out.decode()


@pytest.mark.parametrize(
    ("stems", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a-2", "a-3"]),
        (["a", "a", "a-2", "A"], ["a", "a-2", "a-2-2", "A-2-2"]),
        (["a-2", "a", "a"], ["a-2", "a", "a-3"]),
    ],
)
def test_names_are_unique_even_where_case_does_not_matter(stems, names):
    results = list(unique(stems))
    assert len({name.casefold() for name in results}) == len(stems)
    assert results[:3] == names[:3]


def test_what_an_option_leaves_open_is_as_configured():
    configured = Decision(method="viterbi", threshold=0.3, temperature=2.0)
    decided = {
        (None, None): None,
        (0.7, None): Decision("threshold", 0.7),
        ("precision", None): Decision("threshold", 0.2),
        (None, "threshold"): Decision("threshold", 0.3, 2.0),
        (None, "expected-f"): Decision("expected-f", 0.3, 2.0),
    }
    for (threshold, method), decision in decided.items():
        given = Deciding(threshold=threshold, method=method)
        assert given.decision(configured, {"precision": 0.2}) == decision


def test_a_preset_is_a_threshold_by_name(clean, small_model, tmp_path):
    path = tmp_path / "preset.victor"
    replace(small_model, presets={"precision": 0.1}).save(path)
    by_name = clean("-m", path, "-t", "precision", "-", stdin=PAGE)
    assert by_name.status == 0
    assert by_name.out == clean("-m", path, "-t", "0.1", "-", stdin=PAGE).out
    unknown = clean("-m", path, "-t", "recall", "-", stdin=PAGE)
    assert (unknown.status, unknown.out) == (2, "")
    assert "no preset 'recall'; known are: precision" in unknown.err
    assert clean("-m", path, "-t", "1.5", "-", stdin=PAGE).status == 2


# --- the page filter of a model -------------------------------------------------------------------


CZECH_PAGE = f"<p>{'Včely žijí v úlech a v zimě spí, aby na jaře zase mohly létat. ' * 6}".encode()


@pytest.fixture
def filtering(small_model, tmp_path):
    """Path of a model that keeps Czech pages of ten words and more."""
    page_filter = Filter(identifier="beesley", languages=("cs",), least_words=10)
    path = tmp_path / "filtering.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    return path


@pytest.mark.parametrize(
    ("page", "reason"),
    [(PAGE, "language"), (b"<p>Kr\xc3\xa1tk\xc3\xbd text.", "too-little-text"),
     (CZECH_PAGE + b"\x01" * 9, "invalid-characters")],
)  # fmt: skip
def test_a_page_that_the_filter_drops_gives_its_reason_and_no_text(victor, filtering, page, reason):
    for form in ("text", "html", "records"):
        run = victor("clean", "-m", filtering, "-t", "1", "-f", form, stdin=page)
        assert (run.status, run.out) == (0, "")
        assert run.err == f"victor: 1 of 1 page has no clean text: {reason} 1\n"


def test_the_filter_keeps_what_it_is_for(victor, filtering, clean):
    run = victor("clean", "-m", filtering, "-t", "1", stdin=CZECH_PAGE)
    assert (run.status, run.err) == (0, "")
    assert run.out == clean("-t", "1", stdin=CZECH_PAGE).out


def test_a_model_may_drop_paragraphs_in_other_languages(victor, small_model, tmp_path):
    page_filter = Filter(identifier="beesley", languages=("cs",), paragraphs="drop")
    path = tmp_path / "native.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    english = "<p>The bees live in hives and sleep in winter, to fly again in spring.</p>"
    run = victor("clean", "-m", path, "-t", "1", stdin=CZECH_PAGE + english.encode())
    assert (run.status, run.err) == (0, "")
    assert run.out == victor("clean", "-m", path, "-t", "1", stdin=CZECH_PAGE).out


@pytest.mark.slow
def test_the_filter_holds_in_every_process(victor, filtering, folder, tmp_path):
    czech = tmp_path / "czech.html"
    czech.write_bytes(CZECH_PAGE)
    pages = [*sorted(folder.iterdir()), czech] * 2
    one, two = (victor("clean", "-m", filtering, "-j", jobs, *pages) for jobs in "12")
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert "language" in one.err


def test_two_processes_give_what_one_gives(clean, folder, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    pages = [large, *sorted(folder.iterdir()), "-"]
    one = clean("-f", "records", *pages, stdin=PAGE)
    two = clean("-f", "records", "-j", "2", *pages, stdin=PAGE)
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert "too-many-bytes" in two.err
    assert "Bees live in colonies" in two.out


def test_a_page_that_cannot_be_rendered(clean, monkeypatch):
    def render(*_, **__):
        raise ValueError("no\nway")

    monkeypatch.setattr("victor.render.text.plain_text", render)
    run = clean(stdin=PAGE)
    assert run.status == 1
    assert run.err.splitlines() == [
        "victor: -: cannot be rendered: ValueError: no: way",
        "victor: 1 of 1 page failed: failed 1",
    ]


@pytest.mark.parametrize("command", ["clean", "normalize"])
def test_a_missing_package_is_one_error_of_the_call(victor, folder, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    run = victor(command, "-f", "sentences", folder)
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        "victor: splitting sentences needs the package sentencex: pip install 'victor-crf[crawl]'\n"
    )


# --- parts of pages ------------------------------------------------------------------------------
