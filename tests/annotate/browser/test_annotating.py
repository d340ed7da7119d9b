"""From pages in a browser to a model: pages are labelled by mouse and keys, and trained on."""

from itertools import groupby

from click.testing import CliRunner

NAMES = {"h": "Header", "t": "Text", "?": "Unlabelled"}
KEYS = {"h": "h", "t": "t", "?": "x"}


def passages(letters):
    """Runs of equal labels as (first, last, letter), except for those of other."""
    first = 0
    for letter, run in groupby(letters):
        length = len(list(run))
        if letter != "o":
            yield first, first + length - 1, letter
        first += length


def by_mouse(tool, letters):
    for first, last, letter in passages(letters):
        tool.page.locator(".bar").get_by_role("button", name=NAMES[letter]).click()
        tool.block(first).click()
        tool.block(last).click()


def by_keys(tool, letters):
    """H, T and X label the selection and move the cursor behind it."""
    cursor = 0
    tool.keys("Home")
    for first, last, letter in passages(letters):
        tool.keys(*["j"] * (first - cursor), *["Shift+ArrowDown"] * (last - first), KEYS[letter])
        cursor = last + 1


def by_both(tool, letters):
    """A number chooses the label; a drag or two clicks on one block apply it."""
    for first, last, letter in passages(letters):
        tool.keys(str("hto?".index(letter) + 1))
        if first == last:
            tool.block(first).dblclick()
        else:
            tool.drag(first, last)


def victor(*arguments):
    from victor.cli.program import group

    result = CliRunner().invoke(group, [str(part) for part in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_three_pages_become_a_model(site, gold, open_tool, tmp_path):
    tool = open_tool(site.url, "anna", site.labelled[0])
    tool.keys("q")
    for page, label in zip(site.labelled, (by_mouse, by_keys, by_both), strict=True):
        tool.row(page).click()
        tool.wait_for_page(page)
        tool.keys("c")  # begins without suggestions
        label(tool, gold[page])
        tool.wait_for_labels(gold[page])
        tool.keys("d")
        tool.row(page).locator('.state[data-state="done"]').wait_for()
        assert tool.stored(page)["labels"] == gold[page]
    assert "3 of 7 pages done" in tool.page.locator("#progress-text").inner_text()

    corpus, model = tmp_path / "corpus", tmp_path / "model.victor"
    victor("annotate", "export", corpus, "--store", site.store, "--annotator", "anna")
    settings = ("-s", "crf.max_iterations=30")
    victor("train", corpus, "--config", "crf", *settings, "--output", model)
    page = site.folder / "pages" / f"{site.labelled[1]}.html"
    cleaned = victor("clean", "--model", model, page)
    assert "Wilf Anning" in cleaned
    assert "Subscribe" not in cleaned
