#!/bin/sh
# TRL takes two training steps on what `trajmill export --to trl-sft` wrote, and nothing masked is trained.
#
#   tests/consumers/trl/run.sh [DATASET]     a dataset folder with sft/ and data/trajectories/; default: tests/golden
#
# The environment is made once, in .venv beside this file, and anew when requirements.txt changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dataset=${1:-$here/../../golden}
venv=$here/.venv
if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
    "${PYTHON:-python3}" -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/installed.txt"
fi
export OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 HF_DATASETS_DISABLE_PROGRESS_BARS=1 TOKENIZERS_PARALLELISM=false
exec "$venv/bin/python" -W ignore "$here/train.py" "$dataset"
