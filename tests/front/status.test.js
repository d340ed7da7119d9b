import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, Selection, Suggestion } from "../../victor/annotate/front/labels.js";
import { describeProgress, nextRowToDo } from "../../victor/annotate/front/queue.js";
import { describeSelection } from "../../victor/annotate/front/status.js";
import { rowsOf } from "./rows.js";

function editorWith(letters, suggested) {
  const confidence = Array.from(letters, (_, block) => 60 + block);
  return {
    labels: new Labels(letters),
    selection: new Selection(letters.length),
    suggestedLetter: () => null,
    suggestion: suggested && new Suggestion({ labeler: "default", labels: suggested, confidence }),
  };
}

for (const [name, letters, block, suggested, hidden, expected] of rowsOf("status.txt")) {
  test(name, () => {
    const editor = editorWith(letters, suggested && "hhh");
    editor.selection.moveTo(Number(block));
    editor.suggestedLetter = () => (suggested === "h" ? "h" : null);
    const view = { isVisible: () => hidden !== "hidden", text: () => "The old canal" };
    assert.equal(describeSelection(editor, view), expected);
  });
}

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
