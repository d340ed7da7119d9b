import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countsText,
  endAt,
  labelAt,
  OTHER,
  pieceAt,
  positionName,
  stateText,
  valuesAt,
} from "../../victor/explain/demo/positions.js";

/** Three thresholds and the own position: a heading, a paragraph of two blocks, a list item. */
const kept = {
  thresholds: [0, 0.5, 1],
  labels: [
    [2, 3, 0],
    [1, 3, 1],
    [2, 2, 1],
    [1, 3, 1],
  ],
  pieces: [
    [2, 3, 0, 1],
    [1, 1, 0, 2, 2, 3, 3, 2],
    [2, 2, 4, 5],
    [1, 3, 6, 7],
  ],
  ends: [0, 0, 0, 1, 3, 6],
  texts: ["", "Bees", "They fly", "\n\n", " ", "home", "\n", "and ants"],
};

/** @param {number} position */
function textAt(position) {
  const pieces = kept.pieces.map((_, block) => pieceAt(kept, block, position).join(""));
  return pieces.join("") + endAt(kept, position);
}

test("a value holds from the first to the last position of its run", () => {
  const runs = [1, 2, 7, 4, 4, 9];
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((position) => valuesAt(runs, 1, position)[0]),
    [undefined, 7, 7, undefined, 9, undefined],
  );
});

test("outside of its runs a block is dropped and gives nothing", () => {
  assert.equal(labelAt(kept, 0, 1), OTHER);
  assert.equal(labelAt(kept, 0, 2), 0);
  assert.deepEqual(pieceAt(kept, 0, 1), ["", ""]);
  assert.deepEqual(pieceAt(kept, 1, 2), ["\n\n", "They fly"]);
});

test("texts are joined in the order of the blocks", () => {
  assert.deepEqual([0, 1, 2, 3].map(textAt), [
    "",
    "They fly\nand ants\n",
    "Bees\n\nThey fly home\nand ants\n",
    "Bees\n\nThey fly\nand ants\n",
  ]);
  assert.equal(endAt(kept, 0), "");
});

test("positions have the names of presets, or of how the page was cleaned", () => {
  const data = { thresholds: [0, 0.25, 0.5678, 1], presets: { balanced: 2 }, nearest: 1 };
  const name = (position, method) => positionName({ ...data, method }, position);
  assert.equal(name(1, "expected-f"), "0.25");
  assert.equal(name(2, "expected-f"), "0.568 · balanced");
  assert.equal(name(4, "expected-f"), "0.25 · expected-f");
  assert.equal(name(4, "threshold"), "0.25");
  assert.equal(positionName({ ...data, thresholds: [], method: "none" }, 0), "none");
});

test("words and blocks are counted, and a block is kept, a heading, or dropped", () => {
  const counted = { ...kept, words: [0, 10, 1234], allWords: 2000, blocks: [0, 1, 2] };
  assert.equal(countsText(counted, 2), "1,234 of 2,000 words kept, in 2 of 4 blocks");
  assert.equal(stateText(kept, 0, 2), "kept as a heading");
  assert.equal(stateText(kept, 1, 1), "kept");
  assert.equal(stateText(kept, 1, 0), "dropped");
});
