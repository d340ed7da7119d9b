// All requests to the server. A refusal becomes an ApiError with the server's message.

const TIMEOUT = 60_000;

class ApiError extends Error {
  /** status 0: no answer at all; body: the server's answer. */
  constructor(message, { status = 0, body = {}, cause } = {}) {
    super(message, { cause });
    this.status = status;
    this.body = body;
  }
}

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

function messageOf(status) {
  return status ? `the server answered ${status}` : "the server does not answer";
}

function post(path, body, options = {}) {
  const token = document.querySelector('meta[name="victor-token"]').content;
  const headers = { "Content-Type": "application/json", "X-Victor-Token": token };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

const pagePath = (id) => `/api/page/${encodeURIComponent(id)}`;
const query = (values) => new URLSearchParams(values).toString();

export const session = () => request("/api/session");
export const queue = (values) => request(`/api/queue?${query(values)}`);
export const page = (id, values) => request(`${pagePath(id)}?${query(values)}`);
export const suggestion = (id) => request(`${pagePath(id)}/suggestion`);
export const differences = (id, a, b) => request(`${pagePath(id)}/differences?${query({ a, b })}`);
export const save = (id, body, options) => post(`${pagePath(id)}/save`, body, options);
export const adjudicate = (id, body) => post(`${pagePath(id)}/adjudicate`, body);
export const startTraining = () => post("/api/retrain", {});
export const trainingStatus = () => request("/api/retrain");

/** The address of the page itself, for the frame. */
export const pageAddress = (id) => `/page/${encodeURIComponent(id)}`;

/** A file of the front end as text. */
export const text = async (path) => (await fetch(path)).text();
