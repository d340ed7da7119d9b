import assert from "node:assert/strict";
import { test } from "node:test";
import { Selection } from "../../victor/annotate/front/selection.js";

test("two clicks select the blocks between them", () => {
  const selection = new Selection(20);
  assert.equal(selection.click(4, false), null);
  assert.deepEqual(selection.click(9, false), [4, 9]);
});

test("two clicks on one block select it alone", () => {
  const selection = new Selection(20);
  selection.click(4, false);
  assert.deepEqual(selection.click(4, false), [4, 4]);
});

test("the second click may come before the first on the page", () => {
  const selection = new Selection(20);
  selection.click(9, false);
  assert.deepEqual(selection.click(4, false), [4, 9]);
});

test("a third click begins a new passage", () => {
  const selection = new Selection(20);
  selection.click(1, false);
  selection.click(2, false);
  assert.equal(selection.click(7, false), null);
  assert.equal(selection.anchor, 7);
});

test("a click with shift extends the last passage from its first block", () => {
  const selection = new Selection(20);
  selection.click(4, false);
  selection.click(6, false);
  assert.deepEqual(selection.click(11, true), [4, 11]);
});

test("the first click with shift extends from the cursor", () => {
  const selection = new Selection(20);
  selection.moveTo(3);
  assert.deepEqual(selection.click(5, true), [3, 5]);
});

test("an open passage reaches the block under the pointer", () => {
  const selection = new Selection(20);
  selection.click(4, false);
  selection.hover(8);
  assert.deepEqual(selection.range, [4, 8]);
  assert.equal(selection.cursor, 4);
});

test("without an open passage the pointer selects nothing", () => {
  const selection = new Selection(20);
  selection.hover(8);
  assert.deepEqual(selection.range, [0, 0]);
});

test("a drag selects from its first block", () => {
  const selection = new Selection(20);
  selection.drag(6, 2);
  assert.deepEqual(selection.range, [2, 6]);
  assert.deepEqual(selection.close(), [2, 6]);
  assert.equal(selection.anchor, null);
});

test("keys extend the selection and shrink it again", () => {
  const selection = new Selection(20);
  selection.moveTo(5);
  selection.move(1, true);
  selection.move(1, true);
  assert.deepEqual(selection.range, [5, 7]);
  selection.move(-1, true);
  assert.deepEqual(selection.range, [5, 6]);
});

test("moving without shift gives the passage up", () => {
  const selection = new Selection(20);
  selection.move(3, true);
  selection.move(1, false);
  assert.equal(selection.anchor, null);
  assert.deepEqual(selection.range, [4, 4]);
});

test("the cursor stays on the page", () => {
  const selection = new Selection(20);
  selection.move(Infinity, false);
  assert.equal(selection.cursor, 19);
  selection.move(-Infinity, false);
  assert.equal(selection.cursor, 0);
});

test("the cursor of an empty page is its beginning", () => {
  const selection = new Selection(0);
  selection.move(1, false);
  assert.equal(selection.cursor, 0);
});

test("a passage may begin at the first block", () => {
  const selection = new Selection(20);
  selection.click(0, false);
  selection.hover(3);
  assert.deepEqual(selection.range, [0, 3]);
  assert.deepEqual(selection.click(2, false), [0, 2]);
});

test("a cancelled passage is forgotten, the cursor is not", () => {
  const selection = new Selection(20);
  selection.click(4, false);
  selection.hover(9);
  selection.cancel();
  assert.deepEqual(selection.range, [4, 4]);
  assert.equal(selection.click(7, false), null);
});
