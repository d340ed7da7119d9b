"""Rows of `rows/*.txt`: a text, and what a function reads of it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.rows import rows_of
from victor.metadata.authors import names_in
from victor.metadata.dates import days_in, is_date, iso, month, month_first_in, month_first_of
from victor.metadata.schema_org import objects
from victor.page.parsing.heads import Head

FUNCTIONS = {
    "names": lambda text: "; ".join(names_in(text)),
    "declared_names": lambda text: "; ".join(names_in(text, is_declared=True)),
    "log_ins": lambda text: "; ".join(names_in(text, logins=True)),
    "dates": lambda text: iso(text) or "",
    "month_first": lambda text: iso(text, month_first=True) or "",
    "day_first": lambda text: iso(text, month_first=False) or "",
    "days": lambda text: "; ".join(f"{text[a:b]} is {when}" for a, b, when in days_in(text)),
    "months": lambda text: str(month(text)),
    "is_date": lambda text: str(is_date(text)),
    "order": lambda text: str(month_first_of([text])),
    "objects": lambda script: json.dumps(objects(Head(json_ld=[script])), ensure_ascii=False),
    "order_in": lambda text: str(month_first_in(text)),
}


@pytest.mark.parametrize(("name", "given", "expected"), rows_of(Path(__file__).parent / "rows"))
def test_a_row(name, given, expected):
    assert FUNCTIONS[name](*given) == expected


def test_dates_are_at_most_a_year_and_a_day_ahead():
    today = datetime.now(UTC).date()
    days = [(today + timedelta(days=n)).isoformat() for n in (366, 367)]
    assert [*map(iso, days)] == [days[0], None] or datetime.now(UTC).date() != today
