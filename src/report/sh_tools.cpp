#include "report/sh_tools.hpp"

namespace wheel_audit {

std::string_view sh_tools() {
  return R"(#!/bin/sh
# Repairs that need no rebuild, written by wheel-audit, which never runs them. Read, then:
#   sh fix.sh [FOLDER]     writes the mended wheels into FOLDER (default: mended), changes no other
# Needs python3 with the module wheel; patchelf and strip where commands below name them. Audit what
# it writes.
set -eu
start=$(pwd)
folder=${1:-mended}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack WHEEL: into a tree of its own, which the commands after it are in. Links become plain files,
# so that nothing is written outside; RECORD is not held to anything, since packing writes it anew.
unpack() {
  cd "$start"
  rm -rf "$work/tree" "$work/packed"
  mkdir "$work/tree" "$work/packed"
  python3 - "$1" "$work/tree" <<'PYTHON'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for item in wheel.infolist():
        path = wheel.extract(item, sys.argv[2])
        mode = item.external_attr >> 16 & 0o777
        if mode and not item.is_dir():
            os.chmod(path, mode | 0o600)
PYTHON
  cd "$work/tree"
}

# pack: the tree as a wheel again, with a RECORD of its own.
pack() {
  cd "$work/packed"
  python3 -m wheel pack "$work/tree" --dest-dir "$work/packed"
}

# retag PLATFORM: the packed wheel under another platform tag.
retag() { python3 -m wheel tags --remove --platform-tag "$1" ./*.whl; }

# keep: the packed wheel is done.
keep() { mv ./*.whl "$folder/"; }

# repack: nothing to change; that it is packed again mends it.
repack() { :; }

# drop_entry ENTRY FILE: a search path without the entry. drop_repeated: without its last occurrence.
drop_entry() { drop all "$@"; }
drop_repeated() { drop last "$@"; }
drop() {
  path=$(patchelf --print-rpath "$3" | python3 -c '
import sys
which, entry = sys.argv[1:]
entries = sys.stdin.read().rstrip("\n").split(":")
if which == "all":
    entries = [other for other in entries if other != entry]
elif entry in entries:
    del entries[len(entries) - 1 - entries[::-1].index(entry)]
print(":".join(entries))' "$1" "$2")
  if [ -n "$path" ]; then patchelf --set-rpath "$path" "$3"; else patchelf --remove-rpath "$3"; fi
}

# add_header FILE NAME VALUE: one more header line in METADATA or WHEEL; set_header: its only one.
add_header() { header add "$@"; }
set_header() { header set "$@"; }
header() {
  python3 - "$@" <<'PYTHON'
import glob, sys
how, file, name, value = sys.argv[1:]
[path] = glob.glob("*.dist-info/" + file)
with open(path, encoding="utf-8", newline="") as text:
    head, gap, body = text.read().replace("\r\n", "\n").partition("\n\n")
lines = head.rstrip("\n").split("\n")
if how == "set":
    lines = [line for line in lines if not line.lower().startswith(name.lower() + ":")]
lines.append(name + ": " + value)
with open(path, "w", encoding="utf-8", newline="") as text:
    text.write("\n".join(lines) + (gap + body if gap else "\n"))
PYTHON
}
)";
}

}  // namespace wheel_audit
