#!/bin/sh
# Harbor's own models accept our trajectories and hand them back unchanged.
#
#   PYTHON=python3.12 tests/consumers/harbor/check.sh [FILE...]     ATIF documents, .json or .jsonl; default: tests/golden
#
# Not part of `make consumers-small`: Harbor needs Python 3.12 and some 500 MB, in .venv beside this file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/.venv
golden=$here/../../golden
[ $# -gt 0 ] || set -- "$golden/trajectory.atif.json" "$golden/sft/trajectories.jsonl"
if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
    "${PYTHON:-python3.12}" -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/installed.txt"
fi
exec "$venv/bin/python" "$here/accept.py" "$@"
