#!/bin/sh
# Sets up, builds the dev preset and runs every test; closes with ctest's summary.
# WHEEL_AUDIT_JOBS sets the number of jobs of the build and of ctest.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh tests
sh scripts/build.sh dev
exec ctest --preset dev --parallel "${WHEEL_AUDIT_JOBS:-$(nproc)}"
