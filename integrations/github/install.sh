#!/usr/bin/env bash
# Makes an environment for deadheat alone: its packages by hash from the lock, deadheat itself from this checkout.
# The first argument is the Python to make it with. Gates of one job share the environment.
set -euo pipefail
home=${RUNNER_TEMP:-/tmp}/deadheat
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[[ -e $home/ready ]] && exit 0
"${1:-python3}" -m venv --clear "$home"
"$home/bin/python" -m pip --disable-pip-version-check --quiet install \
  --no-deps --require-hashes --only-binary :all: -r "$root/requirements.lock"
packages=$("$home/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$root/src" >"$packages/deadheat.pth"
touch "$home/ready"
