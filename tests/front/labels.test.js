import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, runsOf } from "../../victor/annotate/front/labels.js";

/**
 * Labels, what is done to them, the runs that the last call returns, the labels then, a 1 for each
 * block that somebody has decided on, and what can be undone and redone.
 */
const CASES = `
marking changes what it must and says so  | otooo | 0-3 t                   | 0 t, 2-3 t    | tttto | 11110 | undo
the ends may come in either order         | ooooo | 3-1 h                   | 1-3 h         | ohhho | 01110 | undo
a range beyond the page is cut            | ooo   | 0-9 t                   | 0-2 t         | ttt   | 111   | undo
on an empty page there is nothing         |       | 0-5 h, undo             |               |       |       |
marking what is marked is no change       | ttt   | 0-2 t                   |               | ttt   | 111   |
undo gives every block its former label   | hto?  | 0-3 t, undo             | 0 h, 2 o, 3 ? | hto?  | 1101  | redo
redo repeats what was undone              | ooo   | 0-1 h, 2 t, undo, undo, redo | 0-1 h    | hho   | 110   | undo, redo
a new change forgets what was undone      | ooo   | 0 h, undo, 2 t, redo    |               | oot   | 001   | undo
without a change nothing is undone        | ot    | undo, redo              |               | ot    | 01    |
assigning is one step and decides nothing | otoo  | assign hhot             | 0-1 h, 3 t    | hhot  | 1101  | undo
which is undone at once                   | otoo  | assign hhot, undo       | 0 o, 1 t, 3 o | otoo  | 0100  | redo
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

test("what a person left unmarked on purpose is not filled", () => {
  const labels = new Labels("ooo", [[1, 1]]);
  labels.fill("hhh");
  assert.equal(labels.letters(), "hoh");
});

test("runs are of equal neighbours, and undefined values part them", () => {
  assert.equal(textOf(new Labels("hhtto").runs()), "0-1 h, 2-3 t, 4 o");
  assert.equal(textOf(new Labels("hhtto").runs(1, 2)), "1 h, 2 t");
  assert.equal(textOf(new Labels("").runs()), "");
  assert.equal(textOf(runsOf(0, 2, (block) => ["t", undefined, "t"][block])), "0 t, 2 t");
});

test("the labels of another page are refused", () => {
  assert.throws(() => new Labels("ht").assign("hto"), RangeError);
});

test("only labels other than other are marks", () => {
  assert.deepEqual([new Labels("ooo").hasMarks, new Labels("oo?").hasMarks], [false, true]);
});
