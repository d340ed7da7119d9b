"""What is saved outlives a server that is killed, and damage of a store stays where it is."""

import pytest
from annotate import killed_server as kills
from annotate.browser.conftest import SMALL
from playwright.sync_api import expect

from victor.annotate.collect import collect

SAVED = {"Jana": "httto" + "o" * 7, "Petr": "htoht" + "o" * 7}


@pytest.fixture
def page(tmp_path):
    """A file with the small page."""
    path = tmp_path / "walk.html"
    path.write_text(f"<!doctype html><title>A walk</title>{SMALL}")
    return path


@pytest.fixture
def labelled(open_tool, page):
    """Opens the page of a server for both annotators, who label it in turns."""

    def start(url):
        (collected,) = collect([str(page)])
        ids = {"walk": collected.id}
        tools = [open_tool(url, name, "walk", ids=ids) for name in SAVED]
        for letters in list(zip(*SAVED.values(), strict=True))[:5]:
            for tool, letter in zip(tools, letters, strict=True):
                tool.keys(letter)
        for tool in tools:
            tool.wait_for_save()
        return tools

    return start


@pytest.mark.slow
def test_two_annotators_of_one_page_lose_nothing_when_the_server_is_killed(
    open_tool, labelled, tmp_path, page
):
    store = tmp_path / "store.sqlite"
    with kills.server(store, page) as (process, client):
        tools = labelled(client.start)
        process.kill()
        process.wait()
        for tool in tools:
            tool.keys("t")
            expect(tool.page.get_by_role("alert")).to_contain_text("not saved, but kept here")
            tool.page.close()
    assert all("ERR_CONNECTION_REFUSED" in error for error in open_tool.errors)
    open_tool.errors.clear()
    with kills.server(store) as (_, client):
        for tool, (name, letters) in zip(tools, SAVED.items(), strict=True):
            open_tool(client.start, name, "walk", ids=tool.ids).wait_for_labels(letters)
