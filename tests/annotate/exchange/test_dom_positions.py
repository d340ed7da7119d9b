"""Places as a browser names them, which is what Label Studio exports."""

import json
import re

import pytest

from victor.annotate.exchange.label_studio import read
from victor.page.decoding.decode import decode

REGIONS = """() => {
  const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName;
  const path = (node) => {
    if (node === document.body) return '';
    let number = 1;
    for (let p = node.previousSibling; p; p = p.previousSibling) number += same(node, p);
    const name = node.nodeType === Node.TEXT_NODE ? 'text()' : node.nodeName.toLowerCase();
    return `${path(node.parentNode)}/${name}[${number}]`;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, place = path(node);
    if (node.data.trim() && !node.parentNode.closest('style, textarea, noframes, noscript'))
      found.push({start: place, end: place, startOffset: 0, endOffset: node.data.length,
                  text: node.data, hypertextlabels: ['text']});
  }
  return found;
}"""
PAGES = ("askworkshop-dovetail", "u-plotny-kuba", "oldlathes-vibration", "quillstore-config")


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_text_of_a_page_is_found_where_the_browser_says(browser, annotated, tmp_path, name):
    page = next(page for page in annotated if page.id == name)
    html = decode(page.html).text
    # Label Studio shows pages without their scripts.
    shown = re.sub(r"(?is)<script\b.*?</script>", "", html)
    with browser.new_context() as context:
        tab = context.new_page()
        tab.route(
            "**/*",
            lambda route: (
                route.fulfill(body=shown, content_type="text/html; charset=utf-8")
                if route.request.url == "http://page.example/"
                else route.abort()
            ),
        )
        tab.goto("http://page.example/", wait_until="domcontentloaded")
        regions = tab.evaluate(REGIONS)
    assert len(regions) > 20
    task = {"id": 1, "data": {"html": html}}
    task["annotations"] = [{"result": [{"value": region} for region in regions]}]
    (tmp_path / "export.json").write_text(json.dumps([task]), encoding="utf-8")
    (imported,) = read(tmp_path / "export.json")
    assert imported.problems == ()
    assert set(imported.page.labels.tolist()) == {1}
