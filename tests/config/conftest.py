"""Files of a folder of their own."""

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Function: content to the path of a file; the working directory is a folder beside it."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    def write_file(content, name="top.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file
