#!/usr/bin/env bash
# Train the default model that ships in the wheel, and cross-validate it for its card.
#
#   benchmarks/train_default.sh WORK_DIR CORPORA_DIR
#
# CORPORA_DIR holds the unpacked folders wcxb-dev, canola, news424-dev and harvest-dev (gold.jsonl
# beside html/). WORK_DIR receives the aligned corpora; the model goes to victor/models/.
set -euo pipefail
work=${1:?usage: train_default.sh WORK_DIR CORPORA_DIR}
corpora=${2:?usage: train_default.sh WORK_DIR CORPORA_DIR}
here=$(cd "$(dirname "$0")/.." && pwd)
licences=(wcxb-dev=CC-BY-4.0 canola=CC-BY-SA-4.0 news424-dev=Apache-2.0 harvest-dev=Apache-2.0)
aligned=()
for pair in "${licences[@]}"; do
    name=${pair%%=*}
    if [ ! -e "$work/$name/pages.jsonl" ]; then
        victor align "$corpora/$name" --output "$work/$name" --licence "${pair#*=}" --jobs 2
    fi
    aligned+=("$work/$name")
done
model=$here/victor/models/default.victor
# Marginals by cross-validation first: presets and the scores on the card come from them.
victor evaluate "${aligned[@]}" --config default --folds 5 --jobs 2 --by corpus-type \
    --measure words --measure shingles --save "$work/marginals"
victor train "${aligned[@]}" --config default --output "$model"
victor sweep "$work/marginals/default.npz" --store "$model"
