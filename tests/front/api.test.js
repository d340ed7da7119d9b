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

test("no answer has the status 0 and its cause", async (t) => {
  const cause = new TypeError("connection refused");
  serve(t, () => Promise.reject(cause));
  await assert.rejects(api.session(), { message: "the server does not answer", status: 0, cause });
});
