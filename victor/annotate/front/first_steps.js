// @ts-check
// What to do, in three lines: shown once to everybody who is new, and at the top of the help.

import { byId, element } from "./dom.js";

const STEPS = [
  "Choose a label (1 to 4), then click the first and the last block of a passage. Or drag over it, or click one block twice.",
  "What is not marked is other. Where a model suggests labels, A takes them over and U goes to the block it is least sure of.",
  "Press D when the page is done; the next one opens. Everything is saved at once. ? shows all keys and the guidelines.",
];
/** @param {string} annotator */
const keyOf = (annotator) => `hint-seen-${annotator}`;

/** @param {"hint-steps" | "help-steps"} id */
function fillSteps(id) {
  byId(id).replaceChildren(...STEPS.map((textContent) => element("li", { textContent })));
}

/** Writes the steps into the help. */
export function fillFirstSteps() {
  fillSteps("help-steps");
}

/**
 * Shows the steps above the page to an annotator who has not seen them in this browser.
 *
 * The focus stays where it is: nobody has to answer.
 *
 * @param {string} annotator
 * @param {() => void} onClose
 */
export function showHint(annotator, onClose) {
  if (localStorage.getItem(keyOf(annotator)) !== null) return;
  fillSteps("hint-steps");
  byId("hint").hidden = false;
  byId("hint-close").onclick = () => {
    localStorage.setItem(keyOf(annotator), "");
    byId("hint").hidden = true;
    onClose();
  };
}
