#!/bin/sh
# Installs what is missing from Debian's packages, and nothing when all is there.
#   sh scripts/setup.sh          what the build needs
#   sh scripts/setup.sh tests    and what the tests need besides
#   sh scripts/setup.sh static   and what the static binary is made with
#   sh scripts/setup.sh wheel    and what the wheel of it is made with
# Without root or a sudo that asks nothing, it prints the line that would do it and exits 2.
set -eu

wanted="g++ cmake ninja-build pkg-config libzip-dev libisal-dev liblief-dev nlohmann-json3-dev
  libcli11-dev libfmt-dev libtomlplusplus-dev libutf8proc-dev libyaml-cpp-dev libbz2-dev zlib1g-dev
  libssl-dev"
if [ "${1:-}" = tests ]; then
  wanted="$wanted catch2 python3 binutils unzip patchelf musl-tools gcc git clang clang-format-14 clang-tidy
    libclang-rt-14-dev python3-jsonschema python3-junitparser python3-yaml python3-wheel jq fish zsh strace chromium fonts-dejavu-core"
fi
case ${1:-} in static | wheel) wanted="$wanted binutils dpkg-dev make nasm" ;; esac
if [ "${1:-}" = wheel ]; then wanted="$wanted python3 python3-venv"; fi

if ! command -v dpkg-query >/dev/null 2>&1; then
  # Not Debian: the build says itself what it does not find.
  echo "setup: no dpkg here; expecting these by other names:" $wanted >&2
  exit 0
fi

# One question for all. pkg-config is a virtual name in newer releases, where pkgconf provides it.
# shellcheck disable=SC2086  # a list of words
installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null || true)
missing=""
for package in $wanted; do
  case "
$installed
" in
    *"
ii $package
"*) ;;
    *)
      if [ "$package" = pkg-config ] && command -v pkg-config >/dev/null 2>&1; then continue; fi
      missing="$missing $package"
      ;;
  esac
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    echo "setup: packages are missing; run: sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 2
  fi
fi

apt() {
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: installing$missing" >&2
# The package lists may be absent (a fresh container) or old: they are fetched only when needed.
# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $missing >"$log" 2>&1; then
  if ! { apt update && apt install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 2
  fi
fi
