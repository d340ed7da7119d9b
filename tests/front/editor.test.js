import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "../../victor/annotate/front/editor.js";
import { rowsOf } from "./rows.js";

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

const SUGGESTED = { labeler: "default", labels: "ohto", confidence: [99, 99, 99, 99] };

/** What is drawn of an attribute, a character a block. */
const drawn = (values) =>
  Object.values(values)
    .map((value) => value ?? "-")
    .join("");

for (const [name, given, steps, letters, labels, suggested, cursor, saved] of rowsOf(
  "editor.txt",
)) {
  test(name, () => {
    const [before, is, state = "todo"] = given.split(" ");
    const options = { state, hidden: is === "hidden" ? 1 : -1 };
    const { editor, attributes, entries, changes } = editorOf(
      before,
      is === undefined || is === "-" ? null : SUGGESTED,
      options,
    );
    for (const step of steps.split(", ").filter(Boolean)) {
      const [method, value] = step.split(" ");
      if (method === "suggest") editor.suggest(SUGGESTED);
      else editor[method](method === "move" ? Number(value) : value);
    }
    assert.equal(editor.labels.letters(), letters);
    assert.equal(drawn(attributes["data-l"]), labels);
    assert.equal(drawn(attributes["data-s"] ?? {}), suggested);
    assert.equal(editor.selection.cursor, Number(cursor));
    const told = entries.map((entry) => [...entry.changes, entry.state ?? []].flat(2).join(""));
    assert.equal(told.join(" "), saved);
    assert.ok(entries.every((entry) => entry.changes.every((run) => changes.includes(run))));
  });
}

test("a page opens at the first block to keep that is seen", () => {
  assert.deepEqual(editorOf("oooo", SUGGESTED).tops, [1]);
  assert.deepEqual(editorOf("oooo").tops, []);
});

test("a block without a list or table is told", () => {
  const { editor } = editorOf("ooooo");
  assert.equal(editor.labelWhole("t"), false);
  editor.move(2);
  assert.equal(editor.labelWhole("h"), true);
});

test("the labels of another tab are drawn, unsaved ones on top if wanted", () => {
  const { editor, attributes } = editorOf("ooo");
  editor.saving.unsaved = [[2, 2, "h"]];
  editor.rebase({ labels: "too", revision: 3 }, true);
  assert.equal(editor.labels.letters(), "toh");
  assert.deepEqual(attributes["data-l"], { 0: "t", 1: null, 2: "h" });
});
