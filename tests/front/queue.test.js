import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProgress, nextRowToDo } from "../../victor/annotate/front/queue.js";

const row = (id, state = "todo") => ({ id, state });

test("labels of others are counted", () => {
  const words = describeProgress({ states: {}, labelled: 56 }, 56);
  assert.equal(words, "0 of 56 pages done; 56 labelled by anybody");
});

test("after a page the next one to do follows", () => {
  const rows = [row("a"), row("b"), row("c", "done"), row("d")];
  assert.equal(nextRowToDo(rows, "b")?.id, "d");
  assert.equal(nextRowToDo(rows, "d"), null);
});
