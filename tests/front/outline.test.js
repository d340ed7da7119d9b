// The frame around pieces of text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { outlines } from "../../victor/annotate/front/outline.js";

const around = (...rects) =>
  outlines(
    rects.map(([left, top, right, bottom]) => ({ left, top, right, bottom })),
    2,
  );

test("pieces of one line have one frame", () => {
  assert.deepEqual(around([10, 100, 60, 120], [60, 101, 90, 119], [90, 100, 200, 120]), [
    [
      [202, 98],
      [202, 122],
      [8, 122],
      [8, 98],
    ],
  ]);
});

test("lines of a paragraph have one frame that follows them", () => {
  const [frame, ...others] = around([50, 100, 200, 120], [10, 124, 200, 144], [10, 148, 80, 168]);
  assert.equal(others.length, 0);
  assert.deepEqual(frame.slice(3, 7), [
    [202, 146],
    [82, 146],
    [82, 170],
    [8, 170],
  ]);
  assert.deepEqual(frame.slice(-2), [
    [48, 122],
    [48, 98],
  ]);
});

test("lines that stand beside one another have frames of their own", () => {
  assert.equal(around([400, 100, 500, 120], [10, 124, 90, 144]).length, 2);
  assert.equal(around([10, 300, 200, 320], [150, 100, 440, 120]).length, 2);
});

test("what takes no room has no frame", () => {
  assert.deepEqual(around(), []);
  assert.deepEqual(around([10, 10, 10, 30], [10, 10, 90, 10]), []);
});
