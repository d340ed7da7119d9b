// The dialog that trains a model on what is labelled, with progress and scores before and after.

import * as api from "./api.js";
import { byId, element } from "./dom.js";

const EVERY = 700;

export class Retraining {
  #isWatching = false;

  /** finished() is called when a training that was watched has ended. */
  constructor(finished) {
    this.finished = finished;
    byId("retrain-start").addEventListener("click", () => this.#start());
  }

  open() {
    byId("retrain-dialog").showModal();
    return this.#watch();
  }

  async #start() {
    try {
      await api.retrain();
      await this.#watch();
    } catch (error) {
      byId("retrain-message").textContent = error.message;
    }
  }

  async #watch() {
    if (this.#isWatching) return;
    this.#isWatching = true;
    let wasRunning = false;
    let found = await this.#look();
    while (found?.state === "running") {
      wasRunning = true;
      await new Promise((done) => setTimeout(done, EVERY));
      found = await this.#look();
    }
    this.#isWatching = false;
    if (wasRunning) this.finished();
  }

  async #look() {
    try {
      const found = await api.retraining();
      show(found);
      return found;
    } catch (error) {
      byId("retrain-message").textContent = error.message;
      return null;
    }
  }
}

function show({ state, done, total, before, after, message }) {
  byId("retrain-start").disabled = state === "running";
  byId("retrain-progress").max = Math.max(total ?? 1, 1);
  byId("retrain-progress").value = done ?? 0;
  byId("retrain-message").textContent = message ?? "";
  byId("retrain-message").dataset.state = state;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  byId("retrain-scores").hidden = !names.length;
  byId("retrain-scores").tBodies[0].replaceChildren(
    ...names.map((name) =>
      element("tr", {}, element("th", { scope: "row", textContent: name }),
        element("td", { textContent: figure(before?.[name]) }),
        element("td", { textContent: figure(after?.[name]) })),
    ),
  );
}

function figure(value) {
  if (typeof value !== "number") return value ?? "–";
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(3);
}
