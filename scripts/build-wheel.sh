#!/bin/sh
# Wraps the static binary as a Python wheel, in build/wheel/dist, and holds the wheel to the tool's
# own rules.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh wheel
sh scripts/build-static.sh
log=build/wheel.log
rm -rf build/wheel/dist build/wheel/cmake
mkdir -p build/wheel

build() {
  if [ ! -x build/wheel/venv/bin/pip ]; then python3 -m venv build/wheel/venv || return 1; fi
  WHEEL_AUDIT_STATIC=1 build/wheel/venv/bin/pip wheel . --no-deps -w build/wheel/dist \
    -C build-dir=build/wheel/cmake -C cmake.define.WHEEL_AUDIT_PREBUILT="$PWD/build/static/wheel-audit"
}

if ! build >"$log" 2>&1; then
  cat "$log" >&2
  echo "build-wheel: failed; its output is above and in $log" >&2
  exit 2
fi
exec build/static/wheel-audit check --pack base,linux,pypi --fail-on warning build/wheel/dist/*.whl
