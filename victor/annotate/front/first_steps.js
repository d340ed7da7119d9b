// @ts-check
// What to do, in three lines: shown once to everybody who is new, and at the top of the help.
// Each start of the server may have another address, and browsers remember by address: who has saved
// labels is not new.

import { byId, element } from "./dom.js";

const STEPS = [
  "Pale blocks with a dashed line are labelled as a model suggests; blocks without colour are other. Correct what is wrong. U goes to the block the model is least sure of.",
  "To give a label, choose it (1 to 4), then click the first and the last block of a passage; or press H, T or O on a block.",
  "Press D to confirm the page: only then do suggestions become your labels. The next page opens. ? shows all keys and the guidelines.",
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
 * @param {string[]} annotators who has saved labels
 * @param {() => void} onClose
 */
export function showHint(annotator, annotators, onClose) {
  byId("hint").hidden = true;
  if (annotators.includes(annotator) || localStorage.getItem(keyOf(annotator)) !== null) return;
  localStorage.setItem(keyOf(annotator), "");
  fillSteps("hint-steps");
  byId("hint").hidden = false;
  byId("hint-close").onclick = () => {
    byId("hint").hidden = true;
    onClose();
  };
}
