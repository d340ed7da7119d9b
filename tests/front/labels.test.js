import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, runsOf } from "../../victor/annotate/front/labels.js";

test("equal neighbours are one run", () => {
  assert.deepEqual(new Labels("hhtto").runs(), [
    [0, 1, "h"],
    [2, 3, "t"],
    [4, 4, "o"],
  ]);
});

test("runs of a range begin and end with it", () => {
  assert.deepEqual(new Labels("hhtto").runs(1, 2), [
    [1, 1, "h"],
    [2, 2, "t"],
  ]);
});

test("undefined values part runs", () => {
  const values = ["t", undefined, "t"];
  assert.deepEqual(
    runsOf(0, 2, (block) => values[block]),
    [
      [0, 0, "t"],
      [2, 2, "t"],
    ],
  );
});

test("a page without blocks has no runs", () => {
  assert.deepEqual(new Labels("").runs(), []);
});

test("one change can be undone", () => {
  const labels = new Labels("oo");
  labels.mark(0, 0, "t");
  assert.equal(labels.canUndo, true);
});

test("marking changes what it must and says so", () => {
  const labels = new Labels("otooo");
  assert.deepEqual(labels.mark(0, 3, "t"), [
    [0, 0, "t"],
    [2, 3, "t"],
  ]);
  assert.equal(labels.letters(), "tttto");
});

test("the ends of a range may come in either order", () => {
  const labels = new Labels("ooooo");
  labels.mark(3, 1, "h");
  assert.equal(labels.letters(), "ohhho");
});

test("a range beyond the page is cut", () => {
  const labels = new Labels("ooo");
  assert.deepEqual(labels.mark(-5, 9, "t"), [[0, 2, "t"]]);
  assert.equal(labels.letters(), "ttt");
});

test("marking what is marked is no change and cannot be undone", () => {
  const labels = new Labels("ttt");
  assert.deepEqual(labels.mark(0, 2, "t"), []);
  assert.equal(labels.canUndo, false);
});

test("undo gives every block its former label", () => {
  const labels = new Labels("hto?");
  labels.mark(0, 3, "t");
  labels.undo();
  assert.equal(labels.letters(), "hto?");
  assert.equal(labels.canUndo, false);
});

test("redo repeats what was undone", () => {
  const labels = new Labels("ooo");
  labels.mark(0, 1, "h");
  labels.mark(1, 2, "t");
  labels.undo();
  labels.undo();
  assert.deepEqual(labels.redo(), [[0, 1, "h"]]);
  assert.equal(labels.letters(), "hho");
  assert.equal(labels.canRedo, true);
});

test("a new change forgets what was undone", () => {
  const labels = new Labels("ooo");
  labels.mark(0, 0, "h");
  labels.undo();
  labels.mark(2, 2, "t");
  assert.equal(labels.canRedo, false);
  assert.deepEqual(labels.redo(), []);
  assert.equal(labels.letters(), "oot");
});

test("undo and redo without a change do nothing", () => {
  const labels = new Labels("ot");
  assert.deepEqual(labels.undo(), []);
  assert.deepEqual(labels.redo(), []);
  assert.equal(labels.letters(), "ot");
});

test("assigning changes only the blocks that differ, in one step", () => {
  const labels = new Labels("otoo");
  assert.deepEqual(labels.assign("hhot"), [
    [0, 1, "h"],
    [3, 3, "t"],
  ]);
  labels.undo();
  assert.equal(labels.letters(), "otoo");
});

test("the labels of another page are refused", () => {
  assert.throws(() => new Labels("ht").assign("hto"), RangeError);
});

test("only labels other than other are marks", () => {
  assert.equal(new Labels("ooo").hasMarks, false);
  assert.equal(new Labels("oo?").hasMarks, true);
});
