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
