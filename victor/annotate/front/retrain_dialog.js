// @ts-check
// The dialog that trains a model on the finished pages and shows its scores before and after.

import * as api from "./api.js";
import { byId, element } from "./dom.js";
import { messageOf } from "./error_banner.js";

/** @import { Training } from "./server_answers.d.ts" */

const POLL_INTERVAL = 700;

export class RetrainDialog {
  #isWatching = false;
  #onFinished;

  /** @param {() => void} onFinished called when a watched training has ended */
  constructor(onFinished) {
    this.#onFinished = onFinished;
    byId("retrain-start").addEventListener("click", () => this.#start());
  }

  open() {
    byId("retrain-dialog").showModal();
    return this.#watch();
  }

  async #start() {
    try {
      await api.startTraining();
      await this.#watch();
    } catch (error) {
      byId("retrain-message").textContent = messageOf(error);
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

/** Shows how far the training is; resolves to its state, or null if the server does not answer. */
async function showTraining() {
  try {
    const training = await api.trainingStatus();
    show(training);
    return training.state;
  } catch (error) {
    byId("retrain-message").textContent = messageOf(error);
    return null;
  }
}

/** @param {Training} training */
function show({ state, done, total, before, after, message, base, model }) {
  byId("retrain-start").disabled = state === "running";
  byId("retrain-progress").max = Math.max(total ?? 1, 1);
  byId("retrain-progress").value = done ?? 0;
  byId("retrain-message").textContent = message ?? "";
  const names = Object.keys({ ...before, ...after });
  byId("retrain-results").hidden = !names.length;
  byId("retrain-base").textContent = base ?? "";
  byId("retrain-use").hidden = !model;
  byId("retrain-command").textContent = model ? `victor clean -m ${model} page.html` : "";
  byId("retrain-scores").replaceChildren(
    ...names.map((name) =>
      element(
        "tr",
        {},
        element("th", { scope: "row", textContent: name }),
        element("td", { textContent: formatScore(before?.[name]) }),
        element("td", { textContent: formatScore(after?.[name]) }),
      ),
    ),
  );
}

/** @param {number | string | undefined} value */
export function formatScore(value) {
  if (typeof value !== "number") return value ?? "–";
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(3);
}
