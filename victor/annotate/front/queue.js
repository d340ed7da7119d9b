// The list of pages with its filter, its order and the progress.

import { byId, element, options } from "./dom.js";
import { STATES, count } from "./words.js";

const AT_ONCE = 100;

export class Queue {
  #ask;
  #annotator;
  #pages;
  #current = null;

  /** ask(values) resolves to an answer of /api/queue; open(id) shows a page. */
  constructor({ ask, annotator, session, open }) {
    this.#ask = ask;
    this.#annotator = annotator;
    this.#pages = session.pages;
    this.rows = [];
    options(byId("filter"), [["", "all"], ...session.states.map((name) => [name, STATES[name] ?? name])],
      "todo");
    options(byId("order"), session.orders.map((name) => [name, name.replaceAll("-", " ")]));
    byId("filter").addEventListener("change", () => this.load());
    byId("order").addEventListener("change", () => this.load());
    byId("more").addEventListener("click", () => this.more());
    byId("list").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) open(button.dataset.id);
    });
  }

  /** Reads the list anew; all pages if the filter leaves none. */
  async load() {
    this.rows = [];
    await this.more();
    if (!this.rows.length && byId("filter").value === "todo") {
      byId("filter").value = "";
      await this.more();
    }
  }

  /** Reads more rows behind those that are there. */
  async more() {
    const state = byId("filter").value;
    // A page that lost the state of the filter since is no longer counted by the server.
    const offset = this.rows.filter((row) => !state || row.state === state).length;
    const found = await this.#request(offset, AT_ONCE);
    const known = new Set(this.rows.map((row) => row.id));
    const fresh = found.pages.filter((row) => !known.has(row.id));
    this.rows.push(...fresh);
    this.hasMore = offset + found.pages.length < found.total && fresh.length > 0;
    byId("list").replaceChildren(...this.rows.map(item));
    byId("more").hidden = !this.hasMore;
    this.point(this.#current);
  }

  async #request(offset, limit) {
    const state = byId("filter").value;
    const values = { annotator: this.#annotator(), order: byId("order").value, offset, limit };
    const found = await this.#ask(state ? { ...values, state } : values);
    showProgress(found, this.#pages);
    return found;
  }

  /** Asks how far the work has come. */
  async progress() {
    await this.#request(0, 1);
  }

  /** Id of the page some steps away in the list, or null at its ends. */
  async neighbour(id, step) {
    const place = this.rows.findIndex((row) => row.id === id) + step;
    if (place >= this.rows.length && this.hasMore) await this.more();
    return this.rows[place]?.id ?? null;
  }

  /** Marks the open page in the list. */
  point(id) {
    this.#current = id;
    for (const button of byId("list").querySelectorAll("button")) {
      if (button.dataset.id === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** A page has another state now. */
  update(id, state) {
    const place = this.rows.findIndex((row) => row.id === id);
    if (place < 0 || this.rows[place].state === state) return;
    this.rows[place].state = state;
    byId("list").children[place].replaceWith(item(this.rows[place]));
    this.point(this.#current);
  }
}

function item(row) {
  const doubt = element("i", { className: "doubt", title: "uncertainty of the labeler" });
  if (row.uncertainty !== null) doubt.style.inlineSize = `${Math.round(row.uncertainty * 100)}%`;
  const name = element("span", { className: "name", textContent: row.title || row.url || row.id });
  const state = element("span", { className: "state", textContent: STATES[row.state] ?? row.state,
    data: { state: row.state } });
  const size = element("small", { textContent: count(row.n_blocks, "block") });
  return element("li", {}, element("button", { data: { id: row.id }, title: row.url ?? row.id },
    element("b", { textContent: row.number }), name, state, size, doubt));
}

function showProgress({ done, per_hour: perHour }, all) {
  const bar = byId("progress");
  bar.max = Math.max(all, 1);
  bar.value = done;
  const pace = perHour ? `, ${Math.round(perHour)} pages per hour` : "";
  byId("progress-text").textContent = `${done.toLocaleString("en")} of ${count(all, "page")} done${pace}`;
}
