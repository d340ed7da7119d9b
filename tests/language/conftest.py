"""Sentences written for these tests, and identifiers made of the shipped profiles."""

from pathlib import Path

import pytest
import yaml

from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.profiles import load_profiles, train

SENTENCES = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))


@pytest.fixture(scope="session")
def sentences():
    """Language → sentences that no profile has seen."""
    return SENTENCES


@pytest.fixture(scope="session")
def small_profiles():
    """Profiles of a few sentences each, for what must hold whatever the training text."""
    return tuple(train(language, lines) for language, lines in SENTENCES.items())


@pytest.fixture(scope="session")
def shipped():
    return load_profiles()


@pytest.fixture(scope="session")
def beesley(shipped):
    return BeesleyIdentifier(shipped)


@pytest.fixture(scope="session")
def cavnar(shipped):
    return CavnarIdentifier(shipped)


@pytest.fixture(scope="session", params=["beesley", "cavnar"])
def identifier(request):
    """Both methods: what the protocol promises holds for each."""
    return request.getfixturevalue(request.param)
