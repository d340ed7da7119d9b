"""Pages that wait for a script, or whose style sheets and pictures are missing."""

import pytest

from tests.rows import tables

ROWS = tables(__file__)

HIDING = ROWS["hiding"]
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
PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


@pytest.mark.parametrize(("head", "is_plain"), ROWS["heads"])
def test_missing_style_sheets_have_a_quiet_one_in_their_place(modules, head, is_plain):
    head = f"<!doctype html><title>t</title><style></style>{head}"
    markup = f"{head}<p><v-b data-v=0>A paragraph</v-b></p>"
    assert modules(IS_PLAIN, markup)[:2] == [is_plain, True]


def test_pictures_that_were_not_saved_are_hidden(modules):
    markup = f"<!doctype html><title>t</title><p><img><img src=x:y><img src='{PICTURE}'></p>"
    assert modules(IS_PLAIN, markup)[2] == [False, False, True]
