"""Victor in the article-extraction-benchmark of Zyte.

Copy this file into `extractors/` of its checkout. Then run:

    python extractors/run_victor.py && python evaluate.py
"""

import gzip
import sys
from pathlib import Path

from output_util import python_dist_version, write_output_json  # of the benchmark

import victor


def main():
    """Write the text of every page in `html/` to `output/victor.json`."""
    paths = sorted(Path("html").glob("*.html.gz"))
    pages = (gzip.decompress(path.read_bytes()) for path in paths)
    output = {}
    for path, result in zip(paths, victor.clean_many(pages), strict=True):
        if result.error is not None:
            print(f"{path}: {result.error}", file=sys.stderr)
        text = "" if result.error is not None else result.text
        output[path.name.removesuffix(".html.gz")] = {"articleBody": text}
    version = python_dist_version("victor-crf")
    write_output_json(Path("output/victor.json"), output=output, version=version)


if __name__ == "__main__":
    main()
