// What the end of the work says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeTime, describeWork } from "../../victor/annotate/front/ending.js";

test("work is told by states, time and pace", () => {
  const words = describeWork({ states: { done: 4, "no-content": 1 }, seconds: 720 });
  assert.equal(words, "4 done, 1 no content, in 12 minutes (25 pages per hour)");
  assert.equal(describeWork({ states: { done: 1 }, seconds: 0 }), "1 done, in 0 seconds");
});

test("times have one or two units", () => {
  assert.equal(describeTime(1), "1 second");
  assert.equal(describeTime(59.4), "59 seconds");
  assert.equal(describeTime(61), "1 minute");
  assert.equal(describeTime(2 * 3600 + 120), "2 hours 2 minutes");
});
