// Every request to the server; what it refuses becomes an ApiError in the server's own words.

const PATIENCE = 60_000;

export class ApiError extends Error {
  /** status 0: no answer at all. */
  constructor(status, body) {
    super(body.error ?? (status ? `the server answered ${status}` : "the server does not answer"));
    this.status = status;
    this.body = body;
  }
}

function token() {
  return document.querySelector('meta[name="victor-token"]').content;
}

async function ask(path, options = {}) {
  let answer;
  let body;
  try {
    answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE), ...options });
    body = await answer.json();
  } catch (error) {
    throw new ApiError(answer && !answer.ok ? answer.status : 0, { cause: String(error) });
  }
  if (!answer.ok) throw new ApiError(answer.status, body);
  return body;
}

function post(path, body, options = {}) {
  const headers = { "Content-Type": "application/json", "X-Victor-Token": token() };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

const page = (id) => `/api/page/${encodeURIComponent(id)}`;
const query = (values) => new URLSearchParams(values).toString();

export const shownAddress = (id) => `/page/${encodeURIComponent(id)}`;
export const session = () => ask("/api/session");
export const queue = (values) => ask(`/api/queue?${query(values)}`);
export const pageOf = (id, annotator) => ask(`${page(id)}?${query({ annotator })}`);
export const adjudicationOf = (id, annotator) =>
  ask(`${page(id)}?${query({ annotator, kind: "adjudication" })}`);
export const suggestionOf = (id) => ask(`${page(id)}/suggestion`);
export const save = (id, body, options) => post(`${page(id)}/save`, body, options);
export const differences = (id, a, b) => ask(`${page(id)}/differences?${query({ a, b })}`);
export const adjudicate = (id, body) => post(`${page(id)}/adjudicate`, body);
export const retrain = () => post("/api/retrain", {});
export const retraining = () => ask("/api/retrain");

/** A file of the front end as text. */
export async function text(path) {
  return (await fetch(path)).text();
}
