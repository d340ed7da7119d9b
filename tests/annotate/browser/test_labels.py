"""Labels with undo, selection and suggestions: the modules that do not depend on a page."""

import random

import pytest

LABELS = """
const { Labels } = await import("/labels.js");
const labels = new Labels(argument.letters);
const steps = argument.calls.map(([name, ...rest]) => [labels[name](...rest), labels.letters()]);
return { steps, runs: labels.runs(), canUndo: labels.canUndo, canRedo: labels.canRedo };
"""


def steps(modules, letters, *calls):
    """What each call returned and the labels after it."""
    return modules(LABELS, {"letters": letters, "calls": [list(call) for call in calls]})["steps"]


def test_a_passage_takes_a_label_in_either_direction(modules):
    assert steps(modules, "oooooo", ["mark", 1, 3, "t"], ["mark", 5, 4, "h"]) == [
        [[[1, 3, "t"]], "otttoo"],
        [[[4, 5, "h"]], "ottthh"],
    ]


def test_only_changes_are_returned(modules):
    assert steps(modules, "otto", ["mark", 0, 3, "t"], ["mark", 0, 3, "t"]) == [
        [[[0, 0, "t"], [3, 3, "t"]], "tttt"],
        [[], "tttt"],
    ]


def test_a_passage_ends_with_the_page(modules):
    assert steps(modules, "ooo", ["mark", -4, 99, "h"])[0][1] == "hhh"
    assert steps(modules, "", ["mark", 0, 5, "h"], ["undo"]) == [[[], ""], [[], ""]]


def test_undo_restores_the_labels_before(modules):
    assert steps(modules, "htotho", ["mark", 0, 5, "t"], ["undo"], ["redo"]) == [
        [[[0, 0, "t"], [2, 2, "t"], [4, 5, "t"]], "tttttt"],
        [[[0, 0, "h"], [2, 2, "o"], [4, 4, "h"], [5, 5, "o"]], "htotho"],
        [[[0, 0, "t"], [2, 2, "t"], [4, 5, "t"]], "tttttt"],
    ]


def test_a_change_after_undo_ends_redo(modules):
    calls = ["mark", 0, 0, "h"], ["undo"], ["mark", 1, 1, "t"], ["redo"], ["undo"], ["undo"]
    assert [letters for _, letters in steps(modules, "oo", *calls)] == [
        "ho", "oo", "ot", "ot", "oo", "oo",
    ]  # fmt: skip


def test_all_labels_at_once_are_one_step(modules):
    assert steps(modules, "ooooo", ["assign", "hoott"], ["undo"]) == [
        [[[0, 0, "h"], [3, 4, "t"]], "hoott"],
        [[[0, 0, "o"], [3, 4, "o"]], "ooooo"],
    ]


@pytest.mark.parametrize("seed", range(5))
def test_history_agrees_with_a_list_of_all_states(modules, seed):
    """Random steps; applying the returned runs elsewhere has to give the same labels."""
    rng = random.Random(seed)
    states, position, calls = [("o" * 30, "." * 30)], 0, []
    for _ in range(60):
        name = rng.choice(["mark", "mark", "assign", "undo", "redo"])
        now, decided = after_decided = states[position]
        if name == "undo":
            position = max(position - 1, 0)
        elif name == "redo":
            position = min(position + 1, len(states) - 1)
        elif name == "mark":
            first, last = sorted(rng.choices(range(30), k=2))
            letter = rng.choice("hto")
            calls.append(["mark", first, last, letter])
            after = now[:first] + letter * (last - first + 1) + now[last + 1 :]
            here = range(first, last + 1)
            is_new = [n in here and (letter == "o" or now[n] != letter) for n in range(30)]
            after_decided = (after, "".join("d" if new else was
                             for new, was in zip(is_new, decided, strict=True)))  # fmt: skip
        else:
            after = "".join(rng.choices("hto", k=30))
            calls.append(["assign", after])
            after_decided = (after, decided)
        if name in ("undo", "redo"):
            calls.append([name])
        elif after_decided != (now, decided) and (after != now or name == "mark"):
            states[position + 1 :] = [after_decided]
            position += 1
        calls[-1] = (calls[-1], states[position][0])
    results = steps(modules, "o" * 30, *[call for call, _ in calls])
    elsewhere = list("o" * 30)
    for (_, expected), (runs, letters) in zip(calls, results, strict=True):
        for first, last, letter in runs:
            elsewhere[first : last + 1] = letter * (last - first + 1)
        assert letters == expected == "".join(elsewhere)


DECIDED = """
const { Labels } = await import("/labels.js");
const labels = new Labels("ooooo", [[4, 4]]);
labels.mark(0, 1, "t");
labels.mark(1, 2, "o");
const countDecided = () => [0, 1, 2, 3, 4].filter((block) => labels.isDecided(block)).length;
const filled = [labels.fill("hhhhh"), labels.letters(), countDecided()];
labels.undo();
labels.undo();
const before = [labels.letters(), countDecided()];
labels.redo();
labels.clear();
return { filled, before, cleared: [labels.letters(), countDecided()],
  undone: [labels.undo().length, countDecided()] };
"""


def test_only_undecided_blocks_are_filled(modules):
    result = modules(DECIDED)
    assert result["filled"] == [[[3, 3, "h"]], "tooho", 5]
    assert result["before"] == ["ttooo", 3]
    assert result["cleared"] == ["ooooo", 5]
    assert result["undone"] == [1, 4]


SELECTION = """
const { Selection } = await import("/selection.js");
const selection = new Selection(10);
return argument.map(([name, ...rest]) => {
  const result = selection[name](...rest) ?? null;
  return [result, selection.range, selection.cursor];
});
"""


def ranges(modules, *calls):
    return [result for result, _, _ in modules(SELECTION, [list(call) for call in calls])]


def test_two_clicks_give_a_passage(modules):
    assert ranges(modules, ["click", 6, False], ["click", 2, False]) == [None, [2, 6]]
    assert ranges(modules, ["click", 3, False], ["click", 3, False]) == [None, [3, 3]]


def test_shift_and_a_click_extend_the_last_passage(modules):
    calls = ["click", 2, False], ["click", 4, False], ["click", 7, True], ["click", 1, True]
    assert ranges(modules, *calls) == [None, [2, 4], [2, 7], [1, 2]]


def test_a_cancelled_click_is_no_anchor(modules):
    calls = ["click", 2, False], ["cancel"], ["click", 5, False], ["click", 6, False]
    assert ranges(modules, *calls) == [None, None, None, [5, 6]]


def test_keys_select_and_stay_on_the_page(modules):
    calls = ["move", 3, False], ["move", 1, True], ["move", 1, True], ["close"]
    assert ranges(modules, *calls)[-1] == [3, 5]
    states = modules(SELECTION, [["move", 99, False], ["move", 1, True], ["move", -99, True]])
    assert [cursor for _, _, cursor in states] == [9, 9, 0]
    assert states[-1][1] == [0, 9]


SUGGESTION = """
const { Suggestion } = await import("/suggestion.js");
const suggestion = new Suggestion(argument);
const blocks = [suggestion.leastCertain(), suggestion.leastCertain()];
suggestion.settle(0, 1);
return { blocks: [...blocks, suggestion.leastCertain(), suggestion.leastCertain()],
  doubts: suggestion.doubts() };
"""


def test_the_least_certain_block_comes_first(modules):
    suggestion = {"labeler": "x", "labels": "ttttt", "confidence": [99, 40, 55, 80, 40]}
    result = modules(SUGGESTION, suggestion)
    assert result["blocks"] == [1, 4, 2, 3]
    assert result["doubts"] == [[0, 1, 0], [2, 2, 3], [3, 3, 1], [4, 4, 3]]


def test_where_everything_is_settled_nothing_is_uncertain(modules):
    result = modules(SUGGESTION, {"labeler": "x", "labels": "to", "confidence": [1, 2]})
    assert result["blocks"] == [0, 1, None, None]


def test_ranges_are_subtracted(modules):
    body = "return argument.map(([ranges, others]) => view.subtract(ranges, others));"
    cases = [
        [[[0, 5]], [[2, 3]]],
        [[[0, 5]], [[4, 9]]],
        [[[2, 3]], [[0, 5]]],
        [[[0, 1], [4, 5]], [[4, 4], [7, 9]]],
        [[[0, 3]], []],
    ]
    assert modules(f'const view = await import("/view.js"); {body}', cases) == [
        [[0, 1], [4, 5]],
        [[0, 3]],
        [],
        [[0, 1], [5, 5]],
        [[0, 3]],
    ]


PAINTER = """
const { Painter } = await import("/painter.js");
const drawn = [];
let done;
const all = new Promise((resolve) => (done = resolve));
const painter = new Painter((first, last) => {
  drawn.push([first, last]);
  if (last === 99999) done();
});
painter.paint([[0, 99999]], 50000);
painter.paint([[7, 8]], 7);
const atOnce = drawn.length;
await all;
return { atOnce, drawn };
"""


def test_many_blocks_are_drawn_in_slices_nearby_ones_first(modules):
    result = modules(PAINTER)
    drawn_at_once = result["drawn"][: result["atOnce"]]
    assert drawn_at_once[0] == [49700, 50300]
    assert [7, 8] in drawn_at_once
    assert sum(last - first + 1 for first, last in drawn_at_once) < 10000
    covered = {block for first, last in result["drawn"] for block in range(first, last + 1)}
    assert covered == set(range(100_000))


def test_keys_have_one_meaning(modules):
    keys = modules("""
      const { KEYS } = await import("/keys.js");
      return Object.values(KEYS).flat().flatMap(([keys]) => keys);
    """)
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("event", "key"), [
    ({"key": "+", "code": "Digit1"}, "1"),  # Czech
    ({"key": "1", "code": "Digit1", "shiftKey": True}, "1"),
    ({"key": "2", "code": "Numpad2"}, "2"),
    ({"key": "J", "code": "KeyJ", "shiftKey": True}, "Shift+j"),
    ({"key": "J", "code": "KeyJ"}, "j"),  # caps lock
    ({"key": "?", "code": "Slash", "shiftKey": True}, "?"),
    ({"key": "z", "code": "KeyY", "ctrlKey": True}, "Ctrl+z"),  # German
    ({"key": "Z", "code": "KeyZ", "metaKey": True, "shiftKey": True}, "Ctrl+Shift+z"),
    ({"key": "ArrowDown", "code": "ArrowDown", "shiftKey": True}, "Shift+ArrowDown"),
])  # fmt: skip
def test_keys_of_other_keyboards(modules, event, key):
    body = 'return (await import("/keys.js")).keyOf(new KeyboardEvent("keydown", argument));'
    assert modules(body, event) == key


def test_pauses_do_not_count(modules):
    body = """
      const { Clock } = await import("/clock.js");
      let now = 0;
      const clock = new Clock(() => now);
      const seconds = argument.map((time) => ((now = time), clock.take()));
      return seconds;
    """
    assert modules(body, [2, 5.25, 1000, 1001]) == [2, 3.3, 30, 1]
