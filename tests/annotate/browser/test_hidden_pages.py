"""Pages that hide themselves until a script shows them; here none runs."""

import pytest

LATER = "@keyframes later { from { visibility: hidden } to { visibility: visible } }"
HIDING = {
    "opacity": "body { opacity: 0 }",
    "opacity-of-root": "html.js { opacity: 0 !important }",
    "visibility": "body { visibility: hidden !important }",
    "display": "body { display: none !important }",
    "display-of-root": "html { display: none }",
    "animation": f"body {{ animation: later 60s steps(1, end) both }} {LATER}",
}
IS_SEEN = """
  const { View } = await import("/view.js");
  const css = await (await fetch("/page.css")).text();
  const markup = `<!doctype html><html class="js"><style>${argument}</style>
    <body><p><v-b data-v="0">A paragraph</v-b></p></body></html>`;
  const view = new View(document.body, css);
  await view.open(URL.createObjectURL(new Blob([markup], { type: "text/html" })));
  view.prepare(1);
  const paragraph = view.page.querySelector("p");
  return paragraph.checkVisibility({ opacityProperty: true, visibilityProperty: true });
"""


@pytest.mark.slow
@pytest.mark.parametrize("style", HIDING.values(), ids=HIDING)
def test_a_page_that_hides_itself_is_seen(modules, style):
    assert modules(IS_SEEN, style)


def test_what_a_page_hides_within_stays_hidden(modules):
    assert not modules(IS_SEEN, "p { display: none }")
    assert not modules(IS_SEEN, "p { visibility: hidden }")
