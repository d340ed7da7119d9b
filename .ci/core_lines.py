"""Print which lines of core/ were reached, of what gcov wrote: core_lines.py GCOV.jsonl LEAST."""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path


def counts(file: Path) -> dict[str, Counter[int]]:
    """How often each line of code was run, by source: {path: {line: times}}."""
    times: dict[str, Counter[int]] = defaultdict(Counter)
    for report in file.read_text(encoding="utf-8").splitlines():
        for source in json.loads(report)["files"]:
            for line in source["lines"]:
                times[source["file"]][line["line_number"]] += line["count"]
    return {path: lines for path, lines in sorted(times.items()) if path.startswith("core/")}


def main() -> int:
    """Print the share of each file with the lines that were not reached; 1 if it is too small."""
    total, reached = 0, 0
    for path, lines in counts(Path(sys.argv[1])).items():
        missed = [line for line, times in sorted(lines.items()) if not times]
        total, reached = total + len(lines), reached + len(lines) - len(missed)
        share = 100 * (1 - len(missed) / len(lines))
        print(f"{share:6.1f} % of {len(lines):4}  {path}  {' '.join(map(str, missed))}".rstrip())
    print(f"{100 * reached / total:6.1f} % of {total} lines of core/")
    return int(100 * reached / total < float(sys.argv[2]))


if __name__ == "__main__":
    sys.exit(main())
