import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "../../victor/annotate/front/api.js";

/** A server with one answer; returns the requests. */
function serve(t, answer) {
  const requests = [];
  const { fetch } = globalThis;
  globalThis.fetch = (path, options) => {
    requests.push({ path, ...options });
    return Promise.resolve().then(answer);
  };
  globalThis.document = { querySelector: () => ({ content: "secret" }) };
  t.after(() => {
    globalThis.fetch = fetch;
    globalThis.document = undefined;
  });
  return requests;
}

const json = (body, status = 200) => new Response(JSON.stringify(body), { status });

test("names in addresses are escaped", async (t) => {
  const requests = serve(t, () => json({}));
  await api.page("a/b c?.html", { annotator: "Ota & Eva" });
  assert.equal(requests[0].path, "/api/page/a%2Fb%20c%3F.html?annotator=Ota+%26+Eva");
});

test("an answer is its JSON", async (t) => {
  serve(t, () => json({ pages: 3 }));
  assert.deepEqual(await api.session(), { pages: 3 });
});

test("what is stored is sent with the token of the page", async (t) => {
  const requests = serve(t, () => json({ revision: 4 }));
  assert.deepEqual(await api.save("p", { key: "k" }, { keepalive: true }), { revision: 4 });
  const [{ path, method, headers, body, keepalive }] = requests;
  assert.deepEqual(
    { path, method, body, keepalive },
    {
      path: "/api/page/p/save",
      method: "POST",
      body: '{"key":"k"}',
      keepalive: true,
    },
  );
  assert.equal(headers["X-Victor-Token"], "secret");
});

test("a refusal has the message and the body of the server", async (t) => {
  serve(t, () => json({ error: "no such page", annotator: "Eva" }, 409));
  await assert.rejects(api.page("p", {}), {
    message: "no such page",
    status: 409,
    body: { error: "no such page", annotator: "Eva" },
  });
});

test("an answer that is no JSON is told with its status", async (t) => {
  serve(t, () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await assert.rejects(api.session(), { message: "the server answered 502", status: 502 });
});

test("no answer has the status 0 and its cause", async (t) => {
  const cause = new TypeError("connection refused");
  serve(t, () => Promise.reject(cause));
  await assert.rejects(api.session(), { message: "the server does not answer", status: 0, cause });
});

test("a good answer that breaks off is no answer", async (t) => {
  serve(t, () => new Response('{"pages": ', { status: 200 }));
  await assert.rejects(api.session(), { message: "the server does not answer", status: 0 });
});
