// @ts-check
/** What is known of a block, and what spoke for and against it. */
import { add } from "./dom.js";
import { becauseText, clueText, signed, stateText } from "./wording.js";

/** @typedef {import("./wording.js").Data} Data */
/** @typedef {import("./wording.js").Why} Why */

/** Numbers of a part of a group. */
const PART = 3;
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
  const sentence = data.thresholds[position] === undefined ? data.sentences[block] : "";
  if (sentence) add(panel, "p", sentence, "sentence");
  const kind = data.kindsNames[data.kinds[block] ?? 0] ?? "";
  const texts = [kind, becauseText(data, block, position)].filter(Boolean);
  add(panel, "p", texts.join(" · "), "soft");
  const bars = add(panel, "dl", "", "bars");
  data.labelNames.forEach((name, label) => {
    addProbability(bars, name, data.marginals[block]?.[label] ?? 0);
  });
  addWhy(panel, data, block);
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
 * @param {number} block
 */
function addWhy(panel, data, block) {
  if (!data.why) {
    addClues(panel, data, block);
    return;
  }
  const reasons = data.why.blocks[block];
  if (!reasons) {
    add(panel, "p", "Reasons are given for the blocks that were least sure.", "soft");
    return;
  }
  const [label, odds, groups, nMore, more] = reasons;
  const title = add(panel, "h3", `${data.labelNames[label]} against other: ${signed(odds)}`);
  title.title = "logarithm of the odds; all groups add up to it";
  const most = Math.max(...groups.map(([, sum]) => Math.abs(sum)), SMALLEST);
  const list = add(panel, "ul", "", "groups");
  for (const [group, sum, parts, nParts, rest] of groups) {
    const item = add(list, "li");
    addSum(item, data.why.groups[group] ?? "", sum, sum / most);
    addParts(item, data.why, parts);
    if (nParts) addPart(item, `${nParts} more`, "", rest);
  }
  if (nMore) addSum(add(list, "li"), `${nMore} more groups`, more, more / most);
}

/**
 * What rules found, in place of reasons.
 *
 * @param {Element} panel
 * @param {Data} data
 * @param {number} block
 */
function addClues(panel, data, block) {
  add(panel, "h3", `What ${data.system} found`);
  if (!data.clues.length) add(panel, "p", "It tells a score and nothing else.", "soft");
  const list = add(panel, "ul", "", "groups");
  for (const clue of data.clues) {
    const text = clueText(clue, block);
    if (!text) continue;
    const item = add(list, "li");
    add(item, "strong", `${clue.name}: ${text}`);
    add(item, "p", clue.meaning, "soft");
  }
}

/**
 * @param {Element} item
 * @param {string} name
 * @param {number} sum
 * @param {number} share of the largest sum, with its sign
 */
function addSum(item, name, sum, share) {
  const head = add(item, "div", "", "group");
  add(head, "strong", name);
  add(head, "b", signed(sum));
  const bar = add(add(head, "span", "", "scale"), "span", "", sum < 0 ? "against" : "for");
  bar.style.width = `${Math.min(50, 50 * Math.abs(share))}%`;
}

/**
 * @param {Element} item
 * @param {Why} why
 * @param {readonly number[]} parts
 */
function addParts(item, why, parts) {
  for (let start = 0; start < parts.length; start += PART) {
    const [name = 0, value = 0, weight = 0] = parts.slice(start, start + PART);
    const [column, meaning] = why.names[name] ?? ["", ""];
    addPart(item, meaning || column, why.values[value] ?? "", weight).title = column;
  }
}

/**
 * @param {Element} item
 * @param {string} meaning
 * @param {string} value
 * @param {number} weight
 */
function addPart(item, meaning, value, weight) {
  const row = add(item, "p", "", "part");
  const text = add(row, "span", meaning);
  if (value) add(text, "small", value);
  add(row, "b", signed(weight));
  return row;
}
