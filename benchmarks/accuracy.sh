#!/usr/bin/env bash
# Cross-validate the shipped configurations by site, and score corpora nobody trained on.
#
#   benchmarks/accuracy.sh WORK_DIR TRAINING_CORPUS [UNSEEN_CORPUS...]
#
# Corpora are unpacked folders with gold.jsonl beside html/. The tables go to standard output.
set -euo pipefail
work=$1
shift
aligned=()
for corpus in "$@"; do
    target=$work/$(basename "$corpus")
    [ -e "$target/pages.jsonl" ] || victor align "$corpus" --output "$target" --jobs 2 >/dev/null
    aligned+=("$target")
done
for config in default victor2007; do
    echo "##### $config, 5-fold by site on $(basename "$1")"
    victor evaluate "${aligned[0]}" --config "$config" --folds 5 --jobs 2
    model=$work/$config-$(basename "$1").victor
    [ -e "$model" ] || victor train "${aligned[0]}" --config "$config" --output "$model"
    for unseen in "${aligned[@]:1}"; do
        echo "##### $config trained on $(basename "$1"), scored on $(basename "$unseen")"
        victor evaluate "$unseen" --model "$model"
    done
done
