import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../../victor/annotate/front/curve.js";

test("pages go right, better scores go up", () => {
  const { before, after, pages } = linesOf([
    [5, 0.8, 0.82],
    [10, 0.81, 0.9],
  ]);
  assert.deepEqual(pages, [5, 10]);
  assert.ok(before[0][0] < before[1][0]);
  assert.ok(after[1][1] < after[0][1]);
  assert.ok(after[1][1] < before[1][1]);
});

test("a small difference looks small, and equal scores stand in the middle", () => {
  const { scores, before } = linesOf([
    [5, 0.9, 0.9],
    [10, 0.9, 0.9],
  ]);
  assert.ok(Math.abs(scores[1] - scores[0] - 0.02) < 1e-9);
  assert.equal(before[0][1], before[1][1]);
});
