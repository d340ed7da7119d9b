"""Parameters that a module does not take are refused, and what it takes shows in its columns."""

import pytest

from victor import features
from victor.errors import ConfigError

CLASSES = (
    ({"form": ["from"]}, "form: no element is named 'from', did you mean form?"),
    ({"form": [3]}, "form: no element is named 3"),
    ({"form": "form"}, "form: want element names"),
    ({"form": []}, "form: want element names"),
    ([3], "want {CLASS: "),
    ({"{a,b}": ["p"]}, "a class is named e.g. form, got"),
)
WRONG = (
    *((module, {"classes": given}, f"{module}: classes: {said}")
      for module in ("containers", "splits") for given, said in CLASSES),
    ("tokens", {"cut": "letter"}, "cut is word or space"),
    ("sentences", {"count": "words"}, "count is tokens or marks"),
    ("document", {"sentences": True}, "sentences is tokens or marks"),
    ("duplicates", {"unique_is_first": 1}, "unique_is_first is true or false"),
    ("regexps", {"language": "de"}, "want one of cs"),
    ("regexps", {"date": ["["]}, "date: '[' is malformed"),
    ("regexps", {"price": [r"\d", r"(\w"]}, "is malformed: missing )"),
    ("regexps", {"date": r"\d"}, "date: want a list"),
    ("regexps", {"date": None}, "date: want a list"),
    ("regexps", {"timeout": 0}, "timeout"),
    ("regexps", {"timeout": float("nan")}, "timeout"),
)  # fmt: skip


@pytest.mark.parametrize(("module", "parameters", "said"), WRONG)
def test_what_a_module_does_not_take(module, parameters, said):
    with pytest.raises(ConfigError) as refusal:
        features.load(module, **parameters)
    assert said in str(refusal.value)


def test_the_meaning_of_a_column_follows_the_parameter():
    for module, parameters in (
        ("tokens", {"cut": "space"}),
        ("sentences", {"count": "marks"}),
        ("document", {"sentences": "marks"}),
        ("duplicates", {"unique_is_first": False}),
    ):
        usual, other = features.load(module).columns, features.load(module, **parameters).columns
        assert [column.name for column in usual] == [column.name for column in other]
        assert [c.meaning for c in usual] != [c.meaning for c in other]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty; want `groups`"),
        ("- comment", "Expected `object`"),
        ("group: {comment: [a]}", "group: unknown key.*groups"),
        ("texts: {headings: {de: [a]}}", "texts: unknown key"),
        ("groups: {comment: a}", "groups"),
        ("groups: {comment: [1]}", "groups"),
        ("groups: {Comment: [a]}", "groups.Comment: want small letters"),
        ("groups: {comment: ['12']}", "groups.comment: '12' has no letter"),
        ("groups: {comment: [rel=tag]}", "groups.comment: .*want one of role, itemprop, itemtype"),
        ("groups: {" + ", ".join(f"g{n}: [a]" for n in range(65)) + "}", "at most 64"),
        ("groups: [", "line 1"),
    ],
)
def test_what_is_wrong_in_a_list_is_named(tmp_path, content, message):
    file = tmp_path / "names.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        features.load("class_groups", lists=[str(file)])
