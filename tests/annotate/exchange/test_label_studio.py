"""Label Studio's export of pages with labelled text, written by hand."""

import json

import numpy as np
import pytest

from victor.annotate.exchange.dom_positions import DomText, letters_of
from victor.annotate.exchange.label_studio import NAMES, read
from victor.annotate.exchange.store_import import KnownPage
from victor.annotate.store.page_blocks import block_table
from victor.corpus.label_letters import to_letters
from victor.corpus.pages import block_labels
from victor.errors import CorpusError
from victor.page.table.texts import block_texts

HTML = (
    "<html><head><title>Bees</title></head><body><nav>Home</nav><div><h1>The bees</h1>"
    "<p>They <b>fly 🐝 far</b>. They come home.</p><p>They come home.</p></div>"
    "<table><tr><td>cell one</td><td>cell two</td></tr></table></body></html>"
)


def region(start, first, end, last, text, name):
    value = {"start": start, "startOffset": first, "end": end, "endOffset": last}
    value |= {"hypertextlabels": [name]} | ({} if text is None else {"text": text})
    return {"id": "x", "from_name": "l", "to_name": "h", "type": "hypertextlabels", "value": value}


HEADER = region("/div[1]/h1[1]/text()[1]", 0, "/div[1]/h1[1]/text()[1]", 8, "The bees", "Header")
BODY = region(
    "/div[1]/p[1]/text()[1]", 0, "/div[1]/p[2]/text()[1]", 15,
    "They fly 🐝 far. They come home.\\nThey come home.", "Text",
)  # fmt: skip
CELL = region(
    "/table[1]/tbody[1]/tr[1]/td[2]/text()[1]", 0,
    "/table[1]/tbody[1]/tr[1]/td[2]/text()[1]", 8, "cell two", "text",
)  # fmt: skip


def task(*results, **fields):
    annotation = {"id": 1, "completed_by": 7, "was_cancelled": False, "lead_time": 12.5}
    made = {"id": 3, "data": {"html": HTML, "url": "http://a.example/x"}}
    return made | {"annotations": [annotation | {"result": [*results]}]} | fields


@pytest.fixture
def export(tmp_path):
    def write(*tasks):
        path = tmp_path / "export.json"
        path.write_text(json.dumps([*tasks]), encoding="utf-8")
        return path

    return write


def labels(received):
    return to_letters(block_labels(received.page.labels, block_table(received.page.html)))


def test_regions_by_path_and_offset(export):
    (imported,) = read(export(task(HEADER, BODY, CELL)))
    assert labels(imported) == "ohttot"
    assert imported.problems == ()
    assert (imported.annotator, imported.seconds) == ("label-studio 7", 12.5)
    assert (imported.page.id, imported.page.url, imported.page.site) == (
        "task-3", "http://a.example/x", "a.example",
    )  # fmt: skip
    assert imported.page.html == HTML.encode()


@pytest.mark.parametrize("root", ["", "/body[1]", "/html[1]/body[1]"])
def test_paths_from_other_roots(export, root):
    path = f"{root}/div[1]/h1[1]/text()[1]"
    (imported,) = read(export(task(region(path, 0, path, 8, "The bees", "header"))))
    assert (labels(imported), imported.problems) == ("ohoooo", ())


def test_offsets_count_utf16_units(export):
    path = "/div[1]/p[1]/b[1]/text()[1]"
    (imported,) = read(export(task(region(path, 7, path, 10, "far", "header"))))
    assert imported.problems == ()
    # Three of the block's characters are less than half of them.
    assert labels(imported) == "oooooo"


def test_a_container_that_is_an_element(export):
    (imported,) = read(
        export(task(region("/div[1]", 1, "/div[1]", 2, BODY["value"]["text"][:31], "t")))
    )
    assert (labels(imported), imported.problems) == ("ootooo", ())


def test_the_text_decides_where_the_path_is_wrong(export):
    path = "/div[1]/span[2]/h1[1]/text()[1]"
    (imported,) = read(export(task(region(path, 0, path, 8, "The  bees", "Header"))))
    assert labels(imported) == "ohoooo"
    assert imported.problems == (
        f"found by its text, not at its place: Header 'The bees' at {path}",
    )


def test_of_several_copies_the_nearest(export):
    near = "/div[1]/p[2]/text()[1]"
    (imported,) = read(export(task(region(near, 2, near, 9, "They come home.", "text"))))
    assert labels(imported) == "oootoo"


def test_several_copies_and_no_place(export):
    (imported,) = read(export(task(region("/x[1]", 0, "/x[1]", 1, "They come home.", "text"))))
    assert labels(imported) == "oooooo"
    assert imported.problems[0].startswith("not placed, its text occurs 2 times: text")


def test_what_is_not_on_the_page(export):
    path = "/div[1]/h1[1]/text()[1]"
    (imported,) = read(export(task(region(path, 0, path, 8, "The wasps " * 20, "Header"), CELL)))
    assert labels(imported) == "ooooot"
    assert len(imported.problems) == 1
    assert imported.problems[0].startswith("not found: Header 'The wasps The wasps")
    assert "..." in imported.problems[0]


def test_a_region_without_text(export):
    path = "/div[1]/h1[1]/text()[1]"
    (imported,) = read(export(task(region(path, 0, path, 8, None, "Header"))))
    assert labels(imported) == "ohoooo"
    assert imported.problems[0].startswith("taken without a check")


def test_cancelled_annotations_and_several_annotators(export):
    first = task(HEADER)
    second = first["annotations"][0] | {"completed_by": {"id": 4, "email": "b@a.example"}}
    cancelled = second | {"was_cancelled": True}
    imported = [*read(export(first | {"annotations": [*first["annotations"], second, cancelled]}))]
    assert [one.annotator for one in imported] == ["label-studio 7", "label-studio b@a.example"]


def test_the_flat_format(export):
    flat = {"id": 9, "html": HTML, "label": [HEADER["value"], CELL["value"]], "annotator": 2}
    (imported,) = read(export(flat))
    assert (labels(imported), imported.annotator) == ("ohooot", "label-studio 2")


def test_a_page_without_text(export):
    (imported,) = read(export(task(HEADER) | {"data": {"html": "<p></p>"}}))
    assert (labels(imported), len(imported.problems)) == ("", 1)


def test_tasks_that_nobody_annotated(export):
    bare = {"id": 9, "html": HTML}
    assert list(read(export(bare, task() | {"annotations": []}))) == []
    (imported,) = read(export(bare | {"annotation_id": 3}))
    assert labels(imported) == "oooooo"


@pytest.mark.parametrize(
    "wrong",
    [
        {"annotations": [3]},
        {"annotations": {"a": 1}},
        {
            "annotations": [
                {"result": [{"value": {"start": "/p", "labels": [], "globalOffsets": 1}}]}
            ]
        },
    ],
)
def test_tasks_of_another_shape(export, wrong):
    with pytest.raises(CorpusError, match="task 3: not in the form of Label Studio"):
        list(read(export(task() | wrong)))


def test_pages_of_the_store(export):
    html = b"<h1>The bees</h1>"
    pages = {"bees": KnownPage("bees", html), "http://a.example/x": KnownPage("by-url", html)}
    without = task(region("/h1[1]/text()[1]", 0, "/h1[1]/text()[1]", 8, "The bees", "h"))
    (imported,) = read(export(without), lambda name, url: pages.get(name or url))
    assert imported.page.id == "by-url"
    named = without | {"data": {"page_id": "bees"}}
    (imported,) = read(export(named), lambda name, url: pages.get(name or url))
    assert (imported.page.id, labels(imported)) == ("bees", "h")
    with pytest.raises(CorpusError, match="task 3: neither the store nor the task has its page"):
        list(read(export(named)))


def test_names_of_labels(export):
    path = "/div[1]/h1[1]/text()[1]"
    wrong = export(task(region(path, 0, path, 8, "The bees", "Nadpis")))
    with pytest.raises(CorpusError, match="unknown label 'Nadpis'"):
        list(read(wrong))
    (imported,) = read(wrong, names={**NAMES, "nadpis": 0})
    assert labels(imported) == "ohoooo"


@pytest.mark.parametrize("content", [b"{", b"[1]", b'"x"'])
def test_other_files(tmp_path, content):
    path = tmp_path / "export.json"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=r"export\.json"):
        list(read(path))


def test_blocks_and_text_of_the_displayed_page(annotated):
    for page in annotated[:10]:
        displayed = DomText.of(page.html)
        for number, text in enumerate(block_texts(block_table(page.html))):
            offsets = np.flatnonzero(displayed.block == number)
            assert letters_of("".join(displayed.text[n] for n in offsets)) == letters_of(text)
