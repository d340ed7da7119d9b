"""Metadata as YAML above a text."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from victor.page.plain_data import plain
from victor.render.forms import front_matter

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def test_fields_stay_in_order_and_on_their_lines():
    known = {"title": "A: b", "date": "2024-05-01", "authors": ["Žofie"], "long": "x " * 200}
    lines = front_matter(known).split("\n")
    assert lines[:5] == ["---", "title: 'A: b'", "date: '2024-05-01'", "authors:", "- Žofie"]
    assert lines[-3:] == ["---", "", ""]
    assert len(lines) == 9


@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_safe_loaders_read_back_what_is_written(known):
    written = front_matter(known)
    written.encode()
    first, above, below = written.split("---\n")[0], written[4:-5], written[-5:]
    assert (first, below) == ("", "---\n\n")
    assert yaml.safe_load(above) == plain(known)
