// The message under the bar when something is not saved or cannot be shown, with what can be done.

import { byId, element } from "./dom.js";
import { count } from "./words.js";

/** Shows a message and buttons ([text, action]); pressing one closes it. */
export function trouble(message, buttons = [["Close", () => {}]]) {
  const pressed = (action) => () => {
    calm();
    action();
  };
  const made = buttons.map(([text, action]) =>
    element("button", { textContent: text, type: "button", onclick: pressed(action) }),
  );
  byId("trouble").replaceChildren(element("p", { textContent: message }), ...made);
  byId("trouble").hidden = false;
}

export function calm() {
  byId("trouble").hidden = true;
}

/** The message that fits the state of an editor's saving. */
export function showTrouble(editor) {
  const { saving } = editor;
  const kept = `${count(saving.unsaved.length, "change")} not saved`;
  if (saving.state === "conflict") {
    const { annotator } = saving.theirs;
    trouble(
      `${annotator ?? "Somebody"} saved this page somewhere else in the meantime; ${kept}, but kept here.`,
      [
        ["Keep both: mine on top of the other", () => editor.rebase(saving.theirs, true)],
        ["Take the other, drop mine", () => editor.rebase(saving.theirs, false)],
      ],
    );
  } else if (saving.state === "refused") {
    trouble(`The server refused to save: ${saving.message}. ${kept}, but kept here.`, [
      ["Try again", () => saving.resume()],
    ]);
  } else if (saving.state === "failed") {
    trouble(`Not saved: ${saving.message}. ${kept}, but kept here, and sent again soon.`, [
      ["Try now", () => saving.flush()],
    ]);
  } else if (saving.state === "saved") {
    calm();
  }
}
