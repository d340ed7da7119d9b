"""Pages that wait for a script, or whose style sheets and pictures are missing."""

import pytest

LATER = "@keyframes later { from { visibility: hidden } to { visibility: visible } }"
HIDING = {
    "opacity-of-root": "html.js { opacity: 0 !important }",
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


@pytest.mark.parametrize("style", HIDING.values(), ids=HIDING)
def test_a_page_that_hides_itself_is_seen(modules, style):
    assert modules(IS_SEEN, style)


def test_what_a_page_hides_within_stays_hidden(modules):
    assert not modules(IS_SEEN, "p { display: none }")
    assert not modules(IS_SEEN, "p { visibility: hidden }")


IS_PLAIN = """
  const { View } = await import("/view.js");
  const css = await (await fetch("/page.css")).text();
  const view = new View(document.body, css);
  await view.open(URL.createObjectURL(new Blob([argument], { type: "text/html" })));
  view.prepare(1);
  const family = () => getComputedStyle(view.page.body).fontFamily;
  const before = family();
  view.usePageStyles(false);
  return [before.includes("system-ui"), family().includes("system-ui"),
    [...view.page.images].map((picture) => picture.checkVisibility())];
"""
MISSING = "<link rel=stylesheet>"
FONT = "<style>body { font-family: Georgia }</style>"
PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


@pytest.mark.parametrize(("head", "is_plain"), [
    (MISSING, True),
    ("<link rel=stylesheet href=http://victor.test/no.css>", True),
    (f"{MISSING}<style>nav {{ color: red }}</style>", True),
    (MISSING + FONT, False),
    (FONT, False),
    ("", True),
    ("<style>nav { color: red }</style>", False),
])  # fmt: skip
def test_missing_style_sheets_have_a_quiet_one_in_their_place(modules, head, is_plain):
    head = f"<!doctype html><title>t</title><style></style>{head}"
    markup = f"{head}<p><v-b data-v=0>A paragraph</v-b></p>"
    assert modules(IS_PLAIN, markup)[:2] == [is_plain, True]


def test_pictures_that_were_not_saved_are_hidden(modules):
    markup = f"<!doctype html><title>t</title><p><img><img src=x:y><img src='{PICTURE}'></p>"
    assert modules(IS_PLAIN, markup)[2] == [False, False, True]
