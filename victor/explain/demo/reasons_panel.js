// @ts-check
/** What is known of a block, and what spoke for and against it, in the words of the file. */
import { add } from "./dom.js";
import { isKeptAt, OTHER, stateText } from "./positions.js";

/** @typedef {import("./positions.js").Data} Data */
/** @typedef {import("./positions.js").Row} Row */

const SMALLEST = 1e-9;

/**
 * @param {Element} panel
 * @param {Data} data
 * @param {number} block
 * @param {number} position
 */
export function showReasons(panel, data, block, position) {
  panel.replaceChildren();
  add(panel, "h2", `Block ${block}: ${stateText(data, block, position)}`);
  const why = data.why[block];
  const asCleaned = isKeptAt(data, block, data.thresholds.length);
  if (why && isKeptAt(data, block, position) === asCleaned) add(panel, "p", why[0], "sentence");
  add(panel, "p", data.kindNames[data.kinds[block] ?? OTHER] ?? "", "soft");
  const bars = add(panel, "dl", "", "bars");
  data.labelNames.forEach((name, label) => {
    addProbability(bars, name, data.marginals[block]?.[label] ?? 0);
  });
  if (why) addRows(panel, data, why[1], why[2]);
  else add(panel, "p", "Reasons are given for the blocks that were least sure.", "soft");
}

/**
 * @param {Element} bars
 * @param {string} name of a label
 * @param {number} probability
 */
function addProbability(bars, name, probability) {
  add(bars, "dt", name);
  const row = add(bars, "dd");
  add(add(row, "span", "", "room"), "span", "", `bar of-${name}`).style.width =
    `${100 * probability}%`;
  add(row, "b", probability.toFixed(3));
}

/**
 * @param {Element} panel
 * @param {Data} data
 * @param {string} title
 * @param {readonly Row[]} rows
 */
function addRows(panel, data, title, rows) {
  add(panel, "h3", title);
  const most = Math.max(...rows.map(([, weight]) => Math.abs(weight ?? 0)), SMALLEST);
  const list = add(panel, "ul", "", "groups");
  for (const [text, weight, below] of rows) {
    const item = add(list, "li");
    const head = add(item, "div", "", "group");
    add(head, "strong", data.texts[text]);
    if (weight !== null) addBar(head, weight, weight / most);
    for (const [part, of] of below) {
      const line = add(item, "p", "", "part");
      add(line, "span", data.texts[part]);
      if (of !== null) add(line, "b", signed(of));
    }
  }
}

/**
 * @param {Element} head
 * @param {number} weight
 * @param {number} share of the largest weight, with its sign
 */
function addBar(head, weight, share) {
  add(head, "b", signed(weight));
  const bar = add(add(head, "span", "", "scale"), "span", "", weight < 0 ? "against" : "for");
  bar.style.width = `${Math.min(50, 50 * Math.abs(share))}%`;
}

/**
 * A weight with its sign.
 *
 * @param {number} value
 */
function signed(value) {
  return (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(2);
}
