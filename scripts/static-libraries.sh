#!/bin/sh
# Builds the static libraries that Debian does not ship: libzip, ISA-L and fmt, from Debian's source
# packages of exactly the versions whose headers are installed.
#   sh scripts/static-libraries.sh [FOLDER]    into FOLDER/lib, by default build/static-libraries
# apt keeps its lists of sources below FOLDER: the machine's own set-up stays as it is. Says nothing
# unless it fails; a second run with the same versions does nothing. Exits 3 where the sources are not
# to be had.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build/static-libraries}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
log=$folder/log

# Source package and version of an installed package, as apt-get source takes them.
source_of() { dpkg-query -W -f '${source:Package}=${source:Version}' "$1"; }

wanted="$(source_of libzip-dev) $(source_of libisal-dev) $(source_of libfmt-dev)"
if [ "$(cat "$folder/built" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

fetch() {
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/parts"
  rm -f "$folder"/apt/parts/*
  # The places that the machine takes its packages from, asked for sources.
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] || continue
    sed -n 's/^deb\(-src\)\{0,1\} /deb-src /p' "$list" >"$folder/apt/parts/$(basename "$list" .list).list"
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" >"$folder/apt/parts/$(basename "$list")"
  done
  set -- -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/parts" \
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" \
    -o APT::Sandbox::User="$(id -un)"
  apt-get "$@" update
  # shellcheck disable=SC2086  # a list of words
  (cd "$folder/source" && apt-get "$@" source $wanted)
}

# Position-independent, because the tool is linked as a static PIE.
build() {
  launcher=""
  if command -v ccache >/dev/null 2>&1; then launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache; fi
  # Ciphers are left out: an encrypted member is never decoded.
  cmake -S "$folder"/source/libzip-*/ -B "$folder/libzip" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DENABLE_COMMONCRYPTO=OFF \
    -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_LZMA=OFF \
    -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF \
    ${launcher:+"$launcher"} &&
    cmake --build "$folder/libzip" --parallel "${WHEEL_AUDIT_JOBS:-$(nproc)}" &&
    make -C "$folder"/source/libisal-*/ -f Makefile.unx -j "${WHEEL_AUDIT_JOBS:-$(nproc)}" lib &&
    c++ -std=c++20 -O2 -fPIE -I "$(echo "$folder"/source/fmtlib-*/include)" -c \
      "$folder"/source/fmtlib-*/src/format.cc -o "$folder/format.o" &&
    mkdir -p "$folder/lib" &&
    cp "$folder/libzip/lib/libzip.a" "$folder/lib/" &&
    cp "$folder"/source/libisal-*/bin/isa-l.a "$folder/lib/libisal.a" &&
    ar rcs "$folder/lib/libfmt.a" "$folder/format.o"
}

rm -rf "$folder/source" "$folder/libzip" "$folder/lib" "$folder/built"
mkdir -p "$folder/source"
if ! fetch >"$log" 2>&1; then
  cat "$log" >&2
  echo "static-libraries: apt could not fetch the sources of $wanted; the output is above and in $log" >&2
  exit 3
fi
if ! build >>"$log" 2>&1; then
  cat "$log" >&2
  echo "static-libraries: failed for $wanted; the output is above and in $log" >&2
  exit 2
fi
echo "$wanted" >"$folder/built"
