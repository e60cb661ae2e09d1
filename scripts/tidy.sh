#!/bin/sh
# Runs clang-tidy over src/, every finding an error, by the compile database of the tidy preset,
# which needs no build: sh scripts/tidy.sh [FILE...]. WHEEL_AUDIT_JOBS sets the number of jobs.
set -eu
cd "$(dirname "$0")/.."
tidy=${CLANG_TIDY:-clang-tidy}
database=${TIDY_DATABASE:-build/tidy}
[ -f "$database/compile_commands.json" ] || cmake --preset tidy

sources() {
  if [ $# -gt 0 ]; then printf '%s\n' "$@"; else find src -name '*.cpp' | sort; fi
}

# A failed batch does not stop the others, so one run names every finding; xargs then ends in 123.
sources "$@" | xargs -P "${WHEEL_AUDIT_JOBS:-$(nproc)}" -n 4 "$tidy" -p "$database" --quiet
