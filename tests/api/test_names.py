"""The names of the package are those that it promises, and all of them are there."""

import pytest

import victor


@pytest.mark.parametrize("name", victor.__all__)
def test_every_name_is_there(name):
    assert getattr(victor, name) is not None


def test_the_names():
    assert sorted(victor.__all__) == sorted(
        "Block Cleaner ConfigError CorpusError FeatureError Label ModelError PageError Result "
        "Source TemplateError VictorCRF VictorError __version__ adapt clean clean_many evaluate "
        "fetch load_corpus load_model model_names sweep train".split()
    )


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'klean'"):
        victor.klean  # noqa: B018
