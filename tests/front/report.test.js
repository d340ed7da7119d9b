import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bestOf,
  describe,
  frameOf,
  moveLine,
  movePoint,
  nearest,
} from "../../victor/evaluation/report/report.js";

const LINES = [
  {
    system: "one",
    threshold: [0.1, 0.5, 0.9],
    recall: [0.9, 0.8, 0.6],
    precision: [0.6, 0.8, 0.9],
    f1: [0.72, 0.8, 0.72],
  },
  {
    system: "two",
    threshold: [0.2, 0.6],
    recall: [0.7, 0.3],
    precision: [0.7, 0.99],
    f1: [0.7, 0.46],
  },
];
/** A plot from (100, 50), 200 wide and 400 high, whose axes begin at 0.5. */
const FRAME = frameOf("100 50 200 400 0.5");

test("the corners of a plot are the ends of its axes", () => {
  assert.deepEqual([FRAME.x(0.5), FRAME.y(0.5)], [100, 450]);
  assert.deepEqual([FRAME.x(1), FRAME.y(1)], [300, 50]);
});

test("points below either axis are outside of the plot", () => {
  assert.equal(FRAME.contains(LINES[0], 0), true);
  assert.equal(FRAME.contains(LINES[1], 1), false);
});

test("the nearest point of all lines is chosen", () => {
  const [x, y] = [FRAME.x(0.71), FRAME.y(0.69)];
  assert.deepEqual(nearest(LINES, FRAME, x, y), { line: 1, point: 0 });
});

test("points outside of the plot are never the nearest", () => {
  const [x, y] = [FRAME.x(0.3), FRAME.y(0.99)];
  assert.deepEqual(nearest(LINES, FRAME, x, y), { line: 0, point: 2 });
});

test("without a visible point none is the nearest", () => {
  assert.equal(nearest(LINES, frameOf("0 0 1 1 0.95"), 0, 0), null);
});

test("a plot begins at the best F of its first line", () => {
  assert.deepEqual(bestOf(LINES), { line: 0, point: 1 });
});

test("points end where the line ends", () => {
  const start = { line: 0, point: 1 };
  assert.deepEqual(movePoint(LINES, start, 1), { line: 0, point: 2 });
  assert.deepEqual(movePoint(LINES, start, 20), { line: 0, point: 2 });
  assert.deepEqual(movePoint(LINES, start, -Infinity), { line: 0, point: 0 });
});

test("another line is entered at the same threshold or the next higher one", () => {
  assert.deepEqual(moveLine(LINES, { line: 0, point: 1 }, 1), { line: 1, point: 1 });
  assert.deepEqual(moveLine(LINES, { line: 1, point: 0 }, 1), { line: 0, point: 1 });
});

test("a line without a higher threshold is entered at its beginning", () => {
  assert.deepEqual(moveLine(LINES, { line: 0, point: 2 }, 1), { line: 1, point: 0 });
});

test("before the first line comes the last", () => {
  assert.equal(moveLine(LINES, { line: 0, point: 0 }, -1).line, 1);
});

test("the values of a point have four decimals", () => {
  assert.deepEqual(describe(LINES[0], 2), [
    "one",
    "threshold 0.9000",
    "precision 0.9000",
    "recall 0.6000",
    "F 0.7200",
  ]);
});
