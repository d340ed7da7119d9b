// What the end of the work says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeWork } from "../../victor/annotate/front/ending.js";

test("work is told by states", () => {
  assert.equal(describeWork({ done: 1204, "no-content": 1 }), "1,204 done, 1 no content");
});
