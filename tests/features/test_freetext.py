"""Where the long blocks outside links stand."""

import pytest


def words(count):
    return "bee " * count


def test_shares_of_long_blocks(measured):
    page = f"<p>{words(15)}<p>{words(14)}<p>{words(45)}<p><a>{words(50)}</a>"
    values = measured("freetext", page, f"<p>{words(39)}", split="block")
    assert values["long15.before"].tolist() == [0, 0.25, 0.25, 1, 0]
    assert values["long15.own"].tolist() == [0.25, 0, 0.75, 0, 1]
    assert values["long40.before"].tolist() == [0, 0, 0, 1, 0]
    assert values["long40.own"].tolist() == [0, 0, 1, 0, 0]


def test_of_the_page(measured):
    page = f"<p>{words(25)}<p>{words(24)}<p>{words(20)} <a>{words(31)}</a>"
    values = measured("freetext", page, "", f"<p><a>{words(5)}</a>", split="block")
    assert values["page.free-long"].tolist() == [0.25, 0.25, 0.25, 0]
    assert values["page.max-free"].tolist() == pytest.approx([3.2580965] * 3 + [0])
