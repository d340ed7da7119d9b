import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../victor/annotate/front/clock.js";

function clockAt() {
  const time = { now: 100 };
  return { time, clock: new Clock(() => time.now) };
}

test("time between actions is counted", () => {
  const { time, clock } = clockAt();
  time.now += 4;
  clock.tick();
  time.now += 3;
  assert.equal(clock.take(), 7);
});

test("a pause counts for half a minute at most", () => {
  const { time, clock } = clockAt();
  time.now += 1000;
  clock.tick();
  time.now += 2;
  assert.equal(clock.take(), 32);
});

test("what was taken is not counted again", () => {
  const { time, clock } = clockAt();
  time.now += 5;
  clock.take();
  time.now += 1;
  assert.equal(clock.take(), 1);
});

test("seconds have one decimal", () => {
  const { time, clock } = clockAt();
  time.now += 1.2345;
  assert.equal(clock.take(), 1.2);
});
