// What confirming a suggestion does to labels: decisions of people stay.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels } from "../../victor/annotate/front/labels.js";

const decidedOf = (labels) =>
  Array.from(labels.letters(), (_, block) => Number(labels.isDecided(block))).join("");

test("only blocks that nobody has decided on are filled", () => {
  const labels = new Labels("ooooo", [[4, 4]]);
  labels.mark(0, 1, "t");
  labels.mark(1, 2, "o");
  assert.deepEqual(labels.fill("hhhhh"), [[3, 3, "h"]]);
  assert.equal(labels.letters(), "tooho");
});

test("undo takes decisions back, redo makes them again", () => {
  const labels = new Labels("ooooo");
  labels.mark(0, 2, "t");
  labels.mark(1, 1, "o");
  labels.undo();
  labels.undo();
  assert.equal(decidedOf(labels), "00000");
  labels.redo();
  assert.equal(decidedOf(labels), "11100");
});

test("a decision that changes no letter can be undone", () => {
  const labels = new Labels("oto");
  assert.deepEqual(labels.mark(0, 0, "o"), []);
  assert.equal(decidedOf(labels), "110");
  assert.equal(labels.canUndo, true);
  labels.undo();
  assert.equal(decidedOf(labels), "010");
  labels.redo();
  assert.equal(decidedOf(labels), "110");
});

test("a second decision of the same kind is none", () => {
  const labels = new Labels("oo");
  labels.mark(0, 0, "o");
  labels.mark(0, 0, "o");
  labels.undo();
  assert.equal(labels.canUndo, false);
});

test("clearing decides that nothing is kept", () => {
  const labels = new Labels("otooo", [[0, 0]]);
  labels.mark(0, labels.length - 1, "o");
  assert.equal(labels.letters(), "ooooo");
  assert.equal(decidedOf(labels), "11111");
  labels.undo();
  assert.equal(decidedOf(labels), "11000");
});
