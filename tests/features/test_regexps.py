"""Regular expressions: numbers of the first found, refusals, time limit."""

import logging

import pytest

from victor.config.layers import load
from victor.errors import ConfigError
from victor.features import regexps

ORIGINAL = next(
    entry["regexps"]
    for entry in load("victor2007").features
    if isinstance(entry, dict) and "regexps" in entry
)
"""The expressions of the program of 2007."""


@pytest.mark.parametrize(
    ("text", "date", "time", "url"),
    [
        ("May 5, 2024", 1, 0, 0),
        ("Sept. 12th, 1999", 1, 0, 0),
        ("5 May 2024", 2, 0, 0),
        ("12. května 2021", 2, 0, 0),
        ("3 de enero de 2020", 2, 0, 0),
        ("5. ledna 2020, 14:30 hod.", 2, 2, 0),
        ("2024-05-17T10:00", 3, 0, 0),
        ("2024-05-17 10:00", 3, 2, 0),
        ("2024年5月17日", 3, 0, 0),
        ("17. 5. 2024", 4, 0, 0),
        ("5/17/2024 5:30 PM", 4, 1, 0),
        ("17.5.24", 5, 0, 0),
        ("© 2024", 6, 0, 0),
        ("in 1850", 0, 0, 0),
        ("20240", 0, 0, 0),
        ("price 3.14", 0, 0, 0),
        ("4 a.m.", 0, 1, 0),
        ("14.30 Uhr", 0, 3, 0),
        ("14h30", 0, 4, 0),
        ("see https://a.b", 0, 0, 1),
        ("WWW.example", 0, 0, 2),
        ("mail@seznam.cz", 0, 0, 3),
        ("end.The", 0, 0, 0),
        ("communication", 0, 0, 0),
    ],
)
def test_defaults(measured, text, date, time, url):
    values = measured("regexps", f"<p>{text}</p><p>no</p>")
    assert values["regexp.date"].tolist() == [date, 0]
    assert values["regexp.time"].tolist() == [time, 0]
    assert values["regexp.url"].tolist() == [url, 0]


@pytest.mark.parametrize(
    ("text", "date", "time", "url"),
    [
        ("v pondělí 5. března", 1, 0, 0),
        ("Út 5. 3.", 1, 0, 0),
        ("12. května 2021", 2, 0, 0),
        ("12. května", 3, 0, 0),
        ("31. prosinci", 3, 0, 0),
        ("Narozen 5.října v Brně", 3, 0, 0),
        ("32. května", 0, 0, 0),
        ("17. 5. 2024", 4, 0, 0),
        ("2024-05-17", 4, 0, 0),
        ("dne 17. 5. v Brně", 5, 0, 0),
        ("17. 13. v Brně", 0, 0, 0),
        ("verze 1.2.3", 0, 0, 0),
        ("květen 2021", 6, 0, 0),
        ("rok 1999", 6, 0, 0),
        ("Kapacita 350 osob", 0, 0, 0),
        ("9:15", 0, 2, 0),
        ("v 14.30 hod.", 0, 1, 0),
        ("od 9 hodin", 0, 3, 0),
        ("25:10", 0, 0, 0),
        ("https://seznam.cz/x", 0, 0, 1),
        ("www.seznam.cz", 0, 0, 2),
        ("seznam.cz", 0, 0, 3),
        ("12 května lidí", 0, 0, 0),
    ],
)
def test_czech(measured, text, date, time, url):
    values = measured("regexps", f"<p>{text}</p><p>ne</p>", language="cs")
    assert values["regexp.date"].tolist() == [date, 0]
    assert values["regexp.time"].tolist() == [time, 0]
    assert values["regexp.url"].tolist() == [url, 0]


def test_a_language_without_expressions_is_refused():
    with pytest.raises(ConfigError, match="regexps: language: want one of cs"):
        regexps.build(language="de")


@pytest.mark.parametrize(
    ("text", "date", "time", "url"),
    [
        ("Mon 5-11-2007", 1, 0, 0),
        ("5. 11. 2007", 2, 0, 0),
        ("Tue 05/11/07", 3, 0, 0),
        ("05/11/07", 4, 0, 0),
        ("Sat 5-11", 5, 0, 0),
        ("5-11", 6, 0, 0),
        ("110", 6, 0, 0),
        ("12", 0, 0, 0),
        ("12 34 56", 4, 0, 0),
        ("at 5:30 pm", 6, 1, 0),
        ("at 15:30", 6, 2, 0),
        ("http://a", 0, 0, 1),
        ("https://a", 0, 0, 0),
        ("www.x", 0, 0, 2),
        ("a.com", 0, 0, 3),
    ],
)
def test_originals(measured, text, date, time, url):
    values = measured("regexps", text, **ORIGINAL)
    codes = [int(values[f"regexp.{name}"][0]) for name in ("date", "time", "url")]
    assert codes == [date, time, url]


def test_own_names_and_dropped_ones(measured):
    values = measured("regexps", "12 Kč", "free", price=["Kč", r"\d"], url=[], time=[])
    assert set(values) == {"regexp.date", "regexp.price"}
    assert values["regexp.price"].tolist() == [1, 0]


def test_the_first_expression_that_is_found_counts(measured):
    values = measured("regexps", "<p>b<p>a b<p>B<p>c", letter=["a", "b", "b"])
    assert values["regexp.letter"].tolist() == [2, 1, 2, 0]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"date": ["["]}, r"date: '\[' is malformed"),
        ({"price": [r"\d", r"(\w"]}, r"price: '\(.*is malformed: missing \)"),
        ({"date": r"\d"}, "date: want a list"),
        ({"date": [3]}, "date: want a list"),
        ({"date": None}, "date: want a list"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": "1"}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
    ],
)
def test_refusals(params, message):
    with pytest.raises(ConfigError, match=message):
        regexps.build(**params)


def test_an_expression_that_takes_too_long_leaves_the_page(measured, caplog):
    """What it found before stands, other pages and other expressions are searched as ever."""
    slow = r"(?:a|aa|aaa)+$"
    trap = "a" * 400 + "b"
    pages = (f"<p>aa<p>{trap}<p>aa", "<p>aa")
    with caplog.at_level(logging.WARNING):
        values = measured("regexps", *pages, timeout=0.02, letters=[slow, "aa"])
    assert values["regexp.letters"].tolist() == [1, 2, 2, 1]
    assert "ran out of time" in caplog.text
