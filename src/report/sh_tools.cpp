// The functions that every repair script begins with, as text, and which programs they call.
#include "report/sh_tools.hpp"

#include <algorithm>
#include <array>

namespace wheel_audit {

namespace {

constexpr std::string_view kTools = R"SH(#!/bin/sh
# Repairs that need no rebuild, written by wheel-audit, which never runs them. Read, then:
#   sh fix.sh [FOLDER]     writes the mended wheels into FOLDER (default: mended), changes no other
# Audit what it writes.
set -eu
start=$(pwd)
folder=${1:-mended}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# need PROGRAM: without it nothing is begun.
need() {
  command -v "$1" >/dev/null || { echo "fix.sh: needs $1, which is not installed" >&2; exit 2; }
}
need_wheel() {
  need python3
  python3 -c 'import wheel' 2>/dev/null ||
    { echo "fix.sh: needs Python's wheel: apt-get install python3-wheel, or python3 -m pip install wheel" >&2; exit 2; }
}

# unpack WHEEL: into a tree of its own, which the commands after it are in. Links become plain files,
# so that nothing is written outside; RECORD is not held to anything, since packing writes it anew.
unpack() {
  cd "$start"
  [ -f "$1" ] || { echo "fix.sh: $1 is not here: run the script where wheel-audit ran" >&2; exit 2; }
  wheel=$(basename "$1")
  retagged=
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

# match_tags: the tags of the file name in WHEEL, which the packed wheel is named after.
match_tags() {
  python3 - "$wheel" <<'PYTHON'
import glob, itertools, sys
[path] = glob.glob("*.dist-info/WHEEL")
with open(path, encoding="utf-8", newline="") as text:
    lines = [line for line in text.read().split("\n") if line.strip() and not line.lower().startswith("tag:")]
parts = [part.split(".") for part in sys.argv[1][:-len(".whl")].split("-")[-3:]]
lines += ["Tag: " + "-".join(tag) for tag in itertools.product(*parts)]
with open(path, "w", encoding="utf-8", newline="") as text:
    text.write("\n".join(lines) + "\n")
PYTHON
}

# retag PLATFORM: another platform tag in WHEEL, which the packed wheel is named after.
retag() {
  retagged=yes
  python3 - "$1" <<'PYTHON'
import glob, re, sys
[path] = glob.glob("*.dist-info/WHEEL")
with open(path, encoding="utf-8", newline="") as text:
    head = text.read()
with open(path, "w", encoding="utf-8", newline="") as text:
    lines = re.sub(r"(?im)^(Tag:.*-)[^-\s]+", lambda found: found[1] + sys.argv[1], head).split("\n")
    # Several platforms became one: each tag once.
    text.write("\n".join(line for i, line in enumerate(lines) if not line or line not in lines[:i]))
PYTHON
}

# keep: the packed wheel is done, unless its WHEEL file gave it other tags than its name had.
keep() {
  [ -n "$retagged" ] || python3 - "$wheel" ./*.whl <<'PYTHON' || exit 1
import sys
old, new = ([set(part.split(".")) for part in name[:-len(".whl")].split("-")[-3:]] for name in sys.argv[1:])
if old != new:
    sys.exit(f"fix.sh: {sys.argv[1]} would become {sys.argv[2]}: its WHEEL file has other tags; not kept")
PYTHON
  mv ./*.whl "$folder/"
}

# repack: nothing to change; that it is packed again mends it.
repack() { :; }

# add_entry ENTRY FILE: a search path with the entry at its end; drop_entry: without it; drop_repeated:
# without its last occurrence.
add_entry() { search_path add "$@"; }
drop_entry() { search_path all "$@"; }
drop_repeated() { search_path last "$@"; }
search_path() {
  path=$(patchelf --print-rpath "$3" | python3 -c '
import sys
which, entry = sys.argv[1:]
text = sys.stdin.read().rstrip("\n")
entries = text.split(":") if text else []
if which == "add":
    entries.append(entry)
elif which == "all":
    entries = [other for other in entries if other != entry]
elif entry in entries:
    del entries[len(entries) - 1 - entries[::-1].index(entry)]
print(":".join(entries))' "$1" "$2")
  if [ -z "$path" ]; then
    patchelf --remove-rpath "$3"
  elif [ "$(elf path "$3")" = rpath ]; then
    patchelf --force-rpath --set-rpath "$path" "$3"  # patchelf would make a DT_RUNPATH of it
  else
    patchelf --set-rpath "$path" "$3"
  fi
}

# clear_execstack FILE: no executable stack is asked for. Older versions of patchelf cannot do it.
clear_execstack() { elf stack "$1"; }

# elf stack FILE: clears the execute flag of PT_GNU_STACK. elf path FILE: says rpath where DT_RPATH
# is the search path, which only a file without DT_RUNPATH has.
elf() {
  python3 - "$@" <<'PYTHON'
import struct, sys
what, name = sys.argv[1:]
with open(name, "r+b") as file:
    head = file.read(64)
    order = "<" if head[5] == 1 else ">"
    word, wide = ("Q", True) if head[4] == 2 else ("I", False)
    table, = struct.unpack_from(order + word, head, 32 if wide else 28)
    size, count = struct.unpack_from(order + "HH", head, 54 if wide else 42)
    found, tags = False, set()
    for place in range(table, table + size * count, size):
        file.seek(place)
        entry = file.read(size)
        kind, = struct.unpack_from(order + "I", entry)
        if what == "stack" and kind == 0x6474E551:  # PT_GNU_STACK
            at = 4 if wide else 24
            flags, = struct.unpack_from(order + "I", entry, at)
            file.seek(place + at)
            file.write(struct.pack(order + "I", flags & ~1))
            found = True
        if what == "path" and kind == 2:  # PT_DYNAMIC
            start, = struct.unpack_from(order + word, entry, 8 if wide else 4)
            length, = struct.unpack_from(order + word, entry, 32 if wide else 16)
            file.seek(start)
            content = file.read(length)
            pair = 16 if wide else 8
            for at in range(0, len(content) - pair + 1, pair):
                tag, = struct.unpack_from(order + word, content, at)
                if tag == 0:
                    break
                tags.add(tag)
    if what == "path" and 15 in tags and 29 not in tags:
        print("rpath")
    if what == "stack" and not found:
        print(f"fix.sh: {name} has no PT_GNU_STACK to clear: link it with -z noexecstack", file=sys.stderr)
PYTHON
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
)SH";

}  // namespace

std::string_view sh_tools() { return kTools; }

bool is_in_need_of(std::string_view command, std::string_view program) {
  if (command.starts_with(program) && command.substr(program.size()).starts_with(' ')) return true;
  constexpr std::array<std::string_view, 3> kSearchPath = {"add_entry ", "drop_entry ",
                                                           "drop_repeated "};
  return program == "patchelf" && std::ranges::any_of(kSearchPath, [&](std::string_view function) {
           return command.starts_with(function);
         });
}

}  // namespace wheel_audit
