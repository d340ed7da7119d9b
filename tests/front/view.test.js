import assert from "node:assert/strict";
import { test } from "node:test";
import { endsOf, subtract } from "../../victor/annotate/front/view.js";

test("what is cut out of a range parts it", () => {
  assert.deepEqual(subtract([[0, 9]], [[3, 5]]), [
    [0, 2],
    [6, 9],
  ]);
});

test("ranges apart are left alone", () => {
  assert.deepEqual(subtract([[0, 3]], [[4, 9]]), [[0, 3]]);
});

test("a covered range vanishes", () => {
  assert.deepEqual(subtract([[2, 3]], [[0, 9]]), []);
});

test("several ranges are cut out of several", () => {
  const remaining = subtract(
    [
      [0, 4],
      [6, 9],
    ],
    [
      [4, 6],
      [8, 8],
    ],
  );
  assert.deepEqual(remaining, [
    [0, 3],
    [7, 7],
    [9, 9],
  ]);
});

test("a long selection is drawn at its ends only", () => {
  assert.deepEqual(endsOf(0, 999), [[0, 999]]);
  assert.deepEqual(endsOf(10, 5010), [
    [10, 510],
    [4510, 5010],
  ]);
});
