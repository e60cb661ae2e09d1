#!/bin/sh
# Sets up, builds the release preset and runs wheel-audit with the arguments given:
#   sh scripts/run.sh check dist/*.whl      exits with the exit code of the tool
#   sh scripts/run.sh                       a demonstration on two forged wheels: a sound one, and
#                                           one that its users could not load; 0 when both were
#                                           judged so
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# What the tool would refuse is refused before minutes of building.
case ${1:-} in
  check | inspect | gpu | tree)
    if [ $# -eq 1 ]; then
      echo "run: $1: give a wheel or a directory of wheels" >&2
      exit 2
    fi
    for word; do
      case $word in
        -*) ;;
        *.whl)
          if [ ! -e "$word" ]; then
            echo "run: $word: no such file" >&2
            exit 2
          fi
          ;;
      esac
    done
    ;;
esac
sh "$root/scripts/setup.sh"
sh "$root/scripts/build.sh" release
tool=$root/build/release/wheel-audit
if [ $# -gt 0 ]; then exec "$tool" "$@"; fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/sound" "$folder/broken"
"$tool" forge "$root/fixtures/_base/cuda13.json" -o "$folder/sound" 2>/dev/null
# From demo/lib to site-packages it is two levels up; this library's search path climbs one.
"$tool" forge "$root/fixtures/cuda/missing-hop/reject-level-short.json" -o "$folder/broken" \
  2>/dev/null
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
