#!/bin/sh
# Wraps the static binary as a Python wheel, in build/wheel/dist, and holds the wheel to the tool's
# own rules. Exits 3 where pip could not fetch what wraps it.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh wheel
sh scripts/build-static.sh
log=build/wheel.log
rm -rf build/wheel/dist build/wheel/cmake
mkdir -p build/wheel

pip=build/wheel/venv/bin/pip
if [ ! -x $pip ]; then python3 -m venv build/wheel/venv; fi
if ! $pip install "scikit-build-core>=1.0" >"$log" 2>&1; then
  cat "$log" >&2
  echo "build-wheel: pip could not fetch scikit-build-core; its output is above and in $log" >&2
  exit 3
fi

build() {
  WHEEL_AUDIT_STATIC=1 $pip wheel . --no-deps --no-build-isolation -w build/wheel/dist \
    -C build-dir=build/wheel/cmake -C cmake.define.WHEEL_AUDIT_PREBUILT="$PWD/build/static/wheel-audit"
}

if ! build >"$log" 2>&1; then
  cat "$log" >&2
  echo "build-wheel: failed; its output is above and in $log" >&2
  exit 2
fi
build/static/wheel-audit check --pack base,linux,pypi --fail-on note build/wheel/dist/*.whl || exit 2
