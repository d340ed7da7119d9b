import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, Selection, Suggestion } from "../../victor/annotate/front/labels.js";
import { describeSelection } from "../../victor/annotate/front/status.js";

const VIEW = { isVisible: () => true, text: () => "The old canal" };

function editorWith(letters, suggested) {
  const confidence = Array.from(letters, (_, block) => 60 + block);
  return {
    labels: new Labels(letters),
    selection: new Selection(letters.length),
    suggestedLetter: () => null,
    suggestion: suggested && new Suggestion({ labeler: "default", labels: suggested, confidence }),
  };
}

test("the block at the cursor is named with its label and text", () => {
  const editor = editorWith("oth");
  editor.selection.moveTo(1);
  assert.equal(describeSelection(editor, VIEW), "Block 2 of 3: text · The old canal");
});

test("the suggested label is told with its confidence", () => {
  const editor = editorWith("oth", "hhh");
  editor.selection.moveTo(1);
  const words = describeSelection(editor, VIEW);
  assert.equal(words, "Block 2 of 3: text; suggested header, 61 % · The old canal");
});

test("a suggestion is told as one as long as nobody has decided", () => {
  const editor = { ...editorWith("oth", "hhh"), suggestedLetter: () => "h" };
  assert.equal(
    describeSelection(editor, VIEW),
    "Block 1 of 3: suggested header, 60 % · The old canal",
  );
});

test("a block that the page hides is told", () => {
  const words = describeSelection(editorWith("o"), { ...VIEW, isVisible: () => false });
  assert.equal(words, "Block 1 of 1: other; not visible on the page · The old canal");
});

test("long texts are cut", () => {
  const words = describeSelection(editorWith("o"), { ...VIEW, text: () => "x".repeat(500) });
  assert.equal(words.length, "Block 1 of 1: other · ".length + 160);
});

test("an open passage is told by its blocks, and what comes next", () => {
  const editor = { ...editorWith("ooooo"), chosenLetter: () => "t" };
  editor.selection.drag(1, 3);
  assert.equal(
    describeSelection(editor, VIEW),
    "Blocks 2–4 selected (3 blocks). Click, or press Space, to label them text",
  );
  editor.selection.drag(1, 1);
  assert.match(describeSelection(editor, VIEW), /^Block 2 selected. Click the last block of/);
});
