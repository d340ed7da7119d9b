"""Strings of JSON and of script state with their paths, whatever the source is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.markup.script_strings import Paths, read_literals, unescape


def read(source, *, script=False):
    """Dotted path and text of every literal."""
    paths = Paths()
    return [
        (dotted(paths, own.path), own.text) for own in read_literals(source, paths, script=script)
    ]


def dotted(paths, path):
    keys = []
    while path:
        keys.append(paths.key(path))
        path = paths.above(path)
    return ".".join(reversed(keys))


def test_values_have_the_path_of_their_keys():
    source = '{"a": {"b": ["x", {"c": "y"}], "d": 1}, "e": "z"}'
    assert read(source) == [("a.b", "x"), ("a.b.c", "y"), ("e", "z")]


def test_keys_with_digits_are_one_key():
    assert read('{"p12": {"t": "x"}, "p13": {"t": "y"}}') == [("#.t", "x"), ("#.t", "y")]


def test_nested_sections_have_one_path():
    source = '{"content": [{"text": "x", "content": [{"text": "y", "content": []}]}]}'
    assert read(source) == [("content.text", "x"), ("content.text", "y")]


def test_json_in_a_string_is_opened():
    inner = json.dumps({"posts": ['He said "no".']})
    assert read(json.dumps({"topic": inner})) == [("topic.posts", 'He said "no".')]


def test_script_state_is_read():
    source = """window.state = {title: 'It\\'s', "body": "a\\x20b", f: function () {}};
    // don't stop here
    other = {next: "c"}"""
    assert read(source, script=True) == [("title", "It's"), ("body", "a b"), ("next", "c")]


def test_a_pushed_chunk_of_rows_is_opened():
    source = 'self.__next_f.push([1,"5:[\\"$\\",null,{\\"children\\":\\"Some text\\"}]\\n"])'
    assert ("children", "Some text") in read(source, script=True)


def test_an_element_of_react_is_no_text_but_what_it_holds_is():
    row = ["$", "h1", "a key", {"children": ["One", ["$", "b", None, {"children": "Two"}], "$3"]}]
    assert [text for _, text in read(json.dumps(row))] == ["One", "Two", "$3"]
    assert [text for _, text in read(json.dumps(["a", "$", "b"]))] == ["a", "$", "b"]


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\u003cp\u003e\n", "<p>\n"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\ud83d x", "\ufffd x"),
        (r"a\u0000b", "a b"),
        (r"\/\"\'\\", "/\"'\\"),
    ],
)
def test_escapes(escaped, text):
    assert unescape(escaped) == text


def test_what_is_cut_off_is_read_as_far_as_it_goes():
    assert read('{"a": "x", "b": ["y", "and so on') == [("a", "x"), ("b", "y"), ("b", "and so on")]


values = st.recursive(
    st.text() | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def strings(value):
    """All strings of a parsed value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


@pytest.mark.slow
@given(values)
@settings(derandomize=True, max_examples=200)
def test_all_strings_of_valid_json_are_found(value):
    found = [own.text for own in read_literals(json.dumps(value), Paths())]
    expected = [unescape(text.replace("\\", "\\\\")) for text in strings(value)]
    if not any("[" in text or "{" in text for text in expected):
        assert found == expected


@given(st.text(alphabet="\"'\\{}[]:,a1 \n"), st.booleans())
@settings(derandomize=True, max_examples=300)
def test_anything_can_be_read(source, script):
    for own in read_literals(source, Paths(), script=script):
        own.text.encode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ['"', "'", '\\"', '{"a":', "[", "]", '{"a":"{', "a ", '"\\', "'\""]
)
@pytest.mark.parametrize("script", [False, True])
def test_hostile_sources_are_read(piece, script):
    read_literals(piece * 100_000, Paths(), script=script)
