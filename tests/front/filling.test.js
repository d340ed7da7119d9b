// What accepting a suggestion does to labels, and how it is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFilling } from "../../victor/annotate/front/format.js";
import { Labels } from "../../victor/annotate/front/labels.js";

test("only blocks that nobody has decided on are filled", () => {
  const labels = new Labels("ooooo", [[4, 4]]);
  labels.mark(0, 1, "t");
  labels.mark(1, 2, "o");
  assert.deepEqual(labels.fill("hhhhh"), [[3, 3, "h"]]);
  assert.equal(labels.letters(), "tooho");
  assert.equal(labels.countDecided(), 5);
});

test("undo takes decisions back, redo makes them again", () => {
  const labels = new Labels("ooooo");
  labels.mark(0, 2, "t");
  labels.mark(1, 1, "o");
  labels.undo();
  labels.undo();
  assert.equal(labels.countDecided(), 0);
  labels.redo();
  assert.equal(labels.countDecided(), 3);
});

test("clearing takes all decisions back", () => {
  const labels = new Labels("otooo", [[0, 0]]);
  labels.clear();
  assert.equal(labels.countDecided(), 0);
  labels.undo();
  assert.equal(labels.countDecided(), 2);
});

test("what was filled is told by label", () => {
  const runs = [
    [0, 0, "h"],
    [3, 30, "t"],
  ];
  assert.equal(describeFilling(runs, 3), "29 blocks filled: 1 header, 28 text; 3 of yours kept");
  assert.equal(describeFilling([], 0), "Nothing to fill");
});
