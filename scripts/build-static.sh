#!/bin/sh
# Builds the release binary that needs no library of the machine it runs on:
#   sh scripts/build-static.sh       build/static/wheel-audit, stripped
# It runs on any x86_64 Linux, whatever its C library. The preset is `static`.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh static
sh scripts/static-libraries.sh
sh scripts/build.sh static
needed=$(readelf -d build/static/wheel-audit | grep NEEDED || true)
if [ -n "$needed" ]; then
  echo "build-static: build/static/wheel-audit needs libraries of the machine:
$needed" >&2
  exit 2
fi
