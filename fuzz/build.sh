#!/usr/bin/env bash
# Build the fuzz targets as OSS-Fuzz asks for it, from the root of the project: into OUT, with the
# core built as its CC and CFLAGS say. Beside them lie the inputs to begin with.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip3 install ".[test]"
for file in fuzz/targets/*.py; do
  target=$(basename "$file" .py)
  cat >"fuzz_$target.py" <<END
import sys
import atheris
with atheris.instrument_imports(include=["victor"], enable_loader_override=False):
    from fuzz.targets import $target
atheris.Setup(sys.argv, $target.one)
atheris.Fuzz()
END
  compile_python_fuzzer "fuzz_$target.py" --add-data "annotations:annotations"
  mkdir "$work/$target"
  python3 -c "
from pathlib import Path
from fuzz.targets.$target import seeds
for number, seed in enumerate(seeds()):
    Path('$work/$target', str(number)).write_bytes(seed)"
  python3 -m zipfile -c "$OUT/fuzz_${target}_seed_corpus.zip" "$work/$target"/*
done
