import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "../../victor/annotate/front/editor.js";

/** An editor of a page, with a view that only remembers what is drawn. */
function editorOf(labels, suggestion = null, { state = "todo", hidden = -1 } = {}) {
  const attributes = {};
  const entries = [];
  const changes = [];
  const tops = [];
  const view = {
    page: { addEventListener: () => undefined },
    blocks: { under: () => null, whole: (block) => (block > 0 ? [1, 3] : null) },
    setAttribute: (name, runs) => {
      attributes[name] ??= {};
      for (const [first, last, value] of runs) {
        for (let block = first; block <= last; block++) attributes[name][block] = value;
      }
    },
    drawHover: () => undefined,
    drawSelection: () => undefined,
    scrollTo: () => undefined,
    isVisible: (block) => block !== hidden,
    scrollToTop: (block) => tops.push(block),
  };
  const editor = new Editor({
    page: { id: "p", labels, suggestion, state },
    view,
    saving: { add: (entry) => entries.push(entry), unsaved: [], resume: () => undefined },
    chosenLetter: () => "t",
    onChange: (runs) => changes.push(...runs),
  });
  editor.open();
  return { editor, attributes, entries, changes, tops };
}

test("opening draws the labels and saves nothing", () => {
  const { attributes, entries } = editorOf("hto");
  assert.deepEqual(attributes["data-l"], { 0: "h", 1: "t", 2: null });
  assert.deepEqual(entries, []);
});

test("the key of a label gives it to the block and goes on", () => {
  const { editor, attributes, entries, changes } = editorOf("ooo");
  editor.label("h");
  assert.equal(editor.labels.letters(), "hoo");
  assert.equal(editor.selection.cursor, 1);
  assert.equal(attributes["data-l"][0], "h");
  assert.deepEqual(entries[0].changes, [[0, 0, "h"]]);
  assert.deepEqual(changes, [[0, 0, "h"]]);
});

test("one key labels the whole list around the cursor, as one change", () => {
  const { editor, entries } = editorOf("ooooo");
  assert.equal(editor.labelWhole("t"), false);
  editor.move(2);
  assert.equal(editor.labelWhole("h"), true);
  assert.equal(editor.labels.letters(), "ohhho");
  assert.deepEqual(entries.at(-1).changes, [[1, 3, "h"]]);
  assert.equal(editor.selection.cursor, 4);
  editor.undo();
  assert.equal(editor.labels.letters(), "ooooo");
});

test("undo is drawn and saved like any change", () => {
  const { editor, attributes, entries } = editorOf("ooo");
  editor.label("h");
  editor.undo();
  assert.equal(attributes["data-l"][0], null);
  assert.deepEqual(entries.at(-1).changes, [[0, 0, "o"]]);
});

const SUGGESTED = { labeler: "default", labels: "ohto", confidence: [99, 99, 99, 99] };

test("suggestions are drawn apart from labels, and not saved", () => {
  const { editor, attributes, entries } = editorOf("oooo", SUGGESTED);
  assert.deepEqual(attributes["data-s"], { 0: null, 1: "h", 2: "t", 3: null });
  assert.deepEqual(attributes["data-l"], { 0: null, 1: null, 2: null, 3: null });
  assert.deepEqual(entries, []);
  assert.equal(editor.labels.letters(), "oooo");
});

test("a page opens at the first block to keep that is seen", () => {
  const { editor, tops } = editorOf("oooo", SUGGESTED);
  assert.deepEqual([editor.selection.cursor, tops], [1, [1]]);
  assert.equal(editorOf("oooo", SUGGESTED, { hidden: 1 }).editor.selection.cursor, 2);
  assert.equal(editorOf("ooto").editor.selection.cursor, 2);
  assert.deepEqual(editorOf("oooo").tops, []);
});

test("a suggestion that comes late moves only who has not begun", () => {
  const { editor } = editorOf("oooo");
  editor.suggest(SUGGESTED);
  assert.equal(editor.selection.cursor, 1);
  const other = editorOf("oooo").editor;
  other.move(3);
  other.suggest(SUGGESTED);
  assert.equal(other.selection.cursor, 3);
});

test("done takes the suggestions over where nobody has decided", () => {
  const { editor, attributes, entries } = editorOf("oooo", SUGGESTED);
  editor.label("o"); // the first block to keep
  editor.setState("done");
  assert.equal(editor.labels.letters(), "ooto");
  assert.deepEqual(entries.at(-2).changes, [[2, 2, "t"]]);
  assert.equal(entries.at(-1).state, "done");
  assert.deepEqual([attributes["data-s"][2], attributes["data-l"][2]], [null, "t"]);
});

test("no other state takes them over, and a finished page has none", () => {
  const { editor, entries } = editorOf("oooo", SUGGESTED);
  editor.setState("no-content");
  assert.equal(editor.labels.letters(), "oooo");
  assert.equal(entries.length, 1);
  const done = editorOf("otoo", SUGGESTED, { state: "done" });
  assert.equal(done.attributes["data-s"][1], null);
  done.editor.setState("done");
  assert.equal(done.editor.labels.letters(), "otoo");
});

test("the labels of another tab are drawn, unsaved ones on top if wanted", () => {
  const { editor, attributes } = editorOf("ooo");
  editor.saving.unsaved = [[2, 2, "h"]];
  editor.rebase({ labels: "too", revision: 3 }, true);
  assert.equal(editor.labels.letters(), "toh");
  assert.deepEqual(attributes["data-l"], { 0: "t", 1: null, 2: "h" });
});
