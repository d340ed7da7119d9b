"""Who gets in, and what is refused before it reaches a route."""

import re

import pytest

from victor.annotate.server import MOST_BYTES, Address, Secrets
from victor.page.safe_page import policy

HEADERS = ("x-content-type-options", "referrer-policy", "x-frame-options",
           "content-security-policy", "cross-origin-resource-policy")  # fmt: skip
SAVE = {"annotator": "ann", "base": 0, "changes": [[0, 0, "t"]]}
PATHS = ("/", "/api/session", "/api/queue?annotator=a", "/api/page/bees?annotator=a",
         "/page/bees", "/static/app.js", "/api/adapt", "/nothing")  # fmt: skip
TOKENS = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}


@pytest.mark.parametrize("path", [*PATHS, "/?token=wrong", "/?token=", "/page/bees?token=start"])
def test_without_the_cookie_nothing_is_shown(client, path):
    answer = client.get(path)
    assert answer.status_code == 403
    assert "bees" not in answer.text
    assert "set-cookie" not in answer.headers
    assert path.startswith("/api") or "victor annotate serve" in answer.text


def test_the_start_address_gives_the_cookie(client):
    answer = client.get("/?token=start")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("victor-8000=start;")
    assert "HttpOnly" in cookie
    assert re.search("samesite=strict", cookie, re.IGNORECASE)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("cookie", ["", "wrong", "post"])
def test_another_cookie_is_none(client, cookie):
    client.cookies.set("victor-8000", cookie)
    assert client.get("/api/session").status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1:8000", 200), ("localhost:8000", 200), ("evil.example", 400),
     ("evil.example:8000", 400), ("", 400), ("127.0.0.1:8000.evil.example", 400),
     ("localhost.evil.example:8000", 400), ("user@127.0.0.1:8000", 400), ("[::1]:8000", 400),
     ("0.0.0.0:8000", 400)],
)  # fmt: skip
def test_a_name_that_only_resolves_to_this_machine_is_refused(browser_in, host, status):
    assert browser_in.get("/api/session", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [{"X-Victor-Token": None}, {"X-Victor-Token": "wrong"}, {"X-Victor-Token": "start"},
     {"X-Victor-Token": b"\xe9"}, {"Origin": None}, {"Origin": "null"},
     {"Origin": "http://evil.example"}, {"Origin": "https://127.0.0.1:8000"},
     {"Origin": "http://127.0.0.1:8001"}, {"Origin": "http://localhost:8000"}],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/page/bees/save", "/api/adapt"])
def test_a_post_needs_token_and_origin(post, store, path, headers):
    answer = post(path, SAVE, headers)
    assert answer.status_code == 403
    assert "error" in answer.json()
    assert store.revisions.heads() == []


def test_a_post_needs_the_cookie_too(client, store):
    assert client.post("/api/page/bees/save", json=SAVE, headers=TOKENS).status_code == 403
    assert store.revisions.heads() == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(browser_in, method):
    assert browser_in.request(method, "/api/session", headers=TOKENS).status_code == 405


def test_a_large_body_is_refused(post):
    pieces = (b" " * (1 << 20) for _ in range((MOST_BYTES >> 20) + 1))
    assert post("/api/page/bees/save", content=pieces).status_code == 413


def test_every_answer_has_the_headers(client, post):
    answers = [client.get("/?token=start"), *map(client.get, PATHS), client.get("/api/page/no"),
               client.get("/", headers={"Host": "evil.example"}),
               post("/api/adapt", {})]  # fmt: skip
    client.cookies.clear()
    for answer in (*answers, client.get("/")):
        assert set(HEADERS) <= answer.headers.keys()
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert "set-cookie" not in answer.headers or answer.status_code == 303


def test_what_the_shell_and_the_pages_may_do(browser_in, tokens):
    shell, page = browser_in.get("/"), browser_in.get("/page/bees")
    policy_of_shell = shell.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy_of_shell
    assert "unsafe" not in policy_of_shell
    assert f'<meta name="victor-token" content="{tokens.post}">' in shell.text
    assert tokens.start not in re.findall(r'"([^"]*)"', shell.text)
    policy_of_page = page.headers["content-security-policy"]
    assert policy_of_page == policy("http://127.0.0.1:8000/page/")
    assert "default-src 'none'" in policy_of_page
    assert "sandbox" in policy_of_page
    assert "script" not in policy_of_page


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py",
             "/static//etc/passwd", "/static/", "/static/none.js"],
)  # fmt: skip
def test_static_files_are_those_of_the_front_end(browser_in, path):
    assert browser_in.get(path).status_code == 404


def test_secrets_are_new_every_time():
    first, second = Secrets(), Secrets()
    secrets = {first.start, first.post, second.start, second.post}
    assert len(secrets) == 4
    assert min(map(len, secrets)) >= 40


def test_names_of_an_address():
    assert set(Address("127.0.0.1", 80).names) == {"127.0.0.1", "localhost"}
    assert set(Address("::1", 80).names) == {"::1", "[::1]", "localhost"}
    assert set(Address("10.1.2.3", 80).names) == {"10.1.2.3"}
    assert Address("::1", 80).url("t") == "http://[::1]:80/?token=t"
