"""What a configuration makes of a system."""

from dataclasses import replace

import pytest

from victor.config import Config, Filter, Limits, load
from victor.crawl.documents.cleaner_spec import System
from victor.errors import ConfigError


@pytest.fixture(scope="module")
def own(small_model):
    """Sections that differ from the defaults of the schema."""
    return {
        "filter": Filter(least_words=7, least_confidence=0.1),
        "limits": Limits(bytes=5_000_000),
        "decide": small_model.config.decide.replace(method="expected-f", temperature=2.0),
    }


@pytest.fixture(scope="module")
def system(small_model, own, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "my.victor"
    replace(small_model, config=small_model.config.replace(**own)).save(path)
    return System(model=str(path), filter=Filter(least_words=1000))


def test_what_is_not_said_is_as_the_model_has_it(system, own):
    found = system.configured(load(None))
    assert (found.filter, found.limits, found.decision) == (own["filter"], own["limits"], None)


def test_what_is_said_goes_key_by_key(system, own):
    said = ["filter.least_words=8", "limits.seconds=7", "decide.threshold=0.3"]
    found = system.configured(load(None, said))
    assert found.filter == Filter(least_words=8, least_confidence=0.1)
    assert found.limits == Limits(bytes=5_000_000, seconds=7.0)
    assert found.decision == own["decide"].replace(threshold=0.3)


def test_the_rest_of_the_system_stays(system):
    other = replace(system, form="markdown", aside=True).configured(Config())
    assert (other.model, other.form, other.aside) == (system.model, "markdown", True)


def test_a_labeler_without_a_model_has_the_defaults():
    found = System(labeler="bte").configured(load(None, ["filter.least_words=3"]))
    assert found.filter == Filter(least_words=3)
    assert found.limits == Limits()


def test_a_model_beside_a_labeler_is_refused():
    with pytest.raises(ConfigError, match="leave one out"):
        System(model="default", labeler="bte").configured(Config())
