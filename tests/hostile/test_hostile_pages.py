"""Pages made to break things, through the whole of cleaning.

Each gives a result, which may be empty and says why, or one `PageError`; the page after it in the
batch is clean all the same, and time and memory stay in proportion to the page.
"""

import random
import time

import pytest

from victor import Cleaner
from victor.labelers.crf import CrfLabeler

NEXT = (
    b"<body><h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 6 + b"</p></body>"
)
SECONDS = 8.0
"""No page may take longer: generous, for a busy machine; they take below 2 each."""
MEGABYTE = 1_000_000
DOCUMENTS = ("article", "tei", "json")


@pytest.fixture(scope="module")
def cleaner(small_model):
    return Cleaner(CrfLabeler(small_model))


@pytest.fixture
def clean(cleaner):
    """Function: a page to its result, after a look at the page behind it."""

    def run(page):
        started = time.process_time()
        result, following = cleaner.clean_many([page, NEXT])
        assert time.process_time() - started < SECONDS
        assert following.reason == "ok"
        assert "Bees live in colonies" in following.text
        assert (result.error is None) == (
            result.reason in {"ok", "no-text", "no-content", "frames"}
        )
        if result.error is None:
            for form in ("text", "markdown", "html", "cleaneval", "records", *DOCUMENTS):
                result.render(form).encode()  # holds no surrogate
        return result

    return run


# --- bytes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes(clean, seed):
    clean(random.Random(seed).randbytes(100_000))


def test_random_markup(clean):
    rng = random.Random(11)
    scraps = [
        "<p>", "</p>", "<table>", "<td>", "</div>", "<div", " class=x", ">", "<!--", "-->", "<b>",
        "</body>", "</html>", "<svg>", "<script>", "</script>", "bees ", "&lt;", "\0", "\ud800",
        "<frameset>", "<title>", "<plaintext>", "<select><option>", "'", '"', "=",
    ]  # fmt: skip
    for _ in range(40):
        clean("".join(rng.choices(scraps, k=200)))


def test_nul_bytes_do_not_cut_the_text_off(clean):
    result = clean(NEXT.replace(b"Bees", b"Be\0es") + b"<p>" + b"The end of the page. " * 9)
    assert "The end of the page" in " ".join(block.text for block in result.blocks)


def test_lone_surrogates(clean):
    for surrogate in ("\ud800", "\udfff", "\udcff", "\udc80\ud800"):
        result = clean(f"<h1>On {surrogate} bees</h1><p class='{surrogate}'>{'They live. ' * 9}")
        assert any("They live." in block.text for block in result.blocks)


# --- charsets that lie ---------------------------------------------------------------------------

CZECH = "Žluťoučký kůň úpěl ďábelské ódy a včely létaly dál, jako by se nic nedělo. " * 4


@pytest.mark.parametrize("true", ["utf-8", "windows-1250", "utf-16"])
@pytest.mark.parametrize("told", ["utf-16", "utf-8", "shift_jis", "nonsense", "utf-7"])
def test_a_charset_that_lies(clean, true, told):
    page = f'<html><head><meta charset="{told}"></head><body><p>{CZECH}</p></body></html>'
    result = clean(page.encode(true, "replace"))
    assert any("Žluťoučký kůň" in block.text for block in result.blocks)


# --- sizes ---------------------------------------------------------------------------------------


def test_deep_nesting(clean):
    for tag in ("div", "table"):
        page = f"<{tag}>".encode() * 100_000 + b"<p>" + b"The words at the bottom. " * 9
        result = clean(page)
        assert "The words at the bottom." in " ".join(block.text for block in result.blocks)


def test_many_paragraphs_are_too_many_blocks(clean):
    result = clean(b"<p>one" * 300_000)
    assert result.reason == "too-many-blocks"
    assert "raise limits.blocks" in str(result.error)


def test_almost_too_many_paragraphs(cleaner):
    small = Cleaner(cleaner.labeler, limits=cleaner.limits.replace(blocks=30_000))
    (result,) = small.clean_many([b"<p>one word" * 30_000])
    assert result.error is None
    assert len(result.blocks) == 30_000


@pytest.mark.parametrize("page", [b"x" * 20_000_001, "ž" * 10_000_001], ids=["bytes", "text"])
def test_too_many_bytes_cost_nothing(cleaner, page):
    started = time.process_time()
    (result,) = cleaner.clean_many([page])
    assert result.reason == "too-many-bytes"
    assert time.process_time() - started < 1


def test_many_frames(clean):
    page = b"<frameset cols='*,*'>" + b"<frame src=a.html>" * 10_000 + b"</frameset>"
    assert clean(page).reason == "frames"


def test_expressions_that_backtrack(clean):
    clean(b"<p>" + b"1.1.1.1." * 50_000)
    clean(b"<p>" + b"www." * 100_000)
    clean(b"<p>" + b"a@" * 100_000 + b"<p>" + b"12:30" * 50_000)


def test_spaces(clean):
    clean(b"<pre>" + b" " * 2_000_000 + b"x</pre>")
    clean(b"<p>x" + b"<br>" * 50_000 + b"y")
    clean(b"<p>" + b"\xc2\xa0" * 1_000_000 + b"x")


# --- all of them ---------------------------------------------------------------------------------


def test_a_batch_of_bad_pages_goes_on(cleaner):
    pages = [b"", b"<p>one" * 200_001, NEXT, b"<!-- -->", None, NEXT, b"x" * 20_000_001,
             b"<frameset><frame src=a></frameset>", b"\0\0\0", NEXT]  # fmt: skip
    reasons = [result.reason for result in cleaner.clean_many(pages)]
    assert reasons[:8] == [
        "no-text", "too-many-blocks", "ok", "no-text", "not-a-page", "ok", "too-many-bytes",
        "frames",
    ]  # fmt: skip
    assert reasons[9] == "ok"
