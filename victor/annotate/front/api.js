// @ts-check
// All requests to the server. A refusal becomes an ApiError with the server's message.

/**
 * @import {
 *   Adapting, Page, QueueAnswer, SaveAnswer, SaveRequest, Session, SuggestionAnswer
 * } from "./types.d.ts"
 */

/** Milliseconds. */
const TIMEOUT = 60_000;

export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {{status?: number, body?: any, cause?: unknown}} details status 0: no answer at all;
   *   body: the server's answer
   */
  constructor(message, { status = 0, body = {}, cause } = {}) {
    super(message, { cause });
    this.status = status;
    this.body = body;
  }
}

/** @param {string} path @param {RequestInit} options @returns {Promise<any>} the answer */
async function request(path, options = {}) {
  let answer;
  let body;
  try {
    answer = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT), ...options });
    body = await answer.json();
  } catch (cause) {
    const status = answer && !answer.ok ? answer.status : 0;
    throw new ApiError(messageOf(status), { status, cause });
  }
  if (answer.ok) return body;
  throw new ApiError(body.error ?? messageOf(answer.status), { status: answer.status, body });
}

/** @param {number} status */
function messageOf(status) {
  return status ? `the server answered ${status}` : "the server does not answer";
}

/** @param {string} path @param {object} body @param {RequestInit} options */
function post(path, body, options = {}) {
  const meta = document.querySelector('meta[name="victor-token"]');
  const token = /** @type {HTMLMetaElement} */ (meta).content;
  const headers = { "Content-Type": "application/json", "X-Victor-Token": token };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

/** @param {string} id */
const pagePath = (id) => `/api/page/${encodeURIComponent(id)}`;
/** @param {Record<string, string>} values */
const query = (values) => new URLSearchParams(values).toString();

/** @type {() => Promise<Session>} */
export const session = () => request("/api/session");

/** @type {(values: Record<string, string>) => Promise<QueueAnswer>} */
export const queue = (values) => request(`/api/queue?${query(values)}`);

/** @type {(id: string, values: {annotator: string}) => Promise<Page>} */
export const page = (id, values) => request(`${pagePath(id)}?${query(values)}`);

/** @type {(id: string) => Promise<SuggestionAnswer>} */
export const suggestion = (id) => request(`${pagePath(id)}/suggestion`);

/** @type {(id: string, body: SaveRequest, options?: RequestInit) => Promise<SaveAnswer>} */
export const save = (id, body, options) => post(`${pagePath(id)}/save`, body, options);

/** @type {() => Promise<Adapting>} */
export const startAdapting = () => post("/api/adapt", {});

/** @type {() => Promise<Adapting>} */
export const adapting = () => request("/api/adapt");

/** @returns {Promise<{html: string}>} */
export const guidelines = () => request("/api/guidelines");

/** The address of the page itself, for the frame. @param {string} id */
export const pageAddress = (id) => `/page/${encodeURIComponent(id)}`;

/** A file of the front end as text. @param {string} path */
export const text = async (path) => (await fetch(path)).text();
