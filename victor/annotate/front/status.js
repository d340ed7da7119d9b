// What the toolbar and the status line show of the open page.

import { byId, fillOptions } from "./dom.js";
import { blockRange, count, LABEL_NAMES, stateName, truncate } from "./format.js";

const SAVING_STATES = {
  saved: "Saved",
  waiting: "Saving…",
  saving: "Saving…",
  failed: "Not saved",
  refused: "Not saved",
  conflict: "Not saved",
};
const LONGEST_TEXT = 160;

export function showStates(states) {
  fillOptions(byId("state"), states, stateName);
}

/** Title and number of a page. */
export function showPage(page, nPages) {
  byId("title").textContent = page.title || page.url || page.id;
  byId("title").title = page.url ?? page.id;
  byId("page-number").textContent = `${page.number} / ${nPages}`;
  document.title = `${page.title || page.id} · Victor`;
}

export function showChosenLetter(letter) {
  for (const button of document.querySelectorAll(".bar [data-letter]")) {
    button.ariaPressed = button.dataset.letter === letter;
  }
}

/** The state of the page, what can be undone and accepted, and the selected blocks. */
export function showEditor(editor, view) {
  const { labels, suggestion, page } = editor;
  byId("undo").disabled = !labels.canUndo;
  byId("redo").disabled = !labels.canRedo;
  byId("clear").disabled = !labels.hasMarks;
  byId("state").value = page.state;
  byId("suggested").hidden = !suggestion;
  byId("suggested").title = suggestion ? `Suggested by ${suggestion.labeler}` : "";
  document.body.classList.toggle("suggests", Boolean(suggestion));
  byId("block").textContent = labels.length
    ? describeSelection(editor, view)
    : "This page has no text";
}

function describeSelection({ labels, selection, suggestion }, view) {
  const { cursor, range, anchor } = selection;
  if (anchor !== null) {
    const [first, last] = range;
    return `Blocks ${blockRange(first, last)} selected (${count(last - first + 1, "block")})`;
  }
  const parts = [`Block ${cursor + 1} of ${labels.length}: ${LABEL_NAMES[labels.letter(cursor)]}`];
  if (suggestion) {
    const name = LABEL_NAMES[suggestion.labels.letter(cursor)];
    parts.push(`suggested ${name}, ${suggestion.confidence[cursor]} %`);
  }
  if (!view.isVisible(cursor)) parts.push("not visible on the page");
  return `${parts.join("; ")} · ${truncate(view.blocks.text(cursor), LONGEST_TEXT)}`;
}

export function showSaving({ state, message }) {
  byId("saved").textContent = SAVING_STATES[state];
  byId("saved").dataset.state = state;
  byId("saved").title = state === "saved" ? "" : message;
}
