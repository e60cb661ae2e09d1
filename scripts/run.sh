#!/bin/sh
# Sets up, builds the release preset and runs wheel-audit with the arguments given:
#   sh scripts/run.sh check dist/*.whl      exits with the exit code of the tool
#   sh scripts/run.sh                       a demonstration on two forged wheels: a sound one, and
#                                           one that its users could not load; 0 when both were
#                                           judged so
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sh "$root/scripts/setup.sh"
sh "$root/scripts/build.sh" release
tool=$root/build/release/wheel-audit
if [ $# -gt 0 ]; then exec "$tool" "$@"; fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/sound" "$folder/broken"
"$tool" forge "$root/fixtures/_base/cuda13.json" -o "$folder/sound" 2>/dev/null
# The fault: from demo/lib to site-packages it is two levels up, and the search path climbs one.
cat >"$folder/broken.json" <<'RECIPE'
{"base": "cuda13",
 "change": {"files": {"demo/lib/libdemo_cuda.so": {"elf": {
   "runpath": "$ORIGIN/../nvidia/cu13/lib:$ORIGIN"}}}}}
RECIPE
"$tool" forge "$folder/broken.json" -o "$folder/broken" 2>/dev/null
cd "$folder"

# Audits the wheel of a folder and holds the exit code to the one expected.
audit() {
  echo "\$ wheel-audit check $(echo "$1"/*.whl)"
  code=0
  "$tool" check "$1"/*.whl || code=$?
  echo "exit code $code"
  if [ "$code" != "$2" ]; then
    echo "run: expected exit code $2" >&2
    exit 1
  fi
}

audit sound 0
echo
audit broken 1
