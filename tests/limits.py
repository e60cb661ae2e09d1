#!/usr/bin/env python3
"""Every limit is listed in docs/reliability.md with its value, can be lowered, and is then reached by
some wheel, which is unread by a message that names the limit: never clean.

    limits.py WHEEL_AUDIT SOURCE
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOOL, SOURCE = map(pathlib.Path, sys.argv[1:3])
TOOL = TOOL.resolve()
# Wheels that reach a limit of 1; those that are not here need something of their own.
WHEELS = ["_base/cuda13", "_base/executorch_cu130_x86_64", "base/compression-method/reject-bzip2", "cuda/device-gap/reject-container"]
# More than 1, where 1 is reached before what the limit is about.
LEAST = {"elf-table-bytes": 64, "sources-bytes": 2}


def run(folder, *words):
    return subprocess.run([TOOL, *map(str, words)], cwd=folder, capture_output=True, text=True)


def reached(name, reports):
    """The messages about a limit, of reports that are not clean."""
    for report in reports:
        for wheel in json.loads(report)["wheels"]:
            for unread in wheel["unread"]:
                if f"--limit {name}=N" in unread["reason"]:
                    yield wheel["verdict"], unread["reason"]


def main():
    faults = []
    page = (SOURCE / "docs/reliability.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([0-9,]+) \|", page, re.M))
    names = run(SOURCE, "check", "--limit", "?=1", ".").stderr.split("limits: ")[1].strip().split(", ")
    if list(rows) != names:
        faults.append(f"docs/reliability.md lists {list(rows)}, the tool {names}")
    header = (SOURCE / "include/wheel_audit/limits.hpp").read_text()
    for name, text in re.findall(r"std::uint64_t (\w+) = ([0-9' <]+);", header):
        number = eval(text.replace("'", ""))
        if rows.get(name.replace("_", "-")) != f"{number:,}":
            faults.append(f"docs/reliability.md says {name}: {rows.get(name.replace('_', '-'))}, the tool has {number:,}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for base in WHEELS:
            done = run(folder, "forge", SOURCE.resolve() / f"fixtures/{base}.json", "-o", f"{folder}/")
            if done.returncode:
                sys.exit(done.stderr)
        wheels = sorted(folder.glob("*.whl"))
        (folder / "site").mkdir()
        for member in "a.py", "b.py":
            (folder / "site" / member).write_text("")
        for name in names:
            words = ["check", "--pack", "base,linux,cuda,executorch", "--format", "json", "--limit", f"{name}={LEAST.get(name, 1)}"]
            if name == "environment-files":
                words += ["--env", "site"]
            reports = [run(folder, *words, wheel).stdout for wheel in wheels]
            found = list(reached(name, reports))
            if not found:
                faults.append(f"{name}: lowered, and no wheel reaches it")
            faults += [f"{name}: verdict {verdict}" for verdict, _ in found if verdict == "clean"]
            if run(folder, "check", "--format", "json", "--limit", f"{name}=0", wheels[0]).returncode != 2:
                faults.append(f"{name}: 0 is taken")
    print("\n".join(faults) or f"limits: {len(names)} limits, each reached and told")
    return 1 if faults else 0


sys.exit(main())
