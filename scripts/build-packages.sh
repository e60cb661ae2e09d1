#!/bin/sh
# Builds the static binary, and of it a Debian package and an archive, in build/static/packages.
set -eu
cd "$(dirname "$0")/.."
sh scripts/build-static.sh
log=build/packages.log
rm -rf build/static/packages
if ! cpack --preset static >"$log" 2>&1; then
  cat "$log" >&2
  echo "build-packages: cpack failed; its output is above and in $log" >&2
  exit 2
fi
rm -rf build/static/packages/_CPack_Packages
ls build/static/packages/*
