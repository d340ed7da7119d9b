#!/usr/bin/env bash
# Build the fuzz targets as OSS-Fuzz asks for it, from the root of the project: with CC, CFLAGS and
# LIB_FUZZING_ENGINE into OUT. What is in C is one program; each target in Python becomes one where
# OSS-Fuzz's compile_python_fuzzer is at hand. Beside them lie the inputs to begin with.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
python3 core/parsing/write_entities.py "$work"
$CC $CFLAGS -std=c11 -ffunction-sections -Wl,--gc-sections -Icore -I"$work" -I"$include" \
  -o "$OUT/tokeniser" fuzz/targets/tokeniser.c \
  core/parsing/{tokeniser,characters}.c core/base/{keys,memory}.c $LIB_FUZZING_ENGINE
python3 -m zipfile -c "$OUT/tokeniser_seed_corpus.zip" annotations/pages/*.html

command -v compile_python_fuzzer >/dev/null || exit 0
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
