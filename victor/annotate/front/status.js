// @ts-check
// What the tool says: of the open page in the toolbar and the status line, what a command has done in
// a quiet line over the page, and what went wrong in a banner with what can be done about it.

import { byId, count, element, fillOptions, LABEL_NAMES, stateName } from "./dom.js";

/**
 * @import { Editor } from "./editor.js"
 * @import { Saving, SavingState } from "./saving.js"
 * @import { Letter, Page, State } from "./types.d.ts"
 * @import { View } from "./view.js"
 */

/** @type {Record<SavingState, string>} */
const SAVING_STATES = {
  saved: "Saved",
  waiting: "Saving…",
  saving: "Saving…",
  failed: "Not saved",
  refused: "Not saved",
  conflict: "Not saved",
};
const LONGEST_TEXT = 160;

/** @param {State[]} states */
export function showStates(states) {
  fillOptions(byId("state"), states, stateName);
}

/** Title and number of a page. @param {Page} page @param {number} nPages */
export function showPage(page, nPages) {
  byId("title").textContent = page.title || page.url || page.id;
  byId("title").title = page.url ?? page.id;
  byId("page-number").textContent = `${page.number} / ${nPages}`;
  document.title = `${page.title || page.id} · Victor`;
}

/** In place of a page: there is nothing to label. @param {string} reason */
export function showNoPage(reason) {
  byId("title").textContent = reason;
  byId("title").title = "";
  byId("page-number").textContent = "–";
  byId("state").value = "";
  document.title = `${reason} · Victor`;
  document.body.classList.remove("suggests");
  byId("least-certain").hidden = true;
  byId("block").textContent = "";
  for (const id of /** @type {const} */ (["undo", "redo", "clear"])) byId(id).disabled = true;
}

/** @param {Letter} letter */
export function showChosenLetter(letter) {
  const buttons = document.querySelectorAll(".bar [data-letter]");
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (buttons)) {
    button.ariaPressed = `${button.dataset.letter === letter}`;
  }
}

/**
 * The state of the page, what can be undone and accepted, and the selected blocks.
 * @param {Editor} editor
 * @param {View} view
 */
export function showEditor(editor, view) {
  const { labels, suggestion, page } = editor;
  byId("undo").disabled = !labels.canUndo;
  byId("redo").disabled = !labels.canRedo;
  byId("clear").disabled = !(labels.hasMarks || editor.isSuggested);
  byId("state").value = page.state;
  byId("least-certain").hidden = !suggestion;
  byId("least-certain").title = suggestion
    ? `Least certain block, as suggested by ${suggestion.labeler} (U)`
    : "";
  byId("done").textContent = editor.isSuggested ? "Confirm" : "Done";
  byId("done").title = editor.isSuggested
    ? "Confirm: what is suggested becomes your labels, and the next page opens (D)"
    : "Done, next page (D)";
  document.body.classList.toggle("suggests", Boolean(suggestion));
  byId("block").textContent = labels.length
    ? describeSelection(editor, view)
    : "This page has no text";
}

/**
 * @param {Pick<Editor, "labels" | "selection" | "suggestion" | "suggestedLetter" | "chosenLetter">} editor
 * @param {Pick<View, "isVisible" | "text">} view
 */
export function describeSelection(editor, view) {
  const { labels, selection, suggestion, chosenLetter } = editor;
  const { cursor, range, anchor } = selection;
  if (anchor !== null) {
    const [first, last] = range;
    return first === last
      ? `Block ${first + 1} selected. Click the last block of the passage, or press a label: H, T, O or X`
      : `Blocks ${first + 1}–${last + 1} selected (${count(last - first + 1, "block")}). ` +
          `Click, or press Space, to label them ${LABEL_NAMES[chosenLetter()]}`;
  }
  const said = suggestion && [
    `suggested ${LABEL_NAMES[suggestion.labels.letter(cursor)]}, ${suggestion.confidence[cursor]} %`,
  ];
  const given = LABEL_NAMES[labels.letter(cursor)];
  const isOpen = editor.suggestedLetter(cursor) !== null;
  const parts = [...(isOpen ? [] : [given]), ...(said ?? [])];
  parts[0] = `Block ${cursor + 1} of ${labels.length}: ${parts[0]}`;
  if (!view.isVisible(cursor)) parts.push("not visible on the page");
  const text = view.text(cursor);
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  return `${parts.join("; ")} · ${shown}`;
}

/** @param {Saving} saving */
export function showSaving({ state, message }) {
  byId("saved").textContent = SAVING_STATES[state];
  byId("saved").dataset.state = state;
  byId("saved").title = state === "saved" ? "" : message;
}

/** Shows the list of pages, or hides it. */
export function togglePages() {
  const isHidden = byId("pages").toggleAttribute("hidden");
  byId("pages-button").ariaExpanded = `${!isHidden}`;
}

/** Says in one line what a command has just done; the next action takes it away. @param {string} message */
export function showNotice(message) {
  byId("notice").textContent = message;
}

/**
 * Shows a message with buttons; pressing one closes the banner.
 * @param {string} message
 * @param {[text: string, action: () => void][]} actions
 */
export function showError(message, actions = [["Close", hideError]]) {
  const buttons = actions.map(([textContent, action]) => {
    const onclick = () => {
      hideError();
      action();
    };
    return element("button", { type: "button", textContent, onclick });
  });
  byId("error-banner").replaceChildren(element("p", { textContent: message }), ...buttons);
  byId("error-banner").hidden = false;
}

export function hideError() {
  byId("error-banner").hidden = true;
}

/** Shows why changes are not saved, or hides the banner once they are. @param {Editor} editor */
export function showSavingError(editor) {
  const { saving } = editor;
  const { theirs } = saving;
  const unsaved = `${count(saving.unsaved.length, "change")} not saved, but kept here`;
  if (theirs) {
    showError(
      `${theirs.annotator ?? "Somebody"} saved this page elsewhere in the meantime; ${unsaved}.`,
      [
        ["Keep both: mine on top of the other", () => editor.rebase(theirs, true)],
        ["Take the other, drop mine", () => editor.rebase(theirs, false)],
      ],
    );
  } else if (saving.state === "refused") {
    showError(`The server refused to save: ${saving.message}. ${unsaved}.`, [
      ["Try again", () => saving.resume()],
    ]);
  } else if (saving.state === "failed") {
    showError(`Not saved: ${saving.message}. ${unsaved}, and sent again soon.`, [
      ["Try now", () => saving.flush()],
    ]);
  } else if (saving.state === "saved") {
    hideError();
  }
}
