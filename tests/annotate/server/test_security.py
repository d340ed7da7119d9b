"""Who gets in, and what is refused before it reaches a route."""

import re

import pytest

from victor.annotate.server.security import MOST_BYTES, Address, Secrets
from victor.page.display.safe_page import CSP

HEADERS = ("x-content-type-options", "referrer-policy", "x-frame-options",
           "content-security-policy", "cross-origin-resource-policy")  # fmt: skip
SAVE = {"annotator": "ann", "base": 0, "changes": [[0, 0, "t"]]}
PATHS = ("/", "/api/session", "/api/queue?annotator=a", "/api/page/bees?annotator=a",
         "/page/bees", "/static/app.js", "/api/adapt", "/nothing")  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_without_the_cookie_nothing_is_shown(client, path):
    answer = client.get(path)
    assert answer.status_code == 403
    assert "bees" not in answer.text


def test_whoever_has_no_token_is_told_what_to_do(client):
    for path in ("/", "/?token=wrong", "/?token="):
        answer = client.get(path)
        assert answer.status_code == 403
        assert "victor annotate serve" in answer.text
        assert "set-cookie" not in answer.headers


def test_the_start_address_gives_the_cookie(client):
    answer = client.get("/?token=start")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("victor-8000=cookie;")
    assert "HttpOnly" in cookie
    assert re.search("samesite=strict", cookie, re.IGNORECASE)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("cookie", ["", "wrong", "start", "post"])
def test_another_cookie_is_none(client, cookie):
    client.cookies.set("victor-8000", cookie)
    assert client.get("/api/session").status_code == 403


@pytest.mark.parametrize("path", ["/page/bees", "/api/session", "/static/app.js"])
def test_the_token_is_taken_at_the_start_only(client, path):
    assert client.get(path, params={"token": "start"}).status_code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:80", "",
     "127.0.0.1:8000.evil.example", "localhost.evil.example:8000", "user@127.0.0.1:8000",
     "[::1]:8000", "0.0.0.0:8000"],
)  # fmt: skip
def test_a_name_that_only_resolves_to_this_machine_is_refused(browser_in, host):
    assert browser_in.get("/api/session", headers={"Host": host}).status_code == 421


def test_the_names_of_this_machine_will_do(browser_in):
    for host in ("127.0.0.1:8000", "localhost:8000"):
        assert browser_in.get("/api/session", headers={"Host": host}).status_code == 200


def test_two_hosts_are_none(browser_in):
    hosts = [("Host", "127.0.0.1:8000"), ("Host", "evil.example")]
    assert browser_in.get("/api/session", headers=hosts).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [{"X-Victor-Token": None}, {"X-Victor-Token": "wrong"}, {"X-Victor-Token": "start"},
     {"X-Victor-Token": "\xe9"}, {"Origin": None}, {"Origin": "null"},
     {"Origin": "http://evil.example"}, {"Origin": "https://127.0.0.1:8000"},
     {"Origin": "http://127.0.0.1:8001"}, {"Origin": "http://localhost:8000"}],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/page/bees/save", "/api/adapt"])
def test_a_post_needs_token_and_origin(post, store, path, headers):
    headers = {k: v.encode("latin-1") if v else v for k, v in headers.items()}
    answer = post(path, SAVE, headers)
    assert answer.status_code == 403
    assert "error" in answer.json()
    assert store.revisions.heads() == []


def test_a_post_needs_the_cookie_too(client, store):
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
    answer = client.post("/api/page/bees/save", json=SAVE, headers=headers)
    assert answer.status_code == 403
    assert store.revisions.heads() == []


def test_a_post_to_the_other_name_has_that_origin(post):
    headers = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    assert post("/api/page/bees/save", SAVE, headers).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(browser_in, method):
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
    assert browser_in.request(method, "/api/session", headers=headers).status_code == 405


def test_nothing_is_saved_by_get(browser_in, store):
    assert browser_in.get("/api/page/bees/save", params=SAVE).status_code == 405
    assert store.revisions.heads() == []


def test_a_large_body_is_refused_by_its_header(post):
    answer = post("/api/page/bees/save", content=b"", headers={"Content-Length": str(10**12)})
    assert answer.status_code == 413
    answer = post("/api/page/bees/save", content=b"", headers={"Content-Length": "-1"})
    assert answer.status_code == 413


def test_a_large_body_is_refused_without_a_header(post):
    pieces = (b" " * (1 << 20) for _ in range((MOST_BYTES >> 20) + 1))
    answer = post("/api/page/bees/save", content=pieces)
    assert answer.status_code == 413


def test_every_answer_has_the_headers(client, post):
    answers = [client.get("/?token=start"), *map(client.get, PATHS), client.get("/api/page/no"),
               client.get("/", headers={"Host": "evil.example"}),
               post("/api/adapt", {})]  # fmt: skip
    client.cookies.clear()
    answers += [client.get("/")]
    for answer in answers:
        assert set(HEADERS) <= answer.headers.keys()
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert "set-cookie" not in answer.headers or answer.status_code == 303


def test_the_shell_runs_its_own_scripts_only(browser_in):
    policy = browser_in.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_a_page_runs_nothing(browser_in):
    assert browser_in.get("/page/bees").headers["content-security-policy"] == CSP
    assert "sandbox" in CSP
    assert "script" not in CSP


def test_the_shell_holds_the_token_of_posts_and_no_other(browser_in, tokens):
    text = browser_in.get("/").text
    assert f'<meta name="victor-token" content="{tokens.post}">' in text
    assert tokens.start not in re.findall(r'"([^"]*)"', text)
    assert "{{" not in text


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py",
             "/static//etc/passwd", "/static/", "/static/none.js"],
)  # fmt: skip
def test_static_files_are_those_of_the_front_end(browser_in, path):
    assert browser_in.get(path).status_code == 404


def test_secrets_are_new_every_time():
    first, second = Secrets(), Secrets()
    secrets = {first.start, first.cookie, first.post, second.start, second.cookie, second.post}
    assert len(secrets) == 6
    assert min(map(len, secrets)) >= 40


def test_names_of_an_address():
    assert Address("127.0.0.1", 80).names == {"127.0.0.1:80", "localhost:80"}
    assert Address("::1", 80).names == {"[::1]:80", "localhost:80"}
    assert Address("10.1.2.3", 80).names == {"10.1.2.3:80"}
    assert Address("::1", 80).url("t") == "http://[::1]:80/?token=t"
