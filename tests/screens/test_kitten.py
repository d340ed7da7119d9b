"""A table and lists of a page, and the lines that Kitten makes of them."""

import html

from victor.api import Cleaner
from victor.labelers.labeler import build_labeler

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


def test_tables_and_lists(new_tab, screen):
    text = Cleaner(build_labeler("none")).clean(PAGE).render("sentences")
    tab = new_tab(1000, 200)
    tab.set_content(FRAME.format(page=PAGE, text=html.escape(text)))
    screen(tab, "kitten", full_page=True)
