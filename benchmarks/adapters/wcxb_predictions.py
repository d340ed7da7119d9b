"""Victor's texts of one split of WCXB, as published: `html/<id>.html.gz` or `html/<id>.html`.

    python wcxb_predictions.py SPLIT_FOLDER > victor.json

The output is a JSON object of page ids and main contents, for a script that reads predictions.
"""

import gzip
import json
import sys
from pathlib import Path

import victor


def main():
    """Print the text of every page by its id; a page that fails has an empty text."""
    paths = sorted(Path(sys.argv[1], "html").glob("*.html*"))
    texts = {}
    for path in paths:
        page = path.read_bytes()
        try:
            text = victor.clean(gzip.decompress(page) if path.suffix == ".gz" else page).text
        except (victor.PageError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            text = ""
        texts[path.name.split(".html")[0]] = text
    json.dump(texts, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
