"""The readers of foreign suites, and exact figures of known Markdown against what they expect."""

import json
from pathlib import Path

import pytest
from foreign.figures import KINDS as FIGURE_KINDS
from foreign.figures import figures, lines_found
from foreign.suites import cases
from structure.rendered import document_of

FOLDER = Path(__file__).parents[2] / "benchmarks"
WORDS = "The old mill stands by the river where the road to the village begins, and nobody knows"
PAGE = f"""<!-- {{"url": "https://mill.example/a"}} -->
<html><head><title>The mill</title></head><body><article>
<h1>The mill</h1><p>{WORDS} <a href="/who">who built it</a>.</p>
<ul><li>One stone is left of it</li><li>Two doors are open to all</li></ul>
</article></body></html>"""
SNAPSHOT = """# T

> Snapshot 1

    {
      author: null,
      title: 'It\\'s "a"',
      url: 'https://m.example/',
    }
"""
KINDS = """# One

A **b** [c](https://x.example/) $a^2$ and[^1]

- d e

> f g

| h |
| --- |
| i |

```
j k
```

![l](https://x.example/m.png)

[^1]: A note of more than a few words here to see
"""


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return folder


def compared(expected, output):
    extensions = ("footnote", "dollarmath")
    return figures(document_of(expected, extensions), document_of(output, extensions))


def defuddle(folder):
    front = '```json\n{"title": "The mill", "author": "Ann", "published": ""}\n```\n\n'
    expected = f"{WORDS} [who built it](https://mill.example/who).\n\n- One stone is left of it"
    return written(
        folder,
        {"tests/fixtures/mill--a.html": PAGE, "tests/expected/mill--a.md": front + expected},
    )


def test_defuddle(tmp_path):
    (case,) = cases("defuddle", defuddle(tmp_path))
    assert case.page.url == "https://mill.example/a"
    assert case.metadata == {"title": "The mill", "author": "Ann", "date": ""}
    assert case.document.words[-3:] == ["left", "of", "it"]


def test_readability(tmp_path):
    files = {
        "source.html": PAGE,
        "expected.html": f"<div><p>{WORDS}</p></div>",
        "expected-metadata.json": {"title": "T", "byline": None, "publishedTime": "2020-01-02"},
    }
    folder = {f"test/test-pages/mill/{name}": text for name, text in files.items()}
    (case,) = cases("readability", written(tmp_path, folder))
    assert case.metadata == {"title": "T", "author": "", "date": "2020-01-02"}
    assert len(case.document.words) == len(WORDS.split())


def test_metascraper(tmp_path):
    files = {"a/mill/input.html": PAGE, "a/mill/snapshots/index.js.md": SNAPSHOT}
    (case,) = cases("metascraper", written(tmp_path, files))
    assert case.page.url == "https://m.example/"
    assert case.metadata == {"title": 'It\'s "a"', "author": "", "date": ""}


def test_recipe_scrapers(tmp_path):
    recipe = {"title": "Bread", "ingredients": ["1 cup flour"], "instructions_list": ["Bake it"]}
    files = {"b.testhtml": PAGE, "b.json": recipe, "c.testhtml": PAGE, "c.json": recipe}
    folder = {f"tests/test_data/x.org/{name}": text for name, text in files.items()}
    (case,) = cases("recipe-scrapers", written(tmp_path, folder))
    assert case.page.url == "https://x.org/"
    assert case.lines == {"ingredients": ["1 cup flour"], "steps": ["Bake it"]}


def test_kinds_are_counted():
    same = compared(KINDS, KINDS)
    assert same.right == same.wanted == same.given
    assert {kind for kind in FIGURE_KINDS if same.wanted[kind]} == set(FIGURE_KINDS) - {
        "inline code",
        "italic",
    }
    assert (same.f, same.missed) == (1.0, [])
    other = compared(KINDS, "## One\n\nA b")
    assert {kind for kind in FIGURE_KINDS if other.right[kind]} == {"heading"}
    assert (other.precision, other.given.total()) == (1.0, 1)


@pytest.mark.parametrize(("line", "expected"), [("a b c d e f g", 1), ("a b c d e f", 0)])
def test_a_line_is_found_by_seven_tenths_of_its_words(line, expected):
    wanted = ["a b c d e f g h i j", "not in the page"]
    assert lines_found(wanted, f"x\n{line}\n", "<p>a b c d e f g h i j") == (expected, 1)


def test_the_table_of_a_suite(tmp_path, capsys):
    main = _script().main
    main(["defuddle", str(defuddle(tmp_path)), "--systems", "victor", "--markdown", str(tmp_path)])
    shown = capsys.readouterr().out
    row = next(line for line in shown.split("\n") if line.startswith("| victor"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[-8:] == ["–", "–", "–", "–", "100 (100)", "–", "–", "–"]
    assert "defuddle: 1 titles, 1 authors" in shown
    assert WORDS in (tmp_path / "victor" / "mill--a.md").read_text(encoding="utf-8")
    main(["defuddle", str(tmp_path), "--systems", "victor", "--show", "words"])
    assert "mill--a" in capsys.readouterr().out


def _script():
    """The script, whose package has the same name."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("foreign_script", FOLDER / "foreign.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
