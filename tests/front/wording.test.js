import assert from "node:assert/strict";
import { test } from "node:test";
import {
  becauseText,
  clueText,
  countsText,
  positionName,
  signed,
  stateText,
} from "../../victor/explain/demo/wording.js";

const data = {
  thresholds: [0, 0.25, 0.5678, 1],
  presets: { balanced: 2 },
  method: "expected-f",
  nearest: 1,
  words: [0, 10, 1234, 2000, 10],
  allWords: 2000,
  blocks: [0, 1, 2, 2, 1],
  labels: [
    [1, 4, 0],
    [2, 3, 1],
  ],
  marginals: [
    [0.8, 0, 0.2],
    [0, 0.1, 0.9],
  ],
  reasons: [1, 0],
  reasonsNames: ["expected-f", "kept", "own-rule"],
  sentences: {},
};

test("positions have the names of presets", () => {
  assert.equal(positionName(data, 1), "0.25");
  assert.equal(positionName(data, 2), "0.568 · balanced");
  assert.equal(positionName(data, 4), "0.25 · best expected F");
  assert.equal(positionName({ ...data, method: "threshold" }, 4), "0.25");
  assert.equal(positionName({ ...data, method: "density" }, 4), "0.25 · density");
});

test("words and blocks are counted", () => {
  assert.equal(countsText(data, 2), "1,234 of 2,000 words kept, in 2 of 2 blocks");
});

test("a block is kept, kept as a heading, or dropped", () => {
  assert.equal(stateText(data, 0, 4), "kept as a heading");
  assert.equal(stateText(data, 1, 3), "kept");
  assert.equal(stateText(data, 1, 4), "dropped");
});

test("the reason is that of the position", () => {
  assert.equal(becauseText({ ...data, sentences: { 1: "Dropped." } }, 1, 4), "");
  assert.equal(becauseText(data, 0, 1), "p(other) is 0.20, below 0.25");
  assert.equal(becauseText(data, 0, 0), "p(other) is 0.20, not below 0.00");
  assert.ok(becauseText(data, 1, 2).includes("table or code"));
  assert.equal(becauseText(data, 0, 4), "");
  assert.ok(becauseText(data, 1, 4).includes("best expected F"));
  assert.equal(becauseText({ ...data, reasons: [1, 2] }, 1, 4), "reason: own-rule");
});

test("weights have a sign", () => {
  assert.equal(signed(1.234), "+1.23");
  assert.equal(signed(-0.5), "\u22120.50");
  assert.equal(signed(0), "+0.00");
});

test("clues are numbers with a limit, yes and no, or words", () => {
  const clue = { keeps: "up to", values: [0.25, true, "", "ad"], limits: [0.5, 0, 0, 0] };
  assert.equal(clueText(clue, 0), "0.25, kept up to 0.5");
  assert.equal(clueText({ ...clue, limits: null }, 0), "0.25");
  assert.deepEqual(
    [1, 2, 3].map((block) => clueText(clue, block)),
    ["yes", "", "ad"],
  );
});
