"""Limits of what is written of a page: every form has them, and beyond is an error of that page."""

import time

import pytest

from victor import Cleaner, PageError
from victor.config.schema import Config, Limits
from victor.labelers.labeler import build_labeler
from victor.page.allowance import MOST_ADDED, Allowance
from victor.render.forms import FORMS
from victor.render.tree.addresses import Addresses

PAGE = b"<title>Bees</title><h1>Bees</h1>" + b"<p>Bees live in colonies, mostly.</p>" * 20


def result(page=PAGE, **limits):
    return Cleaner(build_labeler("none"), limits=Limits(**limits)).clean(page, "http://a.net/")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_bounded(form):
    length = len(result().render(form))
    assert len(result(output=length).render(form)) == length
    with pytest.raises(PageError, match=r"raise limits\.output") as caught:
        result(output=length - 1).render(form)
    assert caught.value.reason == "too-much-output"


def test_metadata_above_a_text_count():
    page = result()
    length = len(page.text)
    assert len(page.render("text", with_metadata=True)) > length
    assert result(output=length).text == page.text
    with pytest.raises(PageError, match=f"more than {length} characters"):
        result(output=length).render("text", with_metadata=True)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_a_time_of_its_own(form, monkeypatch):
    page = result(seconds=5)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 100)  # long after it was cleaned
    assert page.render(form)
    clock = iter(range(0, 10**9, 6))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with pytest.raises(PageError, match=r"raise limits\.seconds") as caught:
        page.render(form)
    assert caught.value.reason == "too-slow"


def test_what_is_within_the_limits_of_cleaning_may_still_be_asked_for_its_blocks():
    page = result(output=1)
    assert len(page.blocks) == 21
    assert page.metadata["title"] == "Bees"


def test_nobody_else_gives_an_allowance():
    from victor import ConfigError

    with pytest.raises(ConfigError, match="no option 'allowance'"):
        result().render("text", allowance=Allowance(1, 1))


def test_configurations_that_were_stored_before_have_the_limit():
    stored = Config().to_json()
    del stored["limits"]["output"]
    assert Config.from_json(stored).limits == Limits()


def test_addresses_are_counted_as_they_are_made():
    added = len("http://a.net/") + 1_901
    addresses = Addresses(f"http://a.net/{'b' * 1_900}/", None)
    assert addresses.link("c").endswith("b/c")
    for _ in range(MOST_ADDED // added - 1):
        addresses.image("c")
    with pytest.raises(PageError, match="leave out links and images") as caught:
        [addresses.image("c") for _ in range(2)]
    assert caught.value.reason == "too-much-output"


def test_addresses_that_are_absolute_cost_nothing(monkeypatch):
    monkeypatch.setattr("victor.page.allowance.MOST_ADDED", 20)
    addresses = Addresses("http://a.net/", None)
    assert {addresses.link("http://b.net/" + "c" * 100) for _ in range(9)} != {""}
    addresses.link("c")
    with pytest.raises(PageError):
        addresses.link("d")


def test_links_of_blocks_are_counted_likewise(monkeypatch):
    page = b"<base href='http://a.net/b/c/'>" + b"<p>to <a href=x>there</a></p>" * 50
    assert result(page).blocks[0].links[0].address == "http://a.net/b/c/x"
    monkeypatch.setattr("victor.page.allowance.MOST_ADDED", 500)
    with pytest.raises(PageError) as caught:
        _ = result(page).blocks[0].links
    assert caught.value.reason == "too-much-output"
