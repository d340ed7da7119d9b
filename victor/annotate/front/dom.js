// @ts-check
// Elements of the tool, and the names and numbers that it writes in them.

/** @import { ElementById, Letter, State } from "./types.d.ts" */

/** @type {Record<Letter, string>} */
export const LABEL_NAMES = { h: "header", t: "text", o: "other", "?": "unlabelled" };
/** @type {Record<State, string>} */
const STATE_NAMES = {
  todo: "to do",
  done: "done",
  "no-content": "no content",
  "wrong-language": "wrong language",
  broken: "broken",
  skip: "skipped",
};

/** @param {State} state */
export const stateName = (state) => STATE_NAMES[state] ?? state;

/** "1 block", "2 blocks". @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * An element of index.html.
 * @template {string} Id
 * @param {Id} id
 */
export const byId = (id) => /** @type {ElementById<Id>} */ (document.getElementById(id));

/**
 * A new element with properties, data attributes and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]> & {data?: Record<string, string | number>}} properties
 * @param {(Node | string)[]} children
 */
export function element(name, { data = {}, ...properties } = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  Object.assign(created.dataset, data);
  created.append(...children);
  return created;
}

/**
 * Fills a select or datalist with one option per value.
 * @template {string} Value
 * @param {HTMLElement} select
 * @param {Value[]} values
 * @param {(value: Value) => string} textOf
 */
export function fillOptions(select, values, textOf = (value) => value) {
  select.replaceChildren(
    ...values.map((value) => element("option", { value, textContent: textOf(value) })),
  );
}

/**
 * The innermost element around the target of an event, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return /** @type {Element} */ (target).closest(selector);
}

/** Opens a modal dialog; resolves when it is closed. @param {HTMLDialogElement} dialog */
export function closed(dialog) {
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
}

/** What an error says. @param {unknown} error anything that was thrown */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
