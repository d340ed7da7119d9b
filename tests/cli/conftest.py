"""Running commands, in this process or in one of their own."""

import io
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from victor import cli


@pytest.fixture
def victor(capsysbinary, monkeypatch):
    """Function: arguments to exit status, standard output and standard error of a command."""

    def run(*arguments, stdin=b""):
        monkeypatch.setattr("sys.argv", ["victor", *map(str, arguments)])
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsysbinary.readouterr()
        return SimpleNamespace(
            status=ended.value.code or 0, out=out.decode(), err=err.decode(), raw=out
        )

    return run


@pytest.fixture(scope="session")
def folder(annotated, tmp_path_factory):
    """Some of our pages as files."""
    folder = tmp_path_factory.mktemp("pages")
    for page in annotated[:12]:
        (folder / f"{page.id}.html").write_bytes(page.html)
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory but for an annotated corpus of six pages."""
    monkeypatch.chdir(tmp_path)
    ours = Path(__file__).parents[2] / "annotations"
    rows = (ours / "pages.jsonl").read_text(encoding="utf-8").splitlines()[:6]
    Path("corpus/pages").mkdir(parents=True)
    Path("corpus/pages.jsonl").write_text("\n".join(rows), encoding="utf-8")
    for row in rows:
        shutil.copy(ours / "pages" / f"{json.loads(row)['id']}.html", "corpus/pages")
    return tmp_path
