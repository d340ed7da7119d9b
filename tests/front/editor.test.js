import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor, withNull } from "../../victor/annotate/front/editor.js";

/** An editor of a page, with a view that only remembers what is drawn. */
function editorOf(labels, suggestion = null) {
  const attributes = {};
  const entries = [];
  const changes = [];
  const view = {
    page: { addEventListener: () => undefined },
    blocks: { under: () => null },
    setAttribute: (name, runs) => {
      attributes[name] ??= {};
      for (const [first, last, value] of runs) {
        for (let block = first; block <= last; block++) attributes[name][block] = value;
      }
    },
    drawHover: () => undefined,
    drawSelection: () => undefined,
    scrollTo: () => undefined,
  };
  const editor = new Editor({
    page: { id: "p", labels, suggestion, state: "todo" },
    view,
    overview: { show: () => undefined, draw: () => undefined },
    saving: { add: (entry) => entries.push(entry), unsaved: [], resume: () => undefined },
    chosenLetter: () => "t",
    onChange: (runs) => changes.push(...runs),
  });
  editor.open();
  return { editor, attributes, entries, changes };
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

test("without a letter the chosen label is given", () => {
  const { editor } = editorOf("ooo");
  editor.move(1, true);
  editor.label();
  assert.equal(editor.labels.letters(), "tto");
});

test("undo is drawn and saved like any change", () => {
  const { editor, attributes, entries } = editorOf("ooo");
  editor.label("h");
  editor.undo();
  assert.equal(attributes["data-l"][0], null);
  assert.deepEqual(entries.at(-1).changes, [[0, 0, "o"]]);
});

test("a labelled block is no longer in doubt", () => {
  const suggestion = { labeler: "default", labels: "tt", confidence: [50, 50] };
  const { editor, attributes } = editorOf("oo", suggestion);
  assert.equal(attributes["data-c"][0], 3);
  editor.mark(0, 0, "o");
  assert.equal(attributes["data-c"][0], null);
  assert.equal(attributes["data-c"][1], 3);
});

test("a state is saved without a change of labels", () => {
  const { editor, entries } = editorOf("oo");
  editor.setState("skip");
  assert.equal(editor.page.state, "skip");
  assert.deepEqual([entries[0].changes, entries[0].state], [[], "skip"]);
});

test("on an empty page there is nothing to label", () => {
  const { editor, entries } = editorOf("");
  editor.label("t");
  assert.deepEqual(entries, []);
});

test("the labels of another tab are drawn, unsaved ones on top if wanted", () => {
  const { editor, attributes } = editorOf("ooo");
  editor.saving.unsaved = [[2, 2, "h"]];
  editor.rebase({ labels: "too", revision: 3 }, true);
  assert.equal(editor.labels.letters(), "toh");
  assert.deepEqual(attributes["data-l"], { 0: "t", 1: null, 2: "h" });
});

test("the value that is not drawn is null", () => {
  assert.deepEqual(
    withNull(
      [
        [0, 1, "o"],
        [2, 2, "t"],
      ],
      "o",
    ),
    [
      [0, 1, null],
      [2, 2, "t"],
    ],
  );
});
