"""Limits of what is made of a page: beyond them it ends with an error, and costs no other page."""

import time
from threading import Thread

import pytest

from tests.rows import tables, written_out
from victor import Cleaner, ConfigError, PageError
from victor.config.schema import Config, Limits
from victor.kitten.normalize import normalize
from victor.labelers.labeler import build_labeler
from victor.page.allowance import Allowance, Allowances, Within
from victor.render.forms import FORMS

PAGE = b"<title>Bees</title><h1>Bees</h1>" + b"<p>Bees live in colonies, mostly.</p>" * 20
SHORT = b"<p>Bees live in <b>colonies</b>, mostly.</p>"
SHAPES = {name: written_out(page).encode() for name, page in tables(__file__)["shapes"].items()}
BY_THE_CORE = {"text", "native"}
"""Forms that the core writes, or that are such; it takes less than a second for any page."""
OF_BLOCKS = {"cleaneval", "records"}
"""Forms that have little to do where blocks are few."""
MOST = 10_000
"""Rows of all shapes; forms ask for each of them a few times, and look at the clock rarely."""


def result(page=PAGE, labeler="none", **limits):
    return Cleaner(build_labeler(labeler), limits=Limits(**limits)).clean(page, "http://a.net/")


def too(reason):
    """A context in which a page has to be beyond a limit, and to say which may be raised."""
    limit = {"slow": r"raise limits\.seconds", "much-output": r"raise limits\.output"}[reason]
    return pytest.raises(
        PageError, match=limit, check=lambda error: error.reason == f"too-{reason}"
    )


# --- time ----------------------------------------------------------------------------------------


class Clock:
    """Says how often it was asked; from then on it is late."""

    def __init__(self, late=10**9):
        self.asked, self.late = 0, late

    def __call__(self):
        self.asked += 1
        return 100.0 if self.asked > self.late else 0.0


@pytest.fixture
def clock(monkeypatch):
    """Function: a clock in place of that of the system, which is late after so many questions."""

    def put(late=10**9):
        clock = Clock(late)
        monkeypatch.setattr("victor.page.allowance.time.monotonic", clock)
        return clock

    return put


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", sorted({*FORMS} - BY_THE_CORE - {"sentences", "json"}))
def test_a_form_ends_where_its_time_does(form, shape, clock):
    cleaned = result(SHAPES[shape], seconds=5.0)
    whole = clock()
    cleaned.render(form)
    n = whole.asked
    of_blocks = form in OF_BLOCKS and len(cleaned.labels) < 100
    assert n > 2 or of_blocks, "nothing asks within the form"
    assert n < MOST, "the clock is looked at for every row"
    for late in {min(2, n - 1), n // 2, n - 1}:
        cleaned = result(SHAPES[shape], seconds=5.0)
        asked = clock(late)
        with too("slow"):
            cleaned.render(form)
        assert asked.asked == late + 1, "it goes on"
        clock()


@pytest.mark.parametrize("labeler", ["density", "dom", "kimatu", "none"])
def test_labelling_ends_where_its_time_does(labeler, clock):
    whole = clock()
    result(SHORT * 500, labeler, seconds=5.0)
    assert whole.asked > 2
    for late in range(1, whole.asked):
        clock(late)
        with too("slow"):
            result(SHORT * 500, labeler, seconds=5.0)


def test_xhtml_ends_where_its_time_does(clock):
    whole = clock()
    normalize(SHORT * 3_000)
    assert whole.asked > 20
    clock(whole.asked // 2)
    with too("slow"):
        normalize(SHORT * 3_000)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_a_time_of_its_own(form, monkeypatch):
    page, now = result(seconds=5), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 100)  # long after it was cleaned
    assert page.render(form)
    clock = iter(range(0, 10**9, 6))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with too("slow"):
        page.render(form)


def test_threads_have_times_of_their_own():
    allowances, other = Allowances(), []
    with Within(allowances, Allowance(seconds=-1)):
        thread = Thread(target=lambda: other.append(allowances.now.check()))
        thread.start()
        thread.join()
        with pytest.raises(PageError):
            allowances.now.check()
    assert other == [None]


# --- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_bounded(form):
    length = len(result().render(form))
    assert len(result(output=length).render(form)) == length
    with too("much-output"):
        result(output=length - 1).render(form)


def test_metadata_above_a_text_count_and_blocks_do_not():
    length = len(result().text)
    bounded = result(output=length)
    assert bounded.text == result().text
    with too("much-output"):
        bounded.render("text", with_metadata=True)
    assert len(result(output=1).blocks) == 21
    assert result(output=1).metadata["title"] == "Bees"


def test_nobody_else_gives_an_allowance():
    with pytest.raises(ConfigError, match="no option 'allowance'"):
        result().render("text", allowance=Allowance(1, 1))


def test_configurations_that_were_stored_before_have_the_limit():
    stored = Config().to_json()
    del stored["limits"]["output"]
    assert Config.from_json(stored).limits == Limits()


@pytest.mark.parametrize(
    "ask", [lambda cleaned: cleaned.render("markdown"), lambda cleaned: cleaned.blocks[0].links]
)
def test_what_is_added_to_addresses_is_counted_as_they_are_made(ask, monkeypatch):
    """Those that are absolute cost nothing."""
    relative = b"<base href='http://a.net/b/c/'>" + b"<p>to <a href=x>there</a></p>" * 50
    absolute = relative.replace(b"href=x", b"href=http://a.net/b/c/x")
    assert result(relative).blocks[0].links[0].address == "http://a.net/b/c/x"
    monkeypatch.setattr("victor.page.allowance.MOST_ADDED", 500)
    assert ask(result(absolute))
    with pytest.raises(PageError) as caught:
        ask(result(relative))
    assert caught.value.reason == "too-much-output"
