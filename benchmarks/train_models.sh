#!/usr/bin/env bash
# Train the models that ship in the wheel, and cross-validate them for their cards.
#
#   benchmarks/train_models.sh WORK_DIR CORPORA_DIR [NAME...]
#
# NAME is default, crf or czech; without one all three are trained. CORPORA_DIR holds the unpacked
# folders of the corpora below (gold.jsonl beside html/); those with labels in annotations/labels are
# built from the folders of their pages there, or from clones of their repositories. WORK_DIR receives
# the built and aligned corpora; the models go to victor/models/. All learn from our own pages and
# from all corpora under one policy (docs/concepts/labelling-policy.md).
set -euo pipefail
usage='usage: train_models.sh WORK_DIR CORPORA_DIR [NAME...]'
work=${1:?$usage}
corpora=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- default crf czech
here=$(cd "$(dirname "$0")/.." && pwd)
licences=(
    wcxb-dev=CC-BY-4.0 canola=CC-BY-SA-4.0 news424-dev=Apache-2.0 harvest-dev=Apache-2.0
    kinds-dev=Apache-2.0 more-dev=Apache-2.0 sites-dev=MIT "wide-dev=MIT / Apache-2.0 / BSD"
    fundus-dev=MIT threads-dev=Apache-2.0 magic-dev=Apache-2.0
)
declare -A about=(
    [default]='any page: a CRF whose node potentials are trees'
    [crf]='a CRF of linear potentials: a small model, and quick to train again on pages of your own'
    [czech]='Czech crawls: the CRF with language features and a filter that keeps Czech pages'
)

absent=()
for pair in "${licences[@]}"; do
    corpus=${pair%%=*}
    [ -d "$corpora/$corpus" ] || [ -e "$here/annotations/labels/$corpus.jsonl" ] || absent+=("$corpus")
done
if [ ${#absent[@]} -gt 0 ]; then
    echo "$corpora lacks ${absent[*]}: docs/reports/data.md says what each corpus is and where it is from" >&2
    exit 2
fi

# The linear models follow the policy to the letter. `default` believes the corpora on what is an
# entry of a list, a heading of one, a caption, and on what they call each block.
believed=(--except entry --except empty-heading --except caption --except kind)
for name in "$@"; do
    options=(--policy) aligned=$work/policy pages=("$here/annotations")
    [ "$name" != default ] || options+=("${believed[@]}") aligned=$work/default
    for pair in "${licences[@]}"; do
        corpus=${pair%%=*}
        source=$corpora/$corpus labels=$here/annotations/labels/$corpus.jsonl
        if [ -e "$labels" ]; then
            source=$work/built/$corpus
            [ -e "$source/gold.jsonl" ] || victor corpus build "$labels" --output "$source" \
                --from "$corpora" $([ ! -d "$corpora/$corpus" ] || echo --from "$corpora/$corpus")
        fi
        [ -e "$aligned/$corpus/pages.jsonl" ] || victor align "$source" "${options[@]}" \
            --output "$aligned/$corpus" --licence "${pair#*=}" --jobs 2
        pages+=("$aligned/$corpus")
    done
    # The configuration is for fifty pages: more want more regularisation, and are drawn from.
    options=(--config "$name")
    [ "$name" = default ] || options+=(--set crf.c2=200 --set crf.draw=0.8 --set crf.max_blocks=500)
    model=$here/victor/models/$name.victor
    # Marginals by cross-validation first: presets, page head and scores on the card come from them.
    victor evaluate "${pages[@]}" "${options[@]}" --folds 5 --jobs 2 --by corpus-type --save "$work/marginals"
    victor train "${pages[@]}" "${options[@]}" --about "${about[$name]}" --output "$model"
    victor sweep "$work/marginals/$name.npz" --store "$model"
    python "$here/benchmarks/train_walls.py" "${pages[@]}" --model "$model"
done
