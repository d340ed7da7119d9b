// @ts-check
// The end of the work: what was done, what to do with it, and the way back to every page.

import { element } from "./dom.js";
import { count, stateName } from "./format.js";

/**
 * @import { PageRow, State, Summary } from "./server_answers.d.ts"
 */

const HOUR = 3600;
const MINUTE = 60;

/**
 * "3 done, 2 no content, in 12 minutes (25 pages per hour)".
 *
 * @param {Pick<Summary, "states" | "seconds">} summary
 */
export function describeWork({ states, seconds }) {
  const entries = /** @type {[State, number][]} */ (Object.entries(states));
  const parts = entries.map(
    ([state, number]) => `${number.toLocaleString("en")} ${stateName(state)}`,
  );
  const nPages = entries.reduce((sum, [, number]) => sum + number, 0);
  const pace = seconds > 0 ? ` (${Math.round((nPages * HOUR) / seconds)} pages per hour)` : "";
  return `${parts.join(", ")}, in ${describeTime(seconds)}${pace}`;
}

/** @param {number} seconds */
export function describeTime(seconds) {
  if (seconds < MINUTE) return count(Math.round(seconds), "second");
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < MINUTE) return count(minutes, "minute");
  return `${count(Math.floor(minutes / MINUTE), "hour")} ${count(minutes % MINUTE, "minute")}`;
}

/**
 * The screen as an element; its heading takes the focus once it is shown.
 *
 * @param {object} options
 * @param {Summary} options.summary
 * @param {PageRow[]} options.rows the pages to go back to
 * @param {number} options.nPages
 */
export function endingOf({ summary, rows, nPages }) {
  const heading = element("h2", { id: "ending-heading", tabIndex: -1 });
  heading.textContent = nPages === 1 ? "The page is done" : `All ${count(nPages, "page")} done`;
  return element(
    "section",
    { id: "ending", className: "ending" },
    heading,
    element("p", { textContent: `${describeWork(summary)}. Everything is saved.` }),
    tableOf(summary.blocks),
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
    ...commandsOf(summary.store),
    element("h3", { textContent: "Back to a page" }),
    element("ol", { className: "ending-pages" }, ...rows.map(itemOf)),
  );
}

/** @param {Record<string, number>} blocks */
function tableOf(blocks) {
  const rows = Object.entries(blocks).map(([label, number]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", textContent: label }),
      element("td", { textContent: number.toLocaleString("en") }),
    ),
  );
  const caption = element("caption", { textContent: "Blocks by label" });
  return element("table", { className: "scores" }, caption, element("tbody", {}, ...rows));
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
