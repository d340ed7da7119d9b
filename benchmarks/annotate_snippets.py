"""Snippets that try to run scripts or to load something, alone and mixed, in Chromium.

    python benchmarks/annotate_snippets.py [--combinations 1000] [--seed 1]

Each document is made safe as the annotation server does and loaded *without* the policy that the
server sends with it, so the markup alone has to hold. A server counts the requests that get out.
Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, NamedTuple

from playwright.sync_api import Page, sync_playwright

from victor.annotate.display.safe_page import safe_page

OUT: Final = "http://127.0.0.1:{port}/{n}"
RUN: Final = "window.ran=1"
LOADING: Final = (
    "img src", "img srcset", "img lowsrc", "img dynsrc", "input type=image src", "video src",
    "video poster", "audio src", "source src", "track src", "embed src", "object data",
    "applet archive", "iframe src", "frame src", "portal src", "script src", "image src",
    "body background", "table background", "td background", "link rel=stylesheet href",
    "link rel=prefetch href", "link rel=preload as=image href", "link rel=icon href",
    "link rel=manifest href", "link rel=modulepreload href", "base href", "a ping",
    "area href", "svg><image href", "svg><image xlink:href", "svg><use href", "svg><feImage href",
    "svg><script href", "html manifest", "form action", "button formaction", "isindex action",
    "bgsound src", "layer src", "menuitem icon", "meta http-equiv=refresh content='0;url=%' x",
)  # fmt: skip
"""Elements, and last of all the attribute with the address."""
EVENTS: Final = (
    "img src=x onerror", "svg onload", "body onload", "html onclick", "details open ontoggle",
    "marquee onstart", "input autofocus onfocus", "select autofocus onfocus", "video onerror",
    "audio src=x onerror", "p style=animation:a onanimationstart", "p tabindex=1 autofocus onfocus",
    "keygen autofocus onfocus", "frameset onload", "object onerror", "x-y onclick", "a onmouseover",
    "script>" + RUN + "</script x", "a href=javascript:%", "iframe src=javascript:%",
    "form action=javascript:%", "math href=javascript:%", "iframe srcdoc='<script>%</script>' x",
    "embed src=javascript:%", "svg><animate onbegin", "svg><set onend", "p xlink:onload",
)  # fmt: skip
"""Elements, and last of all the attribute with a script."""
STYLES: Final = (
    "background:url(%)", "background:url('%')", 'background:url("%")', "background:url(%",
    "background:u\\72l(%)", "background:\\75\\72\\6c(%)", "background:URL(%)", "--a:url(%)",
    "background:image-set('%' 1x)", "background:-webkit-image-set(url(%) 1x)", "cursor:url(%),auto",
    "background:cross-fade(url(%),url(%),50%)", "list-style:url(%)", "content:url(%)",
    "behavior:url(%)", "-moz-binding:url(%)", "width:expression(window.ran=1)", "x:'\";y:url(%)",
    "src:url(%)", "filter:url(%#a)", "mask:url(%)", "clip-path:url(%#a)", "border-image:url(%)",
    "shape-outside:url(%)", "offset-path:url(%)", "background:/**/url(/**/%)",
)  # fmt: skip
RULES: Final = (
    "@import url(%);", "@import '%';", '@import"%"screen;', "@imp\\6frt '%';", "@\\69mport '%';",
    "@media all{@import '%';}", "@namespace url(%);", "@import/**/'%';",
    "@font-face{font-family:f;src:url(%)}*{font-family:f}",
    "@import url(%)supports(display:block);", "<!-- @import '%'; -->",
    "@charset 'utf-7';@import '%';",
    "@property --x{syntax:'<url>';inherits:true;initial-value:url(%)}",
)  # fmt: skip
AROUND: Final = (
    "<noscript><p title='</noscript>{}'>", "<style></style>{}", "<style><!--</style>{}--></style>",
    "<textarea></textarea>{}", "<textarea>{}", "<title>{}</title>", "<title></title>{}",
    "<xmp></xmp>{}", "<xmp>{}", "<plaintext>{}", "<!--><{}-->", "<!-- --!>{}", "<![CDATA[{}]]>",
    "<select><option>{}</select>", "<select><template>{}</template>", "<template>{}</template>",
    "<svg><foreignObject>{}", "<svg><desc>{}", "<svg><title>{}", "<svg><style>{}", "<svg></p>{}",
    "<math><mi>{}", "<math><annotation-xml encoding=text/html>{}",
    "<math></p><style><!--</style>{}",
    "<math><mtext><table><mglyph><style><!--</style>{}", "<a title='{}'>",
    "<p title=\"&lt;/p&gt;{}\">",
    "<p class='\">{}'>", "<table><tr><td>{}", "<style>p{{x:'</style>{}'}}</style>", "\0{}",
    "<?x {}?>",
)  # fmt: skip
BETWEEN: Final = (
    "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<form>", "</table>", "<a>", "<b><p></b>", "</p>",
    "<div>", "</div>", "<li>", "<caption>", "<col>", "<frameset>", "</style>", "</script>",
    "</title>", "</textarea>", "</noscript>", "</template>", "</svg>", "</math>", "</body>",
    "</html>", "<head>", "<html>", "<v-b data-v=0>", "</v-b>", "words of a text ",
    "&lt;script&gt;", "<br>",
)  # fmt: skip
ALIVE: Final = """() => [...document.querySelectorAll("*")].filter((element) =>
  /^(script|iframe|object|embed|base|frame|form|button|svg|math|template|noscript|textarea|select)$/i
    .test(element.localName)
  || [...element.attributes].some(({name, value}) => name.startsWith("on")
    || (/^\\s*javascript:/i.test(value) && name !== "data-href"))
).map((element) => element.outerHTML.slice(0, 80))"""
"""Elements and attributes that no safe page has."""


class Result(NamedTuple):
    """What became of some documents."""

    documents: int
    scripts: int
    requests: int
    alive: int


def snippets(port: int) -> list[str]:
    """Every way to load or run by itself; addresses are those of the server at a port."""
    made = [
        *(f"<{start}='%'>" for start in LOADING),
        *(f"<{start}='{RUN}'>" for start in EVENTS),
        *(
            f'<p style="{style}">words</p>'.replace('url("%")', "url(&quot;%&quot;)")
            for style in STYLES
        ),
        *(f"<style>p{{{style}}}</style><p>words</p>" for style in STYLES),
        *(f"<style>{rule}</style><p>words</p>" for rule in RULES),
        *(around.format(f"<img src=% onerror={RUN}>") for around in AROUND),
        *(around.format(f"<script>{RUN}</script>") for around in AROUND),
    ]
    out = (OUT.format(port=port, n=n) for n in range(len(made)))
    return [snippet.replace("%", address) for snippet, address in zip(made, out, strict=True)]


def documents(port: int, combinations: int, seed: int) -> Iterator[str]:
    """Every snippet alone, and random sequences of them."""
    alone = snippets(port)
    pick = random.Random(seed)
    yield from alone
    for number in range(combinations):
        parts = pick.choices([*alone, *BETWEEN], k=pick.choice((2, 3, 5, 9, 20)))
        yield ("<!doctype html>" if number % 3 else "") + "".join(parts)


@contextmanager
def canary() -> Iterator[tuple[int, list[str]]]:
    """A port, and the requests that came to it."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port, requests
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def tab() -> Iterator[Page]:
    """A tab of Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page()
        page.on("dialog", lambda dialog: dialog.dismiss())
        yield page
        browser.close()


def load_all(combinations: int, seed: int, *, safe: bool = True) -> Result:
    """Load all documents in one tab; unless they are to be safe, as they are."""
    count = scripts = alive = 0
    left: list[str] = []
    with canary() as (port, requests), tab() as page:
        page.on("request", lambda request: request.url.startswith(("data:", "about:"))
                or left.append(request.url))  # fmt: skip
        for document in documents(port, combinations, seed):
            count += 1
            markup = safe_page(document.encode(), "").markup if safe else document
            page.set_content(markup, wait_until="load" if safe else "commit")
            ran, living = page.evaluate("window.ran"), page.evaluate(ALIVE)
            page.evaluate("delete window.ran")
            scripts, alive = scripts + bool(ran), alive + bool(living)
            if safe and (ran or living):
                print(f"{document[:200]!r}: {living}")
        return Result(count, scripts, len({*left, *requests}), alive)


def report(name: str, result: Result) -> None:
    print(
        f"{name:24} {result.documents:5} documents: {result.scripts} scripts run, "
        f"{result.requests} requests got out, {result.alive} with live parts",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--combinations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    report("as they are, alone", load_all(0, arguments.seed, safe=False))
    report("made safe, and mixed", load_all(arguments.combinations, arguments.seed))


if __name__ == "__main__":
    main()
