"""One word in a layer switches feature modules on and off."""

import pytest

from victor.config import load
from victor.errors import ConfigError

DATES = {"regexps": {"url": [], "time": []}}


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="top.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def base(write):
    """Three modules, one of them with parameters."""
    write("features: [words, regexps: {url: [], time: []}, links]", "base.yaml")
    return "base: base.yaml\n"


@pytest.mark.parametrize(
    "line",
    [
        "features-: [links]",
        "features-: links",
        "features: {links: off}",
        "features: {links: false}",
    ],
)
def test_switching_off_keeps_the_place(write, base, line):
    assert load(write(base + line)).features == ("words", DATES, {"off": "links"})


@pytest.mark.parametrize("line", ["features-=links", "features.links=off", "features.links=false"])
def test_on_the_command_line(write, base, line):
    assert load(write(base), [line]).features == ("words", DATES, {"off": "links"})


@pytest.mark.parametrize(
    "on", ["features+=regexps", "features.regexps=on", "features.regexps=true"]
)
def test_off_and_on_again_is_the_same(write, base, on):
    path = write(base + "features-: [regexps]")
    assert load(path).features == ("words", {"off": DATES}, "links")
    assert load(path, [on]) == load(write(base, "other.yaml"))


def test_what_is_so_already_stays_so(write, base):
    path = write(base)
    for line in ("features+=links", "features.links=on", f"features+={DATES}"):
        assert load(path, [line]) == load(path)
    assert load(path, ["features-=links", "features-=links", "features+=links"]) == load(path)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("features+=tokens", "tokens"),
        ("features.tokens=on", "tokens"),
        ("features+={tokens: {cut: space}}", {"tokens": {"cut": "space"}}),
        ("features.tokens={cut: space}", {"tokens": {"cut": "space"}}),
    ],
)
def test_a_module_that_is_not_listed_is_added(write, base, line, entry):
    config = load(write(base), [line])
    assert config.features == ("words", DATES, "links", entry)
    assert config.added == ("tokens",)


def test_other_parameters_take_the_place_of_those_of_the_base(write, base):
    """What is kept of the old ones says which columns went."""
    path = write(base)
    changed = ("words", {"off": DATES}, {"regexps": {"url": []}}, "links")
    assert load(path, ["features.regexps={url: []}"]).features == changed
    off_and_on = ["features.regexps={url: []}", "features-=regexps", "features+=regexps"]
    assert load(path, off_and_on).features == changed
    assert load(path, off_and_on[:2]).features[1:3] == (
        {"off": {"off": DATES}}, {"off": {"regexps": {"url": []}}},
    )  # fmt: skip


def test_another_set_of_a_module_stands_beside_it(write, base):
    other = {"regexps": {"phone": ["[0-9]{9}"]}}
    assert load(write(base), [f"features+={other}"]).features == ("words", DATES, "links", other)


def test_several_modules_in_one_layer(write, base):
    path = write(base + "features+: [tokens, shape]\nfeatures-: [words, links]")
    off = {"off": "words"}, DATES, {"off": "links"}
    assert load(path).features == (*off, "tokens", "shape")
    table = write(base + "features: {tokens: on, shape: on, words: off, links: off}")
    assert load(table) == load(path)


def test_a_list_of_a_layer_above_forgets_what_was_off(write, base):
    write(base + "features-: [links]", "low.yaml")
    top = load(write("base: low.yaml\nfeatures: [links]"), ["features+=words", "features=[links]"])
    assert (top.features, top.added) == (("links",), ())


def test_what_is_off_is_dumped_and_read_again(write, base):
    config = load(write(base), ["features-=links", "features.regexps={date: []}"])
    assert load(write(config.dump(), "dumped.yaml")) == config


def test_a_file_is_switched_by_its_name(write, base, tmp_path):
    write("x = 1", "mine.py")
    path = write(base + "features+: [./mine.py: {sign: x}]")
    *_, entry = load(path).features
    *_, kept = load(path, ["features.mine.py=off"]).features
    assert kept == {"off": entry}
    low = write("base: top.yaml\nfeatures-: [mine.py]", "low.yaml")
    assert load(write("base: low.yaml\nfeatures+: [./mine.py: {sign: x}]", "up.yaml")) == load(path)
    *_, other = load(low, ["features.mine.py={sign: '?'}"]).features
    assert other == {**entry, "parameters": {"sign": "?"}}
    *_, listed = load(write('features: ["off": ./mine.py]')).features
    assert listed == {"off": {"module": "mine.py", "source": "x = 1"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features-: [link]", "features-: link is not listed, did you mean links?"),
        ("features-: [tokens]", "tokens is not listed; known are: links, regexps, words"),
        ("features: {tokens: off}", "features.tokens: tokens is not listed; known are"),
        ("features-: [3]", "features-: wants names of feature modules, got 3"),
        ("features-: null", "features-: wants names of feature modules, got None"),
        ("features-: [{links: {}}]", "wants names of feature modules, got {'links': {}}"),
        ("features: {3: on}", "features.3: wants names of feature modules, got 3"),
        ("features: {links: 3}", "features.links: should be on, off or {parameter: value}, got 3"),
        ("features: {links: [a]}", "features.links: should be on, off or {parameter: value}"),
        ("features: {links: null}", "features.links: should be on, off or {parameter: value}"),
        ("features: {./new.py: on}", "new.py is not listed; `features+: [PATH]` adds a file"),
        ("features: [words]\nfeatures-: [links]",
         "features and features- stand in one layer: write one list"),
        ("features: {words: off}\nfeatures+: [links]",
         "features and features+ stand in one layer: write one list"),
        ("feature-: [words]", "feature-: unknown key, did you mean features?"),
        ("template-: [words]", "template-: unknown key, did you mean template?"),
        ("filter: {languages-: [cs]}", "filter.languages-: unknown key, did you mean languages?"),
        ("features: ['off': [words]]", "features: wants NAME or NAME: {parameter: value}"),
    ],
)  # fmt: skip
def test_mistakes(write, base, text, message):
    path = write(base + text)
    with pytest.raises(ConfigError) as refusal:
        load(path)
    assert str(refusal.value).startswith(str(path))
    assert message in str(refusal.value)
