import assert from "node:assert/strict";
import { test } from "node:test";
import { Painter } from "../../victor/annotate/front/painter.js";
import { fakeTimers } from "./fake_timers.js";

function start(t) {
  const drawn = [];
  const painter = new Painter((first, last) => drawn.push([first, last]));
  return { drawn, painter, timers: fakeTimers(t) };
}

/** A range, the cursor, and what is drawn at once, in this order. */
const PAINTED = {
  "a few blocks": [[0, 20], 5, [0, 20]],
  "what is near the cursor comes first": [[0, 10_000], 9000, [8700, 9300]],
  "the cursor may stand at the edge": [[400, 9000], 100, [400, 400]],
  "what is far from the cursor begins at its first block": [[0, 9999], 20_000, [0, 3999]],
};

for (const [name, [range, cursor, expected]] of Object.entries(PAINTED)) {
  test(name, (t) => {
    const { drawn, painter } = start(t);
    painter.paint([range], cursor);
    assert.deepEqual(drawn[0], expected);
  });
}

test("many blocks are drawn in slices that cover them all, then the next painting begins", (t) => {
  const { drawn, painter, timers } = start(t);
  painter.paint([[0, 9999]], 20_000);
  timers.run();
  assert.deepEqual(drawn.at(-1), [4000, 7999]);
  timers.run();
  assert.deepEqual(drawn.at(-1), [8000, 9999]);
  assert.deepEqual(timers.delays, []);
  painter.paint([[7, 8]], 20_000);
  assert.deepEqual(drawn.at(-1), [7, 8]);
});

test("a slice holds several ranges, also those painted while it waits", (t) => {
  const { drawn, painter, timers } = start(t);
  painter.paint([[0, 4999]], 20_000);
  painter.paint([[6000, 6001]], 20_000);
  assert.equal(timers.delays.length, 1);
  timers.run();
  assert.equal(JSON.stringify(drawn.slice(1)), "[[4000,4999],[6000,6001]]");
});

test("a stopped painter draws no more", (t) => {
  const { drawn, painter, timers } = start(t);
  painter.paint([[0, 9999]], 20_000);
  painter.stop();
  assert.deepEqual(timers.delays, []);
  timers.run();
  assert.equal(drawn.length, 1);
});
