#!/bin/sh
# Builds the release binary that needs no library of the machine it runs on:
#   sh scripts/build-static.sh       build/static/wheel-audit, stripped
# It runs on any x86_64 Linux, whatever its C library. The preset is `static`.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh static
sh scripts/static-libraries.sh
sh scripts/build.sh static
dynamic=$(readelf -dW build/static/wheel-audit) || {
  echo "build-static: readelf could not read build/static/wheel-audit" >&2
  exit 2
}
needed=$(printf '%s\n' "$dynamic" | sed -n '/(NEEDED)/p')
if [ -n "$needed" ]; then
  echo "build-static: build/static/wheel-audit needs libraries of the machine:
$needed" >&2
  exit 2
fi
