#!/usr/bin/env bash
# Measures BFCL's own executor and checker: reference.sh [REPEAT] prints one JSON object (see reference.py). With the word envtuning
# before its arguments it measures EnvTuning's own interaction: reference.sh envtuning CHECKOUT [REPEAT] (see envtuning.py).
# It makes a virtual environment once, in $AWHOST_BFCL_VENV or below the user's cache directory, with the package and mpmath
# and nothing else: the executor needs none of the clients of model providers that the package asks for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${AWHOST_BFCL_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/awhost-bfcl-reference}
if [[ ! -e $venv/ready ]]; then
  python3 -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet --no-deps bfcl-eval==2026.3.23 mpmath==1.3.0 >&2
  touch "$venv/ready"
fi
script=reference
if [[ ${1:-} == envtuning ]]; then
  script=envtuning
  shift
fi
exec "$venv/bin/python" "$here/$script.py" "$@"
