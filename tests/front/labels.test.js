import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, runsOf, Selection, Suggestion } from "../../victor/annotate/front/labels.js";

/**
 * Labels, what is done to them, the runs that the last call returns, the labels then, a 1 for each
 * block that somebody has decided on, and what can be undone and redone.
 */
const CASES = `
marking changes what it must and says so  | otooo | 0-3 t                   | 0 t, 2-3 t    | tttto | 11110 | undo
marking what is marked is no change       | ttt   | 0-2 t                   |               | ttt   | 111   |
undo gives every block its former label   | hto?  | 0-3 t, undo             | 0 h, 2 o, 3 ? | hto?  | 1101  | redo
redo repeats what was undone              | ooo   | 0-1 h, 2 t, undo, undo, redo | 0-1 h    | hho   | 110   | undo, redo
a new change forgets what was undone      | ooo   | 0 h, undo, 2 t, redo    |               | oot   | 001   | undo
without a change nothing is undone        | ot    | undo, redo              |               | ot    | 01    |
only undecided blocks are filled          | ooooo | 0-1 t, 1-2 o, fill hhhhh | 3-4 h        | toohh | 11111 | undo
undo takes decisions back                 | ooooo | 0-2 t, 1 o, undo, undo  | 0-2 o         | ooooo | 00000 | redo
redo makes them again                     | ooooo | 0-2 t, undo, redo       | 0-2 t         | tttoo | 11100 | undo
a decision without a change can be undone | oto   | 0 o                     |               | oto   | 110   | undo
and is none after that                    | oto   | 0 o, undo               |               | oto   | 010   | redo
the same decision again is none           | oo    | 0 o, 0 o, undo          |               | oo    | 00    | redo
clearing decides that nothing is kept     | otooo | 0-4 o                   | 1 o           | ooooo | 11111 | undo
`;

/** Runs as text: "0-1 h, 2 t". */
const textOf = (runs) =>
  runs
    .map(([first, last, value]) => `${first === last ? first : `${first}-${last}`} ${value}`)
    .join(", ");

/** Does what a word of the table says: marks a range, or calls a method. */
function act(labels, step) {
  const [name, argument] = step.split(" ");
  if (name in Labels.prototype) return labels[name](argument);
  const [first, last = first] = name.split("-").map(Number);
  return labels.mark(first, last, argument);
}

for (const line of CASES.trim().split("\n")) {
  const [name, before, steps, returned, ...expected] = line.split("|").map((cell) => cell.trim());
  test(name, () => {
    const labels = new Labels(before);
    const results = steps.split(", ").map((step) => act(labels, step));
    assert.equal(textOf(results.at(-1)), returned);
    const letters = labels.letters();
    const decided = [...letters].map((_, block) => Number(labels.isDecided(block))).join("");
    const possible = [labels.canUndo && "undo", labels.canRedo && "redo"].filter(Boolean);
    assert.deepEqual([letters, decided, possible.join(", ")], expected);
  });
}

test("runs are of equal neighbours, and undefined values part them", () => {
  assert.equal(textOf(new Labels("hhtto").runs()), "0-1 h, 2-3 t, 4 o");
  assert.equal(textOf(new Labels("hhtto").runs(1, 2)), "1 h, 2 t");
  assert.equal(textOf(new Labels("").runs()), "");
  assert.equal(textOf(runsOf(0, 2, (block) => ["t", undefined, "t"][block])), "0 t, 2 t");
});

test("only labels other than other are marks", () => {
  assert.deepEqual([new Labels("ooo").hasMarks, new Labels("oo?").hasMarks], [false, true]);
});

/** @param {number[]} confidence */
const suggestionWith = (confidence) =>
  new Suggestion({ labeler: "default", labels: "t".repeat(confidence.length), confidence });

test("settled blocks are without doubt", () => {
  const suggestion = suggestionWith([50, 50, 50, 50]);
  suggestion.settle(1, 2);
  assert.deepEqual(suggestion.doubts(), [
    [0, 0, 3],
    [1, 2, 0],
    [3, 3, 3],
  ]);
});

test("uncertain blocks come one after the other, the least certain first", () => {
  const suggestion = suggestionWith([90, 40, 70]);
  const visited = [1, 2, 3, 4].map(() => suggestion.leastCertain());
  assert.deepEqual(visited, [1, 2, 0, 1]);
});

/**
 * Calls on a selection among 20 blocks; what the last of them returns, or the range that is
 * selected then, the cursor and the anchor.
 */
const SELECTIONS = `
the first click opens a passage                  | click 4                          | null
two clicks select the blocks between them        | click 4, click 9                 | 4,9
two clicks on one block select it alone          | click 4, click 4                 | 4,4
the second click may come before the first       | click 9, click 4                 | 4,9
a third click begins a new passage               | click 1, click 2, click 7        | null
a click with shift extends the last passage      | click 4, click 6, click 11 shift | 4,11
the first click with shift is from the cursor    | moveTo 3, click 5 shift          | 3,5
a drag selects from its first block              | drag 6 2, close                  | 2,6
a passage may begin at the first block           | click 0, hover 3, click 2        | 0,2
a cancelled passage is forgotten                 | click 4, hover 9, cancel, click 7 | null
an open passage reaches the block pointed at     | click 4, hover 8                 | 4,8 4 4
without an open passage the pointer does nothing | hover 8                          | 0,0 0 null
a passage that is closed selects the cursor      | drag 6 2, close                  | 2,2 2 null
keys extend the selection                        | moveTo 5, move 1 shift, move 1 shift | 5,7 7 5
and shrink it again                              | moveTo 5, move 2 shift, move -1 shift | 5,6 6 5
moving without shift gives the passage up        | move 3 shift, move 1             | 4,4 4 null
the cursor stays on the page                     | move Infinity                    | 19,19 19 null
at its beginning, too                            | move 3, move -Infinity           | 0,0 0 null
a cancelled passage leaves the cursor            | click 4, cancel                  | 4,4 4 null
`;

for (const line of SELECTIONS.trim().split("\n")) {
  const [name, calls, expected] = line.split("|").map((cell) => cell.trim());
  test(name, () => {
    const selection = new Selection(20);
    const results = calls.split(", ").map((call) => {
      const [method, ...values] = call.split(" ");
      return selection[method](...values.map((value) => value === "shift" || Number(value)));
    });
    const { range, cursor, anchor } = selection;
    const found = expected.includes(" ") ? `${range} ${cursor} ${anchor}` : `${results.at(-1)}`;
    assert.equal(found, expected);
  });
}
