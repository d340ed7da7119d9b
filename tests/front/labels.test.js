import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, runsOf, Selection, Suggestion } from "../../victor/annotate/front/labels.js";
import { rowsOf } from "./rows.js";

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

for (const [name, before, steps, returned, ...expected] of rowsOf("labels.txt")) {
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

for (const [name, calls, expected] of rowsOf("selections.txt")) {
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
