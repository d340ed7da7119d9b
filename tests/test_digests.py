"""What every stage gives of many pages is what it gave when somebody last looked."""

import json
from copy import deepcopy

from tests.digests import GOLDEN, OF_PAGES, differences, found_in, summary


def test_no_stage_gives_anything_else():
    lines = [*differences(found_in([], 1), json.loads(GOLDEN.read_text("utf-8")))]
    assert not lines, (
        f"{summary(lines)}\nIf that is meant, say so in a line of CHANGELOG that begins "
        "'Digests:', and write what is expected anew: "
        "python -m tests.digests --write tests/golden/digests.json"
    )


def changed(golden, stages, model=None):
    """The digests with other ones of some stages of one page, and of a model."""
    other = deepcopy(golden)
    row = other["sets"]["soup"]["7"].split()
    for stage in stages:
        row[golden["stages"].index(stage)] = "0" * 12
    other["sets"]["soup"]["7"] = " ".join(row)
    other["models"] |= {model: "0" * 12} if model else {}
    return other


def test_a_difference_names_the_page_and_the_first_stage():
    golden = json.loads(GOLDEN.read_text("utf-8"))
    other = changed(golden, ["text", "tokens", "codes"])
    assert [*differences(other, golden)] == ["soup/7: tokens"]
    (line,) = differences(changed(golden, ["codes"], "default"), golden)
    assert line.startswith("the model default changed")
    assert line.endswith(f"stages after {OF_PAGES[-1]} are not compared")
    both = changed(golden, ["events", "codes"], "default")
    assert [*differences(both, golden)] == [line, "soup/7: events"]
    del other["sets"]["soup"]["7"]
    assert [*differences(other, golden)] == ["soup/7: gone"]
    assert [*differences(golden, other)] == ["soup/7: new"]
