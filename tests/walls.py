#!/usr/bin/env python3
"""The walls between the parts, as questions about includes (docs/design.md, "Walls").

1. Each part includes the parts that MAY_INCLUDE names, and no others.
2. A third-party library is included by as few source files as its job needs, and by no public
   header.
3. No source names a project that a pack is about: kinds are generic, a project is data.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
# Public headers by the part that they belong to; others are named like their part.
PART_OF = {
    "base": ["bytes", "date", "embedded", "globs", "json", "limits", "memo", "names", "quantity", "result", "sandbox", "text", "utf8"],
    "archive": ["digest"],
    "scan": ["elf"],
    "facts": ["facts_index", "facts_json", "gpu", "ptx_isa", "text_facts", "trim", "variant"],
    "loader": ["search_entry"],
    "wheel": ["environments", "read_progress", "version"],
    "rules": ["audit", "need_tree", "set", "subject"],
}
# The parts that each part includes, itself and base aside. Kinds and reports include no reader,
# readers no rule and no report; the forge writes what the readers are tested on and reads nothing.
MAY_INCLUDE = {
    "base": [],
    "archive": ["facts"],
    "facts": [],
    "forge": [],
    "scan": ["archive", "facts", "wheel"],
    "wheel": ["archive", "facts", "scan"],
    "loader": ["facts", "wheel"],
    "kinds": ["facts", "loader", "rules"],
    "rules": ["facts", "loader", "wheel"],
    "report": ["archive", "facts", "rules", "wheel"],
    "selftest": ["facts", "forge", "rules", "wheel"],
    "matrix": ["facts", "wheel"],
    "config": ["rules", "triage"],
    "triage": ["facts", "report", "wheel"],
    "crosscheck": ["archive", "facts", "rules"],
    "diff": ["facts", "kinds", "report", "wheel"],
    "cli": ["config", "crosscheck", "diff", "facts", "forge", "kinds", "matrix", "report", "rules", "selftest", "wheel"],
}
# Library: its headers, and the number of source files that its job needs, exactly.
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


def part_of(header, owner):
    """The part that a header belongs to."""
    if "wheel_audit/" not in header:
        return header.split("/")[0]
    name = header.split("wheel_audit/")[1].removesuffix(".hpp")
    return owner.get(name, name)


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
    used = {part: set() for part in MAY_INCLUDE}
    owner = {header: part for part, headers in PART_OF.items() for header in headers}
    for path, header in includes(r".+\.hpp$", "src", "include"):
        part = path.split("/")[1] if path.startswith("src/") else part_of(path, owner)
        target = part_of(header, owner)
        if path.startswith("include/") and part not in MAY_INCLUDE:
            faults.append(f"{path}: of no part: name it in PART_OF")
        if part not in MAY_INCLUDE or target not in MAY_INCLUDE:
            continue
        used[part].add(target)
        if target not in [part, "base", *MAY_INCLUDE[part]]:
            faults.append(f"{path}: {part} includes {header}, which is of {target}")
    for part in sorted(path.name for path in (ROOT / "src").iterdir()):
        if part not in MAY_INCLUDE:
            faults.append(f"src/{part}: has no row in MAY_INCLUDE")
    for part, targets in MAY_INCLUDE.items():
        for target in sorted(set(targets) - used[part]):
            faults.append(f"{part} no longer includes {target}: take it out of MAY_INCLUDE")
    for name, (pattern, exact) in LIBRARIES.items():
        users = sorted({path for path, _ in includes(pattern, "src", "include")})
        for path in users:
            if path.startswith("include/"):
                faults.append(f"{path}: a public header includes {name}")
        if len(users) != exact:
            faults.append(f"{name}: included by {len(users)} files, expected {exact}: {', '.join(users)}")
    if not names:
        faults.append("walls: no pack is about a project; is pack.json's form another?")
    print("\n".join(faults) or "walls: all stand")
    sys.exit(1 if faults else 0)


main()
