// What the bar and the line below the page say of the open page.

import { byId, options } from "./dom.js";
import { LABELS, STATES, blocks, count, cut } from "./words.js";

const SAVED = {
  saved: "Saved",
  waiting: "Saving…",
  saving: "Saving…",
  failed: "Not saved",
  refused: "Not saved",
  conflict: "Not saved",
};
const LONGEST = 160;

export function showStates(names) {
  options(byId("state"), names.map((name) => [name, STATES[name] ?? name]));
}

/** Name, number and state of a page. */
export function showPage(page, total) {
  byId("title").textContent = page.title || page.url || page.id;
  byId("title").title = page.url ?? page.id;
  byId("place").textContent = `${page.number} / ${total}`;
  byId("state").value = page.state;
  document.title = `${page.title || page.id} · Victor`;
}

/** Whether there are suggested labels to accept. */
export function showSuggestion(suggestion) {
  byId("suggested").hidden = !suggestion;
  byId("suggested").title = suggestion ? `Suggested by ${suggestion.labeler}` : "";
  document.body.classList.toggle("suggests", Boolean(suggestion));
}

export function showChosen(letter) {
  for (const button of document.querySelectorAll("[data-letter]")) {
    button.setAttribute("aria-pressed", String(button.dataset.letter === letter));
  }
}

/** What can be undone, and the block the keyboard or an open passage is at. */
export function showEditor({ labels, selection, suggestion, page }, view) {
  byId("undo").disabled = !labels.canUndo;
  byId("redo").disabled = !labels.canRedo;
  byId("clear").disabled = !labels.hasMarks;
  byId("state").value = page.state;
  showSuggestion(suggestion);
  byId("block").textContent = labels.length
    ? blockInWords({ labels, selection, suggestion }, view)
    : "This page has no text";
}

function blockInWords({ labels, selection, suggestion }, view) {
  const { cursor, range, anchor } = selection;
  if (anchor !== null) {
    const [first, last] = range;
    return `Blocks ${blocks(first, last)} selected (${count(last - first + 1, "block")})`;
  }
  const parts = [`Block ${cursor + 1} of ${labels.length}: ${LABELS[labels.letter(cursor)]}`];
  if (suggestion) {
    const letter = LABELS[suggestion.labels.letter(cursor)];
    parts.push(`suggested ${letter}, ${suggestion.confidence[cursor]} %`);
  }
  if (!view.isVisible(cursor)) parts.push("not visible on the page");
  return `${parts.join("; ")} · ${cut(view.blocks.text(cursor), LONGEST)}`;
}

export function showSaved({ state, message }) {
  byId("saved").textContent = SAVED[state];
  byId("saved").dataset.state = state;
  byId("saved").title = state === "saved" ? "" : message;
}
