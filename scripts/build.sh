#!/bin/sh
# Builds a preset, and says little unless it fails: sh scripts/build.sh release
# The output of the build is kept in build/<preset>.log. WHEEL_AUDIT_JOBS sets the number of jobs.
set -eu
cd "$(dirname "$0")/.."
preset=$1
log=build/$preset.log
mkdir -p build
launcher=""
if command -v ccache >/dev/null 2>&1; then launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

# Who runs a release wants the tool, not its tests, and has none of their packages.
target=all
testing=ON
if [ "$preset" = release ] || [ "$preset" = static ]; then
  target=wheel-audit
  testing=OFF
fi

if [ "$preset" = fuzz ]; then target=fuzz-bundle; fi

build() {
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" -DBUILD_TESTING=$testing ${launcher:+"$launcher"} || return 1
  fi
  cmake --build --preset "$preset" --target "$target" --parallel "${WHEEL_AUDIT_JOBS:-$(nproc)}"
}

# Silence of minutes looks like a hang. Sources newer than the binary are what is to build.
sources="CMakeLists.txt cmake src include rules fixtures schemas"
# shellcheck disable=SC2086  # a list of words
if [ ! -f "build/$preset/wheel-audit" ] ||
  [ -n "$(find $sources -newer "build/$preset/wheel-audit" -print -quit)" ]; then
  echo "building (some minutes the first time), log: $log" >&2
fi
if ! build >"$log" 2>&1; then
  cat "$log" >&2
  echo "build: the $preset build failed; its output is above and in $log" >&2
  exit 2
fi
