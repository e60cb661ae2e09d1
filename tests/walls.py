#!/usr/bin/env python3
"""The walls between the parts, as questions about includes (docs/design.md, "Walls").

1. Rules' kinds and reports include no reader.
2. Readers know no rule, no report and no policy.
3. A third-party library is included by as few source files as its job needs, and by no public
   header.
4. No source names a project that a pack is about: kinds are generic, a project is data.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
READERS = r"wheel_audit/(archive|elf|scan)\.hpp|(archive|scan)/"
POLICY = r"wheel_audit/(rules|subject|report|selftest|loader|matrix)\.hpp|(kinds|rules|report|loader|selftest|matrix|cli)/"
# Library: its headers, and the number of source files that its job needs.
LIBRARIES = {
    "nlohmann/json": (r"nlohmann/", 1),
    "CLI11": (r"CLI/", 5),
    "toml++": (r"toml\+\+/|toml\.hpp", 1),
    "libzip": (r"zip\.h", 1),
    "ISA-L": (r"isa-l/|isa-l\.h", 1),
    "zlib": (r"zlib\.h", 3),
    "bzip2": (r"bzlib\.h", 1),
    "OpenSSL": (r"openssl/", 2),
    "LIEF": (r"LIEF/", 1),
    "utf8proc": (r"utf8proc\.h", 1),
    "yaml-cpp": (r"yaml-cpp/", 1),
}


def includes(pattern, *folders):
    """(file, header) of each include that begins like the pattern."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
            for header in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.M):
                if re.match(pattern, header):
                    yield path.relative_to(ROOT).as_posix(), header


def projects():
    """The packs that are about one project: those whose pack.json brings others along."""
    for path in sorted((ROOT / "rules").glob("*/pack.json")):
        if json.loads(path.read_text()).get("extends"):
            yield path.parent.name


def main():
    faults = []
    names = list(projects())
    for path in sorted(p for folder in ("src", "include") for p in (ROOT / folder).rglob("*.[ch]pp")):
        for name in names:
            if re.search(name, path.read_text(), re.I):
                faults.append(f"{path.relative_to(ROOT).as_posix()}: names the project {name}")
    for path, header in includes(READERS, "src/kinds", "src/report"):
        faults.append(f"{path}: includes the reader {header}")
    for path, header in includes(POLICY, "src/archive", "src/scan"):
        faults.append(f"{path}: a reader includes {header}")
    # The forge writes what the readers are tested on, so it must not read with them.
    for path, header in includes(READERS, "src/forge"):
        faults.append(f"{path}: the forge includes the reader {header}")
    for name, (pattern, most) in LIBRARIES.items():
        users = sorted({path for path, _ in includes(pattern, "src", "include")})
        for path in users:
            if path.startswith("include/"):
                faults.append(f"{path}: a public header includes {name}")
        if len(users) > most:
            faults.append(f"{name}: included by {len(users)} files, expected {most}: {', '.join(users)}")
        print(f"{name}: {len(users)} of at most {most}")
    # A test that cannot fail is a defect: the patterns must still find what is known to be there.
    if not list(includes(READERS, "src/wheel")) or not list(includes(POLICY, "src/rules")):
        faults.append("walls: found no include where some must be; are the patterns stale?")
    if not names:
        faults.append("walls: no pack is about a project; is pack.json's form another?")
    print("\n".join(faults) or "walls: all stand")
    sys.exit(1 if faults else 0)


main()
