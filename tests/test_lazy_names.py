"""Names that packages load from their modules when they are first used."""

from importlib import import_module

import pytest

PACKAGES = ("victor", "victor.crawl", "victor.evaluation", "victor.training")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_can_be_loaded(package):
    module = import_module(package)
    assert all(getattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_offered_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'klean'"):
        import_module(package).klean  # noqa: B018
