"""Draw the picture of the docs: a table and lists of a page, and the lines Kitten makes of them.

    python benchmarks/kitten_pictures.py

Needs playwright and Chromium; writes docs/images/kitten.png.
"""

from __future__ import annotations

import html
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from victor.api import Cleaner
from victor.labelers import build_labeler

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "kitten.png"
PAGE = """
<h2>Hives for beginners</h2>
<table border="1"><caption>Hives compared</caption>
<tr><th>Hive</th><th>Frames</th><th>Weight</th></tr>
<tr><th>Langstroth</th><td>10</td><td>27 kg</td></tr>
<tr><th>Dadant</th><td>12</td><td>31 kg</td></tr>
<tr><th>Warré</th><td>8</td><td>15 kg</td></tr></table>
<p>A colony needs:</p>
<ul><li>a dry place</li><li>water nearby</li><li>flowers from March on</li></ul>
<p>Before the first inspection you should:</p>
<ul><li>light the smoker with dry hay and wait until the smoke is cool</li>
<li>put on the veil and tuck the trousers into the boots</li></ul>
<ul><li><a href="/a">Home</a></li>
<li><a href="/b">Shop</a></li><li><a href="/c">Contact</a></li></ul>
"""
FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 20px; display: grid;
       grid-template-columns: 1fr 1fr; gap: 28px; width: 960px }}
table {{ border-collapse: collapse }} td, th {{ padding: 2px 10px }}
pre {{ white-space: pre-wrap; font: 14px/1.6 ui-monospace, monospace; background: #f3f3f1;
      padding: 14px; margin: 0; border-radius: 6px }}
</style><div>{page}</div><pre>{text}</pre>"""


def main() -> None:
    """Clean, draw, save."""
    text = Cleaner(build_labeler("none")).clean(PAGE).render("sentences")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 200})
        page.set_content(FRAME.format(page=PAGE, text=html.escape(text)))
        page.screenshot(path=PICTURE, full_page=True)
        browser.close()
    print(text)


if __name__ == "__main__":
    main()
