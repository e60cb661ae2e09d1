#!/usr/bin/env python3
"""One pack's rules, listed from its rule files: each is built in and holds its fixtures.

    python3 tests/rules.py BINARY SOURCE PACK

Listed from rules/, never from fixtures/, so that a rule without a fixture is a failure with the
rule's name.
"""
import json
import pathlib
import subprocess
import sys

binary, source, pack = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
files = sorted(path for path in (source / "rules" / pack).glob("*.json") if path.stem != "pack")
wanted = [f"{pack}/{path.stem}" for path in files]
faults = []

# Opt-in rules are listed when they are selected by their exact ids.
listed = subprocess.run([binary, "rules", "--format", "json", "--pack", pack, "--select", ",".join(wanted)],
                        capture_output=True, text=True)
if listed.returncode != 0:
    sys.exit(listed.stderr)
built_in = {rule["id"] for rule in json.loads(listed.stdout)}
faults += [f"{rule}: not built in" for rule in wanted if rule not in built_in]

for rule in wanted:
    names = [path.stem for path in (source / "fixtures" / rule).glob("*.json")]
    for prefix in ("reject-", "accept-"):
        if not any(name.startswith(prefix) for name in names):
            faults.append(f"{rule}: has no {prefix}<why>.json in fixtures/{rule}")

tested = subprocess.run([binary, "selftest"], capture_output=True, text=True)
faults += [line for line in tested.stdout.splitlines() if line.startswith(f"FAIL {pack}/")]
if not tested.stdout.splitlines()[-1:] or not tested.stdout.splitlines()[-1].startswith("selftest: "):
    faults.append(f"selftest ended without its summary: {tested.stderr}")

print("\n".join(faults))
print(f"{pack}: {len(wanted)} rules, {len(faults)} faults")
sys.exit(1 if faults or not wanted else 0)
