import assert from "node:assert/strict";
import { test } from "node:test";
import { formatScore } from "../../victor/annotate/front/retrain_dialog.js";

test("scores have three decimals, numbers of pages none", () => {
  assert.equal(formatScore(0.912_34), "0.912");
  assert.equal(formatScore(1234), "1,234");
});

test("words stay, what is not known is a dash", () => {
  assert.equal(formatScore("default"), "default");
  assert.equal(formatScore(undefined), "–");
});
