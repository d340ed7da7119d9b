// @ts-check
// What is done with finished pages: the screen after the last one, the export and adapting.

import * as api from "./api.js";
import { count, element, messageOf, stateName } from "./dom.js";
import { showNotice } from "./status.js";

/** @import { PageRow, Session, State, States } from "./types.d.ts" */

const FILE = "corpus.zip";
/** Milliseconds after which the browser has taken the file. */
const TAKEN = 60_000;
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
 * @param {PageRow[]} options.rows the pages to go back to
 * @param {Session} options.session
 * @param {(id: string) => void} options.open shows a page
 */
export function endingOf({ states, rows, session, open }) {
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
      button("export", "Export", "primary"),
      button("adapt", "Adapt the model to these pages"),
    ),
    element("h3", { textContent: "The same in a terminal: export, adapt, use the model" }),
    element("pre", { tabIndex: 0, textContent: lines.join("\n") }),
    element("h3", { textContent: "Back to a page" }),
    element("ol", { className: "ending-pages" }, ...rows.map((row) => itemOf(row, open))),
  );
}

/** @param {string} command @param {string} textContent @param {string} className */
function button(command, textContent, className = "") {
  return element("button", { type: "button", className, textContent, data: { command } });
}

/** @param {PageRow} row @param {(id: string) => void} open */
function itemOf({ id, title, url, state }, open) {
  const name = element("span", { textContent: title || url || id });
  const textContent = stateName(state);
  const how = element("span", { className: "state", textContent, data: { state } });
  const onclick = () => open(id);
  return element("li", {}, element("button", { type: "button", onclick }, name, how));
}

/** Saves the finished pages with their labels as a file, and says what it holds. */
export async function saveCorpus() {
  showNotice("Exporting…");
  try {
    const { file, pages, leftOut } = await api.exportCorpus();
    const href = URL.createObjectURL(file);
    element("a", { href, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(href), TAKEN);
    const rest = leftOut ? `; ${count(leftOut, "page")} left out, see left-out.txt in it` : "";
    showNotice(`${count(pages, "page")} exported to ${FILE}${rest}`);
  } catch (error) {
    showNotice(`Nothing is exported: ${messageOf(error)}`);
  }
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
