#!/usr/bin/env bash
# Train the default model that ships in the wheel.
#
#   benchmarks/train_default.sh WORK_DIR CORPUS...
#
# CORPUS are the unpacked folders wcxb-dev canola news424-dev harvest-dev (gold.jsonl beside html/).
# WORK_DIR receives the aligned corpora; the model goes to victor/models/default.victor.
set -euo pipefail
work=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
aligned=()
for corpus in "$@"; do
    target=$work/$(basename "$corpus")
    [ -e "$target/pages.jsonl" ] || victor align "$corpus" --output "$target" --jobs 2
    aligned+=("$target")
done
victor train "${aligned[@]}" --config default --output "$here/victor/models/default.victor"
