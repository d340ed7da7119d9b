"""From pages in a browser to a model: three of our pages by mouse and by keys."""

from itertools import groupby

from click.testing import CliRunner

NAMES = {"h": "Header", "t": "Text", "?": "Unlabelled"}
KEYS = {"h": "h", "t": "t", "?": "x"}


def passages(letters):
    """(first, last, letter) of the runs of equal labels, without those of other."""
    place = 0
    for letter, run in groupby(letters):
        length = len(list(run))
        if letter != "o":
            yield place, place + length - 1, letter
        place += length


def by_mouse(tool, letters):
    for first, last, letter in passages(letters):
        tool.page.get_by_role("button", name=NAMES[letter]).click()
        tool.block(first).click()
        tool.block(last).click()


def by_keys(tool, letters):
    """H, T and X label what is selected; the cursor then stands behind it."""
    at = 0
    tool.keys("Home")
    for first, last, letter in passages(letters):
        tool.keys(*["j"] * (first - at), *["Shift+ArrowDown"] * (last - first), KEYS[letter])
        at = last + 1


def by_both(tool, letters):
    """A number chooses the label; a drag, or two clicks on a single block, give it."""
    for first, last, letter in passages(letters):
        tool.keys(str("hto?".index(letter) + 1))
        if first == last:
            tool.block(first).dblclick()
        else:
            tool.drag(first, last)
            tool.drop()


def victor(*arguments):
    from victor.cli import group

    found = CliRunner().invoke(group, [str(part) for part in arguments], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def test_three_pages_become_a_model(site, gold, open_tool, picture, tmp_path):
    tool = open_tool(site.url, "anna", site.labelled[0])
    tool.keys("q")
    for page, way in zip(site.labelled, (by_mouse, by_keys, by_both), strict=True):
        tool.row(page).click()
        tool.is_open(page)
        way(tool, gold[page])
        tool.is_labelled(gold[page])
        if page == site.labelled[0]:
            tool.keys("Home")
            tool.is_saved()
            picture(tool, "annotate-page")
        tool.keys("d")
        tool.row(page).locator('.state[data-state="done"]').wait_for()
        assert tool.stored(page, "anna")["labels"] == gold[page]
    assert "3 of 6 pages done" in tool.page.locator("#progress-text").inner_text()

    corpus, model = tmp_path / "corpus", tmp_path / "model.victor"
    victor("annotate", "export", corpus, "--store", site.store, "--annotator", "anna")
    settings = ("-s", "crf.max_iterations=30")
    victor("train", corpus, "--config", "crf", *settings, "--output", model)
    page = site.folder / "pages" / f"{site.labelled[1]}.html"
    cleaned = victor("clean", "--model", model, page)
    assert "Wilf Anning" in cleaned
    assert "Subscribe" not in cleaned
