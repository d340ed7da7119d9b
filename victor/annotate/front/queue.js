// The list of pages with its filter, its order and the progress.

import { byId, element, fillOptions } from "./dom.js";
import { count, stateName } from "./format.js";

const ROWS_PER_REQUEST = 100;

export class Queue {
  #request;
  #nPages;
  #current = null;
  #hasMore = false;

  /** request(values) resolves to an answer of /api/queue; open(id) shows a page. */
  constructor({ request, session, open }) {
    this.#request = request;
    this.#nPages = session.pages;
    this.rows = [];
    const { states, orders } = session;
    fillOptions(byId("filter"), ["", ...states], (state) => (state ? stateName(state) : "all"));
    byId("filter").value = "todo";
    fillOptions(byId("order"), orders, (order) => order.replaceAll("-", " "));
    byId("filter").addEventListener("change", () => this.load());
    byId("order").addEventListener("change", () => this.load());
    byId("more").addEventListener("click", () => this.#loadMore());
    byId("list").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) open(button.dataset.id);
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
    const state = byId("filter").value;
    // The server no longer counts a page that has left the state of the filter.
    const offset = this.rows.filter((row) => !state || row.state === state).length;
    const { pages, total } = await this.#fetch(offset, ROWS_PER_REQUEST);
    const ids = new Set(this.rows.map((row) => row.id));
    const added = pages.filter((row) => !ids.has(row.id));
    this.rows.push(...added);
    this.#hasMore = offset + pages.length < total && added.length > 0;
    byId("list").replaceChildren(...this.rows.map(itemOf));
    byId("more").hidden = !this.#hasMore;
    this.markCurrent(this.#current);
  }

  async #fetch(offset, limit) {
    const state = byId("filter").value;
    const values = { order: byId("order").value, offset, limit, ...(state && { state }) };
    const answer = await this.#request(values);
    showProgress(answer, this.#nPages);
    return answer;
  }

  async updateProgress() {
    await this.#fetch(0, 1);
  }

  /** The id of the page some steps away in the list, or null beyond its ends. */
  async neighbour(id, step) {
    const index = this.#indexOf(id) + step;
    if (index >= this.rows.length && this.#hasMore) await this.#loadMore();
    return this.rows[index]?.id ?? null;
  }

  #indexOf(id) {
    return this.rows.findIndex((row) => row.id === id);
  }

  /** Marks the open page in the list. */
  markCurrent(id) {
    this.#current = id;
    for (const button of byId("list").querySelectorAll("button")) {
      button.ariaCurrent = button.dataset.id === id ? "true" : null;
    }
  }

  setState(id, state) {
    const index = this.#indexOf(id);
    const row = this.rows[index];
    if (!row || row.state === state) return;
    row.state = state;
    byId("list").children[index].replaceWith(itemOf(row));
    this.markCurrent(this.#current);
  }
}

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
      element("b", { textContent: row.number }),
      element("span", { className: "name", textContent: title }),
      element("span", { className: "state", textContent: stateName(state), data: { state } }),
      element("small", { textContent: count(row.n_blocks, "block") }),
      doubt,
    ),
  );
}

function showProgress({ done, per_hour: perHour }, nPages) {
  const bar = byId("progress");
  bar.max = Math.max(nPages, 1);
  bar.value = done;
  const pace = perHour ? `, ${Math.round(perHour)} pages per hour` : "";
  byId("progress-text").textContent =
    `${done.toLocaleString("en")} of ${count(nPages, "page")} done${pace}`;
}
