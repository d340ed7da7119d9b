"""A JSON export of Label Studio (HyperText, labels Header and Text) as a folder for `victor align`.

python label_studio.py export.json from-label-studio
victor align from-label-studio -f cleaneval -o corpus
victor annotate import corpus
"""

import json
import sys
from pathlib import Path


def main(export: Path, folder: Path) -> None:
    """Write a page and its text for each task."""
    folder.mkdir()
    for task in json.loads(export.read_bytes()):
        regions = [result["value"] for result in task["annotations"][0]["result"]]
        regions.sort(key=lambda region: region["globalOffsets"]["start"])
        marked = [(region["hypertextlabels"][0], region["text"]) for region in regions]
        lines = [
            {"Header": "<h>", "Text": "<p>"}[label] + text.replace("\\n", "\n<p>")
            for label, text in marked
        ]
        (folder / f"{task['id']}.html").write_text(task["data"]["html"], encoding="utf-8")
        (folder / f"{task['id']}-cleaned.txt").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
