"""A missing optional package is named together with the extra that installs it."""

import pytest

from victor.errors import ConfigError
from victor.sources.optional import needed


def test_an_installed_module_is_returned():
    assert needed("fastwarc.warc").WarcRecord


@pytest.mark.parametrize("module", ["no_such_package_here", "no_such_package_here.inner"])
def test_a_missing_one_is_a_configuration_error(module):
    with pytest.raises(ConfigError, match=r'no_such_package_here .*pip install "victor\[crawl\]"'):
        needed(module)
