"""Files and folders that are no longer what was written."""

from victor.crawl.run.part_files import faults, noted


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
