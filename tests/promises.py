#!/usr/bin/env python3
"""A pack's document keeps its word: each rule and fixture that it names is there, and each is named.

    python3 tests/promises.py SOURCE PACK DOCUMENT
"""
import pathlib
import re
import sys

source, pack, document = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
text = (source / document).read_text()
faults = []
named = set(re.findall(rf"`{pack}/([a-z0-9-]+)`", text))
rules = {path.stem for path in (source / "rules" / pack).glob("*.json")} - {"pack"}
faults += [f"{document} names the rule {pack}/{rule}, which there is not" for rule in sorted(named - rules)]
faults += [f"{document} does not name the rule {pack}/{rule}" for rule in sorted(rules - named)]
fixtures = {f"{path.parent.name}/{path.stem}" for path in (source / "fixtures" / pack).glob("*/reject-*.json")}
# A row: promise, rules, fixtures. Each fixture must be one of a rule of its row.
rows = [row for row in re.findall(r"^\|(.*)\|$", text, re.M) if "/reject-" in row]
shown = set()
for row in rows:
    promise, of, broken = (cell.strip() for cell in row.split("|"))
    for fixture in re.findall(r"`([a-z0-9-]+/reject-[a-z0-9-]+)`", broken):
        shown.add(fixture)
        if fixture not in fixtures:
            faults.append(f"{promise}: there is no fixture {fixture}")
        if f"`{pack}/{fixture.split('/')[0]}`" not in of:
            faults.append(f"{promise}: {fixture} is of none of {of}")
faults += [f"{document} does not say which promise {fixture} breaks" for fixture in sorted(fixtures - shown)]
print("\n".join(faults))
print(f"{document}: {len(rows)} promises, {len(shown)} fixtures, {len(faults)} faults")
sys.exit(1 if faults or not rows else 0)
