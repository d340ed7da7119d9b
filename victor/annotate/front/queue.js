// @ts-check
// The list of pages with its filter and the progress.

import { byId, closest, count, element, fillOptions, stateName } from "./dom.js";

/**
 * @import { PageRow, QueueAnswer, Session, State, States } from "./types.d.ts"
 */

/** Rows of the list, at most; of more pages, those to do come into it by its filter. */
const MOST_ROWS = 10_000;
const TO_DO = "todo";
/** Of more annotators, the list tells how many they are. */
const MOST_NAMED = 3;

export class Queue {
  #request;
  #nPages;
  #annotator;
  /** @type {string | null} */
  #current = null;
  /** What the annotator has done. @type {States} */
  states = {};
  /** @type {PageRow[]} */
  rows = [];

  /**
   * @param {object} options
   * @param {(values: Record<string, string>) => Promise<QueueAnswer>} options.request
   * @param {Session} options.session
   * @param {() => string} options.annotator who is here
   * @param {(id: string) => void} options.open shows a page
   */
  constructor({ request, session, annotator, open }) {
    this.#annotator = annotator;
    this.#request = request;
    this.#nPages = session.pages;
    const { states } = session;
    /** @param {State | ""} state */
    const nameOf = (state) => (state ? stateName(state) : "all");
    fillOptions(byId("filter"), ["", ...states], nameOf);
    byId("filter").addEventListener("change", () => this.load());
    byId("list").addEventListener("click", (event) => {
      const id = closest(event, "button")?.dataset.id;
      if (id) open(id);
    });
  }

  /** Loads the list at the start; resolves to the id of the first page to do, or null. */
  async begin() {
    const first = await this.#firstToDo();
    await this.load();
    if (first !== null && this.#indexOf(first) < 0) await this.#loadToDo();
    return first;
  }

  async #firstToDo() {
    const { pages } = await this.#request({ state: TO_DO, limit: "1" });
    return pages[0]?.id ?? null;
  }

  /** Loads the list anew. */
  async load() {
    this.rows = (await this.#fetch(MOST_ROWS)).pages;
    this.#draw();
  }

  async #loadToDo() {
    byId("filter").value = TO_DO;
    await this.load();
  }

  /** Whether no page is left to do. */
  get isAllDone() {
    return nDone(this.states) >= this.#nPages;
  }

  #draw() {
    byId("list").replaceChildren(...this.rows.map((row) => itemOf(row, this.#annotator())));
    this.#markButtons();
  }

  /** @param {number} limit */
  async #fetch(limit) {
    const state = byId("filter").value;
    const answer = await this.#request({ limit: `${limit}`, ...(state && { state }) });
    this.states = answer.states;
    showProgress(answer, this.#nPages);
    return answer;
  }

  async updateProgress() {
    await this.#fetch(1);
  }

  /**
   * The id of the page some steps away in the list, or null beyond its ends.
   * @param {string} id
   * @param {number} step
   */
  neighbour(id, step) {
    return this.rows[this.#indexOf(id) + step]?.id ?? null;
  }

  /**
   * The id of the page to go to after one that is finished, or null: the next one to do, from the
   * top again at the end. In a list of finished pages it is the next one.
   * @param {string} id
   */
  async nextToDo(id) {
    if (![TO_DO, ""].includes(byId("filter").value)) return this.neighbour(id, 1);
    const next = nextRowToDo(this.rows, id) ?? firstRowToDo(this.rows, id);
    if (next || this.isAllDone) return next?.id ?? null;
    await this.#loadToDo();
    return firstRowToDo(this.rows, id)?.id ?? null;
  }

  /** @param {string} id */
  #indexOf(id) {
    return this.rows.findIndex((row) => row.id === id);
  }

  /**
   * Marks the open page in the list. Pages that have left the state of the filter go.
   * @param {string | null} id
   */
  markCurrent(id) {
    this.#current = id;
    const state = byId("filter").value;
    const rows = this.rows.filter((row) => !state || row.state === state || row.id === id);
    if (rows.length === this.rows.length) {
      this.#markButtons();
    } else {
      this.rows = rows;
      this.#draw();
    }
  }

  /** Moves the focus to the open page in the list, or to the first one. */
  focus() {
    const list = byId("list");
    const row = list.querySelector("[aria-current]") ?? list.querySelector("button");
    if (row instanceof HTMLElement) row.focus();
  }

  #markButtons() {
    for (const button of byId("list").querySelectorAll("button")) {
      button.ariaCurrent = button.dataset.id === this.#current ? "true" : null;
    }
  }

  /** @param {string} id @param {State} state */
  setState(id, state) {
    const index = this.#indexOf(id);
    const row = this.rows[index];
    if (!row || row.state === state) return;
    row.state = state;
    byId("list").children[index].replaceWith(itemOf(row, this.#annotator()));
    this.#markButtons();
  }
}

/** The first page to do except for one. @param {PageRow[]} rows @param {string} id */
function firstRowToDo(rows, id) {
  return rows.find((row) => row.state === TO_DO && row.id !== id) ?? null;
}

/** The first page to do behind one. @param {PageRow[]} rows @param {string} id */
export function nextRowToDo(rows, id) {
  return firstRowToDo(rows.slice(rows.findIndex((row) => row.id === id) + 1), id);
}

/**
 * The item of a page in the list, as one annotator sees it.
 * @param {PageRow} row
 * @param {string} annotator
 */
function itemOf(row, annotator) {
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
      element("small", { textContent: describe(row, annotator) }),
    ),
  );
}

/** @param {PageRow} row @param {string} annotator */
function describe({ n_blocks: nBlocks, annotators }, annotator) {
  const others = annotators.filter((name) => name !== annotator);
  if (!others.length) return count(nBlocks, "block");
  const names = others.length > MOST_NAMED ? `${others.length} others` : others.join(", ");
  return `${count(nBlocks, "block")}, also by ${names}`;
}

/** @param {QueueAnswer} answer @param {number} nPages */
function showProgress(answer, nPages) {
  const bar = byId("progress");
  bar.max = Math.max(nPages, 1);
  bar.value = nDone(answer.states);
  byId("progress-text").textContent = describeProgress(answer, nPages);
}

/** @param {States} states */
const nDone = (states) => Object.values(states).reduce((sum, number) => sum + number, 0);

/**
 * "3 of 56 pages done; 12 labelled by anybody".
 * @param {Pick<QueueAnswer, "states" | "labelled">} answer
 * @param {number} nPages
 */
export function describeProgress({ states, labelled }, nPages) {
  const done = nDone(states);
  const others = labelled > done ? `; ${labelled.toLocaleString("en")} labelled by anybody` : "";
  return `${done.toLocaleString("en")} of ${count(nPages, "page")} done${others}`;
}
