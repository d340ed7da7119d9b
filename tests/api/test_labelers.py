"""Labelers that need no model are named in place of one."""

import pytest

import victor
from victor.api import load_cleaner
from victor.errors import ConfigError


def test_other_labelers_are_named_like_models():
    page = (
        "<nav><a href=/>Home</a></nav>"
        + "<p>Bees live in colonies, and there is one queen.</p>" * 9
    )
    cleaner = load_cleaner(labeler="kimatu")
    assert cleaner.labeler.name == "kimatu"
    expected = cleaner.clean(page).text
    assert victor.clean(page, labeler="kimatu").text == expected
    assert [result.text for result in victor.clean_many([page], labeler="kimatu")] == [expected]
    assert "Home" in victor.clean(page, labeler="none").text


def test_a_labeler_that_is_none():
    with pytest.raises(ConfigError, match=r"kimatuu.*did you mean kimatu"):
        victor.clean("<p>Bees.", labeler="kimatuu")
    with pytest.raises(ConfigError, match="name one of them"):
        victor.clean("<p>Bees.", model="crf", labeler="kimatu")
    with pytest.raises(ConfigError, match="load_cleaner"):
        victor.Cleaner(victor.load_model("crf"))
