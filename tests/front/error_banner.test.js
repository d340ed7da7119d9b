import assert from "node:assert/strict";
import { test } from "node:test";
import { messageOf } from "../../victor/annotate/front/error_banner.js";

test("an error says its message, anything else itself", () => {
  assert.equal(messageOf(new RangeError("too far")), "too far");
  assert.equal(messageOf("stopped"), "stopped");
  assert.equal(messageOf(undefined), "undefined");
});
