"""The names of the package are those that it promises, and all of them are there."""

import pytest

import victor


def test_the_names_are_there():
    assert sorted(victor.__all__) == sorted(
        "Block Cleaner ConfigError CorpusError FeatureError Label ModelError PageError Result "
        "Source TemplateError VictorCRF VictorError __version__ adapt clean clean_many evaluate "
        "fetch load_corpus load_model model_names sweep train".split()
    )
    assert all(getattr(victor, name) is not None for name in victor.__all__)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'klean'"):
        victor.klean  # noqa: B018
