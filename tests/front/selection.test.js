import assert from "node:assert/strict";
import { test } from "node:test";
import { Selection } from "../../victor/annotate/front/selection.js";

const click = (block, isExtending = false) => ["click", block, isExtending];
const move = (step, isExtending = false) => ["move", step, isExtending];

/** Calls on a selection among 20 blocks, and what the last of them returns. */
const RETURNED = {
  "the first click opens a passage": [[click(4)], null],
  "two clicks select the blocks between them": [
    [click(4), click(9)],
    [4, 9],
  ],
  "two clicks on one block select it alone": [
    [click(4), click(4)],
    [4, 4],
  ],
  "the second click may come before the first on the page": [
    [click(9), click(4)],
    [4, 9],
  ],
  "a third click begins a new passage": [[click(1), click(2), click(7)], null],
  "a click with shift extends the last passage from its first block": [
    [click(4), click(6), click(11, true)],
    [4, 11],
  ],
  "the first click with shift extends from the cursor": [
    [["moveTo", 3], click(5, true)],
    [3, 5],
  ],
  "a drag selects from its first block": [
    [["drag", 6, 2], ["close"]],
    [2, 6],
  ],
  "a passage may begin at the first block": [
    [click(0), ["hover", 3], click(2)],
    [0, 2],
  ],
  "a cancelled passage is forgotten": [[click(4), ["hover", 9], ["cancel"], click(7)], null],
};

/** Calls, and the range that is selected then, the cursor and the anchor. */
const SELECTED = {
  "an open passage reaches the block under the pointer": [[click(4), ["hover", 8]], [4, 8], 4, 4],
  "without an open passage the pointer selects nothing": [[["hover", 8]], [0, 0], 0, null],
  "a passage that is closed selects the cursor": [[["drag", 6, 2], ["close"]], [2, 2], 2, null],
  "keys extend the selection": [[["moveTo", 5], move(1, true), move(1, true)], [5, 7], 7, 5],
  "and shrink it again": [[["moveTo", 5], move(2, true), move(-1, true)], [5, 6], 6, 5],
  "moving without shift gives the passage up": [[move(3, true), move(1)], [4, 4], 4, null],
  "the cursor stays on the page": [[move(Infinity)], [19, 19], 19, null],
  "at its beginning, too": [[move(3), move(-Infinity)], [0, 0], 0, null],
  "a cancelled passage leaves the cursor": [[click(4), ["cancel"]], [4, 4], 4, null],
};

function after(calls, length = 20) {
  const selection = new Selection(length);
  const results = calls.map(([name, ...values]) => selection[name](...values));
  return { selection, result: results.at(-1) };
}

for (const [name, [calls, expected]] of Object.entries(RETURNED)) {
  test(name, () => assert.deepEqual(after(calls).result, expected));
}

for (const [name, [calls, ...expected]] of Object.entries(SELECTED)) {
  test(name, () => {
    const { range, cursor, anchor } = after(calls).selection;
    assert.deepEqual([range, cursor, anchor], expected);
  });
}

test("the cursor of an empty page is its beginning", () => {
  assert.equal(after([move(1)], 0).selection.cursor, 0);
});
