import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRange, count, stateName, truncate } from "../../victor/annotate/front/format.js";

test("one thing is singular, others are plural", () => {
  assert.equal(count(1, "block"), "1 block");
  assert.equal(count(0, "block"), "0 blocks");
  assert.equal(count(2, "page"), "2 pages");
});

test("thousands are parted", () => {
  assert.equal(count(12_345, "change"), "12,345 changes");
});

test("blocks are numbered from 1", () => {
  assert.equal(blockRange(0, 0), "1");
  assert.equal(blockRange(4, 7), "5–8");
});

test("a state has a readable name", () => {
  assert.equal(stateName("no-content"), "no content");
  assert.equal(stateName("skip"), "skipped");
});

test("an unknown state keeps its name", () => {
  assert.equal(stateName("archived"), "archived");
});

test("a text is cut only if it is too long", () => {
  assert.equal(truncate("canal", 5), "canal");
  assert.equal(truncate("canals", 5), "cana…");
});
