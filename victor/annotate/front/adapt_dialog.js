// @ts-check
// The dialog that adapts the model to the finished pages and shows what that gained.

import * as api from "./api.js";
import { showCurve } from "./curve.js";
import { byId, element } from "./dom.js";
import { messageOf } from "./error_banner.js";

/** @import { Training } from "./server_answers.d.ts" */

const POLL_INTERVAL = 700;

export class AdaptDialog {
  #isWatching = false;
  #onFinished;

  /** @param {() => void} onFinished called when what was watched has ended */
  constructor(onFinished) {
    this.#onFinished = onFinished;
    byId("adapt-start").addEventListener("click", () => this.#start());
  }

  open() {
    byId("adapt-dialog").showModal();
    return this.#watch();
  }

  async #start() {
    try {
      await api.startAdapting();
      await this.#watch();
    } catch (error) {
      byId("adapt-message").textContent = messageOf(error);
    }
  }

  async #watch() {
    if (this.#isWatching) return;
    this.#isWatching = true;
    let wasRunning = false;
    while ((await showTraining()) === "running") {
      wasRunning = true;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    }
    this.#isWatching = false;
    if (wasRunning) this.#onFinished();
  }
}

/** Shows how far adapting is; resolves to its state, or null if the server does not answer. */
async function showTraining() {
  try {
    const training = await api.adaptingStatus();
    show(training);
    return training.state;
  } catch (error) {
    byId("adapt-message").textContent = messageOf(error);
    return null;
  }
}

/** @param {Training} training */
function show({ state, done, total, before, after, message, base, model, curve }) {
  byId("adapt-start").disabled = state === "running";
  byId("adapt-progress").max = Math.max(total ?? 1, 1);
  byId("adapt-progress").value = done ?? 0;
  byId("adapt-message").textContent = message ?? "";
  byId("adapt-results").hidden = typeof after !== "number";
  byId("adapt-base").textContent = base ?? "";
  byId("adapt-use").hidden = !model;
  byId("adapt-command").textContent = model ? `victor clean -m ${model} page.html` : "";
  const row = element("tr", {}, element("th", { scope: "row", textContent: "expected word F" }));
  for (const score of [before, after]) {
    row.append(element("td", { textContent: score?.toFixed(3) ?? "–" }));
  }
  byId("adapt-scores").replaceChildren(row);
  showCurve(byId("adapt-curve"), curve ?? [], base ?? "");
}
