#!/usr/bin/env python3
"""Holds the shipped rules, packs and tables, and what the tool prints, to the JSON Schemas that it
gives to editors; and each schema to the draft that it names.

    python3 tests/schemas.py BINARY
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:  # Debian's packages are those of Debian's python3
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit("schemas: no module jsonschema (Debian: python3-jsonschema)")

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output(*command):
    return json.loads(subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=False).stdout)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    validators, faults, counted = {}, [], 0
    for path in sorted((ROOT / "schemas").glob("*.json")):
        schema = output(binary, "schema", path.stem)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[path.stem] = jsonschema.Draft202012Validator(schema)

    def hold(name, value, where):
        nonlocal counted
        counted += 1
        error = jsonschema.exceptions.best_match(validators[name].iter_errors(value))
        if error:
            faults.append(f"{where}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]} (schema {name})")

    rules = [path for path in sorted((ROOT / "rules").glob("*/*.json")) if path.name != "pack.json"]
    for path in rules:
        hold("rule", json.loads(path.read_text()), path.relative_to(ROOT))
    for path in sorted((ROOT / "rules").glob("*/pack.json")):
        hold("pack", json.loads(path.read_text()), path.relative_to(ROOT))
    for path in sorted((ROOT / "rules").glob("*/tables/release*.json")):
        hold("release", json.loads(path.read_text()), path.relative_to(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        for recipe in ("_base/cuda13", "cuda/missing-hop/reject-level-short", "base/junk-file/" + min(
                path.stem for path in (ROOT / "fixtures/base/junk-file").glob("reject-*.json"))):
            wheel = pathlib.Path(folder) / "x.whl"
            subprocess.run([binary, "forge", ROOT / f"fixtures/{recipe}.json", "-o", wheel], check=True,
                           stderr=subprocess.DEVNULL)
            hold("facts", output(binary, "inspect", "--symbols", wheel), f"facts of {recipe}")
            hold("report", output(binary, "check", "--format", "json", wheel), f"report of {recipe}")
            hold("gpu", output(binary, "gpu", "--json", wheel), f"gpu of {recipe}")
            hold("tree", output(binary, "tree", "--json", wheel), f"tree of {recipe}")
            hold("tree", output(binary, "tree", "--json", "--tag", wheel), f"tree --tag of {recipe}")
            hold("diff", output(binary, "diff", "--format", "json", wheel, wheel), f"diff of {recipe}")
    # A schema that lets everything pass would help nobody: each shipped rule with a wrong key.
    for path in rules:
        wrong = copy.deepcopy(json.loads(path.read_text()))
        wrong["severty"] = wrong.pop("severity")
        if validators["rule"].is_valid(wrong):
            faults.append(f"{path.relative_to(ROOT)}: the schema takes \"severty\" for \"severity\"")
    print("\n".join(faults) or f"schemas: {len(validators)} schemas hold {counted} documents")
    sys.exit(1 if faults else 0)


main()
