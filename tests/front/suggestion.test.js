import assert from "node:assert/strict";
import { test } from "node:test";
import { Suggestion } from "../../victor/annotate/front/suggestion.js";

/** @param {number[]} confidence */
const suggestionWith = (confidence) =>
  new Suggestion({ labeler: "default", labels: "t".repeat(confidence.length), confidence });

test("doubt has degrees", () => {
  assert.deepEqual(suggestionWith([59, 60, 74, 75, 89, 90]).doubts(), [
    [0, 0, 3],
    [1, 2, 2],
    [3, 4, 1],
    [5, 5, 0],
  ]);
});

test("settled blocks are without doubt", () => {
  const suggestion = suggestionWith([50, 50, 50, 50]);
  suggestion.settle(1, 2);
  assert.deepEqual(suggestion.doubts(), [
    [0, 0, 3],
    [1, 2, 0],
    [3, 3, 3],
  ]);
});

test("doubts of a range are those of its blocks", () => {
  assert.deepEqual(suggestionWith([50, 95, 80]).doubts(1, 2), [
    [1, 1, 0],
    [2, 2, 1],
  ]);
});

test("uncertain blocks come one after the other, the least certain first", () => {
  const suggestion = suggestionWith([90, 40, 70]);
  const visited = [1, 2, 3, 4].map(() => suggestion.leastCertain());
  assert.deepEqual(visited, [1, 2, 0, 1]);
});

test("settled blocks are passed over", () => {
  const suggestion = suggestionWith([90, 40, 70]);
  suggestion.settle(1, 1);
  assert.equal(suggestion.leastCertain(), 2);
});

test("the suggested labels and their labeler can be read", () => {
  const suggestion = new Suggestion({ labeler: "dom", labels: "ht", confidence: [99, 99] });
  assert.equal(suggestion.labeler, "dom");
  assert.equal(suggestion.labels.letters(), "ht");
});

test("the only unsettled block is found wherever the search stands", () => {
  const suggestion = suggestionWith([40, 70, 90]);
  suggestion.leastCertain();
  suggestion.settle(1, 2);
  assert.equal(suggestion.leastCertain(), 0);
});

test("when all blocks are settled there is no least certain one", () => {
  const suggestion = suggestionWith([90, 40]);
  suggestion.settle(0, 1);
  assert.equal(suggestion.leastCertain(), null);
});

test("a page without blocks has no least certain one", () => {
  assert.equal(suggestionWith([]).leastCertain(), null);
});
