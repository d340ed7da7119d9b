"""Files and folders that are no longer what was written."""

from victor.crawl.run.part_files import faults, noted


def test_files_are_lost_or_altered_or_as_they_were(tmp_path):
    for name in ("same", "gone", "emptied", "cut", "other"):
        (tmp_path / name).write_bytes(b"bees" * 100)
    (tmp_path / "empty").write_bytes(b"")
    files = {path.name: noted(path) for path in sorted(tmp_path.iterdir())}
    assert faults(tmp_path, files) == ([], [])
    (tmp_path / "gone").unlink()
    (tmp_path / "emptied").write_bytes(b"")
    (tmp_path / "cut").write_bytes(b"bees")
    (tmp_path / "other").write_bytes(b"beer" + b"bees" * 99)
    lost, altered = faults(tmp_path, files)
    assert lost == ["emptied", "gone"]
    assert altered == ["cut (4 bytes, written were 400)", "other (400 bytes, written were 400)"]
    (tmp_path / "empty").unlink()
    assert "empty" in faults(tmp_path, files).lost


def test_a_folder_is_all_of_its_files(tmp_path):
    part = tmp_path / "part-00000"
    part.mkdir()
    (part / "0.txt").write_text("bees")
    (part / "1.txt").write_text("wax")
    files = {"part-00000": noted(part)}
    assert faults(tmp_path, files) == ([], [])
    (part / "1.txt").rename(part / "2.txt")
    assert faults(tmp_path, files).altered
    (part / "2.txt").unlink()
    assert faults(tmp_path, files).altered
    (part / "0.txt").unlink()
    assert faults(tmp_path, files).lost == ["part-00000"]
