"""A configuration over the specification of a crawl."""

import pytest
from msgspec import structs

from victor.config.schema import Filter, Limits
from victor.documents.process import CrawlSpec
from victor.render.forms import Shown


@pytest.fixture(scope="module")
def sections(small_model):
    """Sections that differ from the defaults of the schema."""
    return {
        "filter": Filter(least_words=7, most_invalid=0.1),
        "limits": Limits(bytes=5_000_000),
        "decide": small_model.config.decide.replace(method="expected-f", temperature=2.0),
    }


@pytest.fixture(scope="module")
def spec(small_model, sections, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "my.victor"
    structs.replace(small_model, config=small_model.config.replace(**sections)).save(path)
    return CrawlSpec(model=str(path), filter=Filter(least_words=1000))


def test_only_keys_that_are_named_replace_those_of_the_model(spec, sections):
    configured = spec.configured(None)
    found = {"filter": configured.filter, "limits": configured.limits}
    assert (found | {"decide": sections["decide"]}, configured.decision) == (sections, None)
    overrides = ["filter.least_words=8", "limits.seconds=7", "decide.threshold=0.3"]
    configured = spec.configured(None, overrides)
    assert configured.filter == sections["filter"].replace(least_words=8)
    assert configured.limits == sections["limits"].replace(seconds=7.0)
    assert configured.decision == sections["decide"].replace(threshold=0.3)


def test_a_model_is_known_by_its_fingerprint(spec):
    cleaner = spec.cleaner()
    assert spec.identity(cleaner)["model"] == cleaner.labeler.model.card["fingerprint"]


def test_the_configuration_of_a_labeler_is_part_of_what_a_run_is(tmp_path):
    path = tmp_path / "strict.yaml"
    path.write_text("base: kimatu\nsure: 0\n")
    plain, strict = CrawlSpec(labeler="kimatu"), CrawlSpec(labeler="kimatu", config=path)
    first = strict.identity(strict.cleaner())
    assert first != plain.identity(plain.cleaner())
    path.write_text("base: kimatu\nsure: 0.1\n")
    assert strict.identity(strict.cleaner()) != first


def test_what_markdown_shows_is_part_of_what_a_run_is():
    def identity(**options):
        spec = CrawlSpec(labeler="kimatu", **options)
        return spec.identity(spec.cleaner())

    bare = Shown(links=False)
    assert identity(shown=bare) == identity()  # of no Markdown
    assert identity(markdown=True, shown=bare) != identity(markdown=True) != identity()
