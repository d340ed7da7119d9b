// @ts-check
// What is done with finished pages: the screen after the last one, and adapting.

import * as api from "./api.js";
import { count, element, messageOf, stateName } from "./dom.js";
import { showNotice } from "./status.js";

/** @import { Session, State, States } from "./types.d.ts" */

/** Milliseconds. */
const POLL_INTERVAL = 700;

/** "3 done, 2 no content". @param {States} states */
export function describeWork(states) {
  const entries = /** @type {[State, number][]} */ (Object.entries(states));
  return entries
    .map(([state, number]) => `${number.toLocaleString("en")} ${stateName(state)}`)
    .join(", ");
}

/**
 * The screen as an element; its heading takes the focus once it is shown.
 * @param {object} options
 * @param {States} options.states what the annotator has done
 * @param {Session} options.session
 */
export function endingOf({ states, session }) {
  const heading = element("h2", { id: "ending-heading", tabIndex: -1 });
  const { pages, store } = session;
  heading.textContent = pages === 1 ? "The page is done" : `All ${count(pages, "page")} done`;
  const lines = [
    `victor annotate export corpus/ -s ${store}`,
    "victor adapt corpus/ -o mine.victor",
    "victor clean -m mine.victor page.html",
  ];
  return element(
    "section",
    { id: "ending", className: "ending" },
    heading,
    element("p", { textContent: `${describeWork(states)}. Everything is saved.` }),
    element(
      "p",
      { className: "ending-buttons" },
      element("button", {
        type: "button",
        className: "primary",
        textContent: "Adapt the model to these pages",
        data: { command: "adapt" },
      }),
    ),
    element("h3", { textContent: "In a terminal: export, adapt, use the model" }),
    element("pre", { tabIndex: 0, textContent: lines.join("\n") }),
  );
}

/** Adapts the model and says what that gained; pages that open from then on have its suggestions. */
export async function adapt() {
  showNotice("Adapting the model to the finished pages…");
  try {
    let adapting = await api.startAdapting();
    while (adapting.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      adapting = await api.adapting();
    }
    showNotice(adapting.message);
  } catch (error) {
    showNotice(`The model is not adapted: ${messageOf(error)}`);
  }
}
