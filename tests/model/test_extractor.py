"""What goes with a module that is off, and what is read of one that nothing reads."""

import pytest

from tests.rows import tables
from victor.config.layers import load
from victor.errors import ConfigError, FeatureError, TemplateError
from victor.model.extractor import FeatureExtractor, batches
from victor.model.template import Template

ROWS = tables(__file__)
SMALL = ROWS["small"]


def fitted(*overrides):
    """The configuration as it is trained, with the columns that it has."""
    extractor = FeatureExtractor(load(None, [*SMALL, *overrides]))
    return extractor.config, extractor.kinds


def entries(config, columns):
    template = Template.from_config(config.template, columns=columns)
    return [str(entry) for entry in template.entries]


@pytest.mark.parametrize(("overrides", "expected"), ROWS["modules"].values(), ids=ROWS["modules"])
def test_what_becomes_of_a_configuration(overrides, expected):
    config, kinds = fitted(*overrides)
    found = {
        "features": [*config.features],
        "entries": entries(config, kinds),
        "entries of edges": [str(edge) for edge in Template.of(config, kinds).edges],
        "discretize": config.discretize,
        **{name: getattr(config.crf, name) for name in ("scale", "pooling", "edges")},
    }
    assert {name: found[name] for name in expected} == expected


def test_code_that_is_off_runs_no_more_than_code_that_is_on(tmp_path):
    (tmp_path / "mine.py").write_text("open('ran', 'w')")
    extractor = FeatureExtractor(
        load(None, [*SMALL, f"features+={tmp_path}/mine.py", "features-=mine.py"])
    )
    with pytest.raises(FeatureError, match="nothing was run"):
        extractor.config  # noqa: B018


def test_a_template_is_not_emptied():
    with pytest.raises(ConfigError, match="no model is left"):
        fitted("features-=[words, links, regexps]")


def test_a_list_that_leaves_columns_of_the_template_says_what_to_do():
    with pytest.raises(TemplateError, match=r"unknown column link\.density.*`features-: \[MODULE"):
        entries(*fitted("features=[words]"))


def test_as_if_a_module_were_off():
    """For ablation, which measures all modules once."""
    extractor = FeatureExtractor(load("default"))
    for name in ("links", "relations", "words"):
        switched = FeatureExtractor(load("default", [f"features-={name}"])).config
        assert extractor.without(name) == switched


# --- batches, and what labels belong to -----------------------------------------------------------


@pytest.mark.parametrize(("sizes", "limit", "expected"), ROWS["batches"])
def test_pages_in_batches_of_about_a_size(sizes, limit, expected):
    pages = [(number, b"x" * size) for number, size in enumerate(sizes)]
    found = list(batches(iter(pages), limit))
    assert [len(batch) for batch in found] == expected
    assert [page for batch in found for page in batch] == pages


@pytest.mark.parametrize(("changes", "is_canonical"), ROWS["canonical"])
def test_segments_that_labels_of_annotated_pages_belong_to(changes, is_canonical):
    config = load("crf")
    for name, value in changes.items():
        part = getattr(config, name)
        config = config.replace(
            **{name: part.replace(**value) if isinstance(value, dict) else value}
        )
    assert FeatureExtractor(config).canonical is is_canonical
