// @ts-check
// The list of pages with its filter, its order and the progress.

import { byId, closest, element, fillOptions } from "./dom.js";
import { count, stateName } from "./format.js";

/**
 * @import { PageRow, QueueAnswer, Session, State } from "./server_answers.d.ts"
 */

const ROWS_PER_REQUEST = 100;

export class Queue {
  #request;
  #nPages;
  /** @type {string | null} */
  #current = null;
  #hasMore = false;
  /** @type {PageRow[]} */
  rows = [];

  /**
   * @param {object} options
   * @param {(values: Record<string, string>) => Promise<QueueAnswer>} options.request
   * @param {Session} options.session
   * @param {(id: string) => void} options.open shows a page
   */
  constructor({ request, session, open }) {
    this.#request = request;
    this.#nPages = session.pages;
    const { states, orders } = session;
    /** @param {State | ""} state */
    const nameOf = (state) => (state ? stateName(state) : "all");
    fillOptions(byId("filter"), ["", ...states], nameOf);
    byId("filter").value = "todo";
    fillOptions(byId("order"), orders, (order) => order.replaceAll("-", " "));
    byId("filter").addEventListener("change", () => this.load());
    byId("order").addEventListener("change", () => this.load());
    byId("more").addEventListener("click", () => this.#loadMore());
    byId("list").addEventListener("click", (event) => {
      const id = closest(event, "button")?.dataset.id;
      if (id) open(id);
    });
  }

  /** Loads the list anew; all pages if none is left to do. */
  async load() {
    this.rows = [];
    await this.#loadMore();
    if (!this.rows.length && byId("filter").value === "todo") {
      byId("filter").value = "";
      await this.#loadMore();
    }
  }

  async #loadMore() {
    const offset = offsetOf(this.rows, byId("filter").value);
    const answer = await this.#fetch(offset, ROWS_PER_REQUEST);
    const added = newRows(this.rows, answer.pages);
    this.rows.push(...added);
    this.#hasMore = offset + answer.pages.length < answer.total && added.length > 0;
    byId("list").replaceChildren(...this.rows.map(itemOf));
    byId("more").hidden = !this.#hasMore;
    this.markCurrent(this.#current);
  }

  /**
   * @param {number} offset
   * @param {number} limit
   */
  async #fetch(offset, limit) {
    const state = byId("filter").value;
    const order = byId("order").value;
    const values = { order, offset: `${offset}`, limit: `${limit}`, ...(state && { state }) };
    const answer = await this.#request(values);
    showProgress(answer, this.#nPages);
    return answer;
  }

  async updateProgress() {
    await this.#fetch(0, 1);
  }

  /**
   * The id of the page some steps away in the list, or null beyond its ends.
   *
   * @param {string} id
   * @param {number} step
   */
  async neighbour(id, step) {
    const index = this.#indexOf(id) + step;
    if (index >= this.rows.length && this.#hasMore) await this.#loadMore();
    return this.rows[index]?.id ?? null;
  }

  /** @param {string} id */
  #indexOf(id) {
    return this.rows.findIndex((row) => row.id === id);
  }

  /**
   * Marks the open page in the list.
   *
   * @param {string | null} id
   */
  markCurrent(id) {
    this.#current = id;
    for (const button of byId("list").querySelectorAll("button")) {
      button.ariaCurrent = button.dataset.id === id ? "true" : null;
    }
  }

  /**
   * @param {string} id
   * @param {State} state
   */
  setState(id, state) {
    const index = this.#indexOf(id);
    const row = this.rows[index];
    if (!row || row.state === state) return;
    row.state = state;
    byId("list").children[index].replaceWith(itemOf(row));
    this.markCurrent(this.#current);
  }
}

/**
 * How many pages to pass over: the server no longer counts those that have left the filter's state.
 *
 * @param {PageRow[]} rows
 * @param {string} state the filter; "" for none
 */
export function offsetOf(rows, state) {
  return rows.filter((row) => !state || row.state === state).length;
}

/**
 * The rows of an answer that the list does not hold yet.
 *
 * @param {PageRow[]} rows
 * @param {PageRow[]} answered
 */
export function newRows(rows, answered) {
  const ids = new Set(rows.map((row) => row.id));
  return answered.filter((row) => !ids.has(row.id));
}

/** @param {PageRow} row */
function itemOf(row) {
  const doubt = element("i", { className: "doubt", title: "uncertainty of the labeler" });
  if (row.uncertainty !== null) doubt.style.inlineSize = `${Math.round(row.uncertainty * 100)}%`;
  const title = row.title || row.url || row.id;
  const { state } = row;
  return element(
    "li",
    {},
    element(
      "button",
      { data: { id: row.id }, title: row.url ?? row.id },
      element("b", { textContent: `${row.number}` }),
      element("span", { className: "name", textContent: title }),
      element("span", { className: "state", textContent: stateName(state), data: { state } }),
      element("small", { textContent: count(row.n_blocks, "block") }),
      doubt,
    ),
  );
}

/**
 * @param {QueueAnswer} answer
 * @param {number} nPages
 */
function showProgress(answer, nPages) {
  const bar = byId("progress");
  bar.max = Math.max(nPages, 1);
  bar.value = answer.done;
  byId("progress-text").textContent = describeProgress(answer, nPages);
}

/**
 * "3 of 56 pages done, 40 pages per hour".
 *
 * @param {Pick<QueueAnswer, "done" | "per_hour">} answer
 * @param {number} nPages
 */
export function describeProgress({ done, per_hour: perHour }, nPages) {
  const pace = perHour ? `, ${Math.round(perHour)} pages per hour` : "";
  return `${done.toLocaleString("en")} of ${count(nPages, "page")} done${pace}`;
}
