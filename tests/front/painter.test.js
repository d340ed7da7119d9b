import assert from "node:assert/strict";
import { test } from "node:test";
import { Painter } from "../../victor/annotate/front/painter.js";
import { fakeTimers } from "./fake_timers.js";

function recorder() {
  const drawn = [];
  return { drawn, painter: new Painter((first, last) => drawn.push([first, last])) };
}

test("a few blocks are drawn at once", (t) => {
  const timers = fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 20]], 5);
  assert.deepEqual(drawn.at(-1), [0, 20]);
  assert.deepEqual(timers.delays, []);
});

test("what is near the cursor is drawn first", (t) => {
  fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 10_000]], 9000);
  assert.deepEqual(drawn[0], [8700, 9300]);
});

test("a range far from the cursor is drawn only once", (t) => {
  fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[5000, 5010]], 100);
  assert.deepEqual(drawn, [[5000, 5010]]);
});

test("many blocks are drawn in slices that cover them all", (t) => {
  const timers = fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 9999]], 20_000);
  assert.deepEqual(drawn, [[0, 3999]]);
  timers.run();
  assert.deepEqual(drawn.at(-1), [4000, 7999]);
  timers.run();
  assert.deepEqual(drawn.at(-1), [8000, 9999]);
  assert.deepEqual(timers.delays, []);
});

test("a slice may hold several ranges", (t) => {
  fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint(
    [
      [0, 9],
      [20, 29],
    ],
    5000,
  );
  assert.deepEqual(drawn, [
    [0, 9],
    [20, 29],
  ]);
});

test("what is painted while slices wait joins them", (t) => {
  const timers = fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 4999]], 20_000);
  painter.paint([[6000, 6001]], 20_000);
  assert.equal(timers.delays.length, 1);
  timers.run();
  assert.deepEqual(drawn.slice(1), [
    [4000, 4999],
    [6000, 6001],
  ]);
});

test("the cursor may stand at the edge of what is drawn", (t) => {
  fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[400, 9000]], 100);
  assert.deepEqual(drawn[0], [400, 400]);
});

test("after the last slice the next painting begins at once", (t) => {
  const timers = fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 4999]], 20_000);
  timers.run();
  painter.paint([[7, 8]], 20_000);
  assert.deepEqual(drawn.at(-1), [7, 8]);
});

test("a stopped painter draws no more", (t) => {
  const timers = fakeTimers(t);
  const { drawn, painter } = recorder();
  painter.paint([[0, 9999]], 20_000);
  painter.stop();
  assert.deepEqual(timers.delays, []);
  timers.run();
  assert.equal(drawn.length, 1);
});
