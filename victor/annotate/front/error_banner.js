// @ts-check
// The banner below the toolbar: what could not be saved or shown, and what can be done about it.

import { byId, element } from "./dom.js";
import { count } from "./format.js";

/** @import { Editor } from "./editor.js" */

/**
 * Shows a message with buttons; pressing one closes the banner.
 *
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

/**
 * What an error says.
 *
 * @param {unknown} error anything that was thrown
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

export function hideError() {
  byId("error-banner").hidden = true;
}

/**
 * Shows why the changes of an editor are not saved, or hides the banner once they are.
 *
 * @param {Editor} editor
 */
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
