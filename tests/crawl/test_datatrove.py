"""An extractor for pipelines that are there already."""

import subprocess
import sys

import pytest
from datatrove.data import Document

from victor.crawl.datatrove import VictorExtractor
from victor.documents.process import CrawlSpec

PAGE = "<title>Bees</title><p>Bees live in colonies, and so they have for a very long time.</p>"


@pytest.fixture(scope="module")
def extractor():
    return VictorExtractor(CrawlSpec(labeler="none"))


def test_html_to_text(extractor):
    assert extractor.extract(PAGE).endswith("for a very long time.\n")
    assert extractor.extract("") == ""
    assert extractor.extract("<urlset></urlset>") == ""


def test_exceptions_do_not_leave_it():
    broken = VictorExtractor(CrawlSpec(labeler="none"))
    broken.spec = None
    assert broken.extract(PAGE) == ""


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it forks
def test_in_the_process_of_datatrove():
    extractor = VictorExtractor(CrawlSpec(labeler="none"), timeout=60)
    documents = [Document(PAGE, "a", metadata={"url": "u"}), Document("<p></p>", "b")]
    (document,) = extractor.run(documents)
    assert (document.id, document.metadata) == ("a", {"url": "u"})
    assert "colonies" in document.text
    assert extractor.stats["dropped"].total == 1


def test_without_datatrove_its_extra_is_named():
    program = (
        "import sys; sys.modules['datatrove'] = None\n"
        "from victor.base.errors import ConfigError\n"
        "try:\n    import victor.crawl.datatrove\n"
        "except ConfigError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], stdout=-1, text=True, check=True)
    assert "pip install 'victor-crf[all]'" in done.stdout
