// @ts-check
// Adapting the model to the finished pages; what came of it is one sentence.

import * as api from "./api.js";
import { messageOf } from "./error_banner.js";
import { showNotice } from "./notice.js";

/** Milliseconds. */
const POLL_INTERVAL = 700;

/** Adapts the model and says what that gained; pages that open from then on have its suggestions. */
export async function adapt() {
  showNotice("Adapting the model to the finished pages…");
  try {
    let adapting = await api.startAdapting();
    while (adapting.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      adapting = await api.adapting();
    }
    showNotice(adapting.message);
  } catch (error) {
    showNotice(`The model is not adapted: ${messageOf(error)}`);
  }
}
