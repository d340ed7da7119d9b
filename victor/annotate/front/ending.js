// @ts-check
// The end of the work: what was done, what to do with it, and the way back to every page.

import { element } from "./dom.js";
import { count, stateName } from "./format.js";

/**
 * @import { PageRow, Session, State, States } from "./server_answers.d.ts"
 */

/**
 * "3 done, 2 no content".
 *
 * @param {States} states
 */
export function describeWork(states) {
  const entries = /** @type {[State, number][]} */ (Object.entries(states));
  return entries
    .map(([state, number]) => `${number.toLocaleString("en")} ${stateName(state)}`)
    .join(", ");
}

/**
 * The screen as an element; its heading takes the focus once it is shown.
 *
 * @param {object} options
 * @param {States} options.states what the annotator has done
 * @param {PageRow[]} options.rows the pages to go back to
 * @param {Session} options.session
 */
export function endingOf({ states, rows, session }) {
  const nPages = session.pages;
  const heading = element("h2", { id: "ending-heading", tabIndex: -1 });
  heading.textContent = nPages === 1 ? "The page is done" : `All ${count(nPages, "page")} done`;
  return element(
    "section",
    { id: "ending", className: "ending" },
    heading,
    element("p", { textContent: `${describeWork(states)}. Everything is saved.` }),
    element(
      "p",
      { className: "ending-buttons" },
      element("button", {
        className: "primary",
        textContent: "Export",
        data: { command: "export" },
      }),
      element("button", {
        type: "button",
        textContent: "Adapt the model to these pages",
        data: { command: "adapt" },
      }),
    ),
    ...commandsOf(session.store),
    element("h3", { textContent: "Back to a page" }),
    element("ol", { className: "ending-pages" }, ...rows.map(itemOf)),
  );
}

/** @param {string} store */
function commandsOf(store) {
  const lines = [
    `victor annotate export corpus/ -s ${store}`,
    "victor adapt corpus/ -o mine.victor",
    "victor clean -m mine.victor page.html",
  ];
  return [
    element("h3", { textContent: "The same in a terminal: export, adapt, use the model" }),
    element("pre", { tabIndex: 0, textContent: lines.join("\n") }),
  ];
}

/** @param {PageRow} row */
function itemOf({ id, title, url, state }) {
  const name = element("span", { textContent: title || url || id });
  const how = element("span", {
    className: "state",
    textContent: stateName(state),
    data: { state },
  });
  return element("li", {}, element("button", { type: "button", data: { page: id } }, name, how));
}
