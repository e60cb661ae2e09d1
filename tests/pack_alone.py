#!/usr/bin/env python3
"""Each planted fault of a pack is found by the rule it is planted for, and by nothing else.

    python3 tests/pack_alone.py BINARY SOURCE PACK

`selftest` asks a fixture's own rule alone. Here the wheel of each reject fixture is checked as a
user would, with the pack and all that it extends, notes included: the one fault must give findings
of its rule and of no other. The bases, with no fault, must be clean.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

BINARY, SOURCE, PACK = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]


def forged(recipe, folder):
    """The wheel of a recipe, in a folder of its own: several have the same name."""
    folder.mkdir()
    made = subprocess.run([BINARY, "forge", recipe, "-o", folder], capture_output=True, text=True)
    assert made.returncode == 0, f"{recipe}: {made.stderr}"
    return next(folder.iterdir())


def checked(wheels):
    """The report of each wheel, by its path."""
    done = subprocess.run([BINARY, "check", "--pack", PACK, "--format", "json", *wheels],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    return {report["file"]: report for report in json.loads(done.stdout)["wheels"]}


def main():
    fixtures = sorted((SOURCE / "fixtures" / PACK).glob("*/reject-*.json"))
    used = {json.loads(path.read_text())["base"] for path in fixtures}
    used |= {path.stem for path in (SOURCE / "fixtures/_base").glob(f"{PACK}_*.json")}
    bases = [SOURCE / "fixtures/_base" / f"{name}.json" for name in sorted(used)]
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        wheels = {str(forged(path, pathlib.Path(scratch) / str(i))): path
                  for i, path in enumerate(fixtures + bases)}
        reports = checked(wheels)
    for wheel, path in wheels.items():
        report = reports[wheel]
        wanted = {f"{PACK}/{path.parent.name}"} if path in fixtures else set()
        found = {finding["rule"] for finding in report["findings"]}
        expected = len(json.loads(path.read_text()).get("expect", []))
        if found != wanted or len(report["findings"]) != expected or report["unread"]:
            lines = [f"    {f['rule']} {f['where']}: {f['message']}" for f in report["findings"]]
            lines += [f"    unread {u['where']}: {u['reason']}" for u in report["unread"]]
            faults.append(f"{path.relative_to(SOURCE)}: expected {expected} of {', '.join(wanted) or 'any rule'}, found {len(report['findings'])}\n"
                          + ("\n".join(lines) or "    nothing"))
    print("\n".join(faults))
    print(f"{PACK}: {len(fixtures)} planted faults, {len(bases)} sound wheels, {len(faults)} failures")
    sys.exit(1 if faults or not fixtures else 0)


main()
