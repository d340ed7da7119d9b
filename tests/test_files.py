"""A file or folder has its name only when it is complete."""

import pytest

from victor.base.files import remove, replaced, unfinished_path, write_bytes


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_when_the_block_ends(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replaced(path) as unfinished:
        unfinished.write_text("new")
        assert path.read_text() == "old"
        assert unfinished == unfinished_path(path)
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_a_folder_is_replaced_with_all_it_holds(tmp_path):
    path = tmp_path / "texts"
    (path / "old").mkdir(parents=True)
    with replaced(path) as unfinished:
        (unfinished / "deep").mkdir(parents=True)
        (unfinished / "deep" / "new").touch()
    assert names(tmp_path) == ["texts"]
    assert [str(p.relative_to(path)) for p in sorted(path.rglob("*"))] == ["deep", "deep/new"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write_half():
        with replaced(path) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_what_a_killed_process_left_is_written_over(tmp_path):
    path = tmp_path / "a.txt"
    unfinished_path(path).mkdir()
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.txt"]


def test_removing_what_is_not_there_does_nothing(tmp_path):
    remove(tmp_path / "nothing")
