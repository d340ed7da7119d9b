"""Move the slider of a demo page in Chromium; how long until the text is painted?

    python benchmarks/demo_slider.py [--blocks 2000] [--moves 60] [--screenshot FILE]

The page is made of our own annotated pages, again and again until it has so many blocks. The slider
goes through all positions one by one and then jumps between far ones. A move takes from the input
event to the first task after the frame that shows its text; waiting for the frame, up to 17 ms, is
part of it. Printed are median and maximum in milliseconds; the processor time of a move, with that
of the frames after it in which blocks out of sight are coloured; and that the text at the last
position is what `victor.clean` gives. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from itertools import cycle
from pathlib import Path
from statistics import median

from playwright.sync_api import CDPSession, Page, sync_playwright

import victor
from victor.corpus.marked_html import read_marked_corpus

ROOT = Path(__file__).parents[1]
MOVE = """position => new Promise(resolve => {
  const slider = document.getElementById("threshold");
  const channel = new MessageChannel();
  requestAnimationFrame(() => setTimeout(() => {
    const start = performance.now();
    slider.value = String(position);
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    channel.port1.onmessage = () => resolve(performance.now() - start);
    requestAnimationFrame(() => channel.port2.postMessage(0));
  }, 3));
})"""


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=2_000)
    parser.add_argument("--moves", type=int, default=60, help="jumps between far positions")
    parser.add_argument("--screenshot", type=Path)
    arguments = parser.parse_args()
    markup = long_page(arguments.blocks)
    html = victor.clean(markup).demo("A long page")
    print(f"{len(victor.clean(markup).blocks)} blocks, {len(html) / 1e6:.2f} million characters")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "long.demo.html"
        file.write_text(html, encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(file.as_uri())
        last = int(page.get_attribute("#threshold", "max") or 0)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        report("one by one", page, session, range(last + 1))
        far = cycle((0, last, last // 2, last // 4, 3 * last // 4))
        report("far jumps", page, session, [next(far) for _ in range(arguments.moves)])
        page.evaluate(MOVE, last // 2)
        threshold = float((page.inner_text("#value") or "0").split()[0])
        is_same = page.evaluate("document.getElementById('text').textContent") == (
            victor.clean(markup, threshold=threshold).text
        )
        print(f"text at threshold {threshold}: {'as victor.clean gives' if is_same else 'WRONG'}")
        if arguments.screenshot:
            page.screenshot(path=arguments.screenshot)
        browser.close()


def long_page(n_blocks: int) -> bytes:
    """Our own pages one after the other, with at least so many blocks."""
    body = b""
    for page in cycle(read_marked_corpus(ROOT / "annotations")):
        body += page.html.partition(b"<body")[2].partition(b">")[2].partition(b"</body")[0]
        if body.count(b"</") > n_blocks and len(victor.clean(body).blocks) >= n_blocks:
            return b"<html><body>" + body + b"</body></html>"
    raise AssertionError("a cycle has no end")


def report(name: str, page: Page, session: CDPSession, positions: range | list[int]) -> None:
    before = processor_time(session)
    times = [page.evaluate(MOVE, position) for position in positions]
    page.wait_for_selector('#blocks[aria-busy="false"]')
    used = (processor_time(session) - before) / len(times)
    print(
        f"{name:10}  {len(times):3} moves  input to paint: median {median(times):5.1f} ms, "
        f"max {max(times):5.1f} ms  processor: {used:4.1f} ms"
    )


def processor_time(session: CDPSession) -> float:
    """Milliseconds that the thread of the page has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
