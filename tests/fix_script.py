#!/usr/bin/env python3
"""Runs the fix script of --format sh on forged wheels: what it mends is gone when the mended wheel is
audited, what it cannot mend is still there, and hostile names run nothing and write nothing outside.
Skipped (exit 77) where patchelf or Python's wheel is not installed.

    python3 tests/fix_script.py BINARY
"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

if importlib.util.find_spec("wheel") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
LIBRARY = "demo/lib/it's $(touch pwned) `touch pwned`;touch pwned #.so"
RECIPE = {"base": "cuda13", "change": {
    "metadata": {"requires_dist": ["nvidia-cublas>=13,<14"]},
    "wheel": {"purelib": True},
    "files": {
        "demo/lib/libdemo_cuda.so": {"elf": {
            "runpath": "$ORIGIN/../nvidia/cu13/lib::$ORIGIN:/home/ci/build", "stack": "rwx"}},
        "demo/lib/libother.so": {"elf": {"machine": "x86_64", "needed": ["libcublas.so.13"],
                                         "runpath": "$ORIGIN/../nvidia/cu13/lib"}},
        LIBRARY: {"mode": "0755", "elf": {"machine": "x86_64", "needed": ["libc.so.6"], "stack": "rwx",
                                          "runpath": "/home/ci/$(touch pwned)/b"}},
        "demo/-rf/.DS_Store": {"text": "x"}, "demo/a\u202e/.DS_Store": {"text": "x"},
        "../../outside/.DS_Store": {"text": "x"}}}}
MENDED = {"base/purelib-native", "cuda/missing-hop", "cuda/undeclared-package", "linux/executable-stack",
          "linux/runpath-build-tree", "linux/runpath-empty", "linux/runpath-dangling"}


# An older patchelf (0.14 of Debian 12) cannot clear the flag; the forged wheel then has no such fault.
PATCHELF = subprocess.run(["patchelf", "--help"], capture_output=True, text=True) if shutil.which("patchelf") else None
if PATCHELF and "--clear-execstack" not in PATCHELF.stdout + PATCHELF.stderr:
    MENDED.remove("linux/executable-stack")
    for content in RECIPE["change"]["files"].values():
        content.get("elf", {}).pop("stack", None)


def check(condition, what):
    if not condition:
        sys.exit(f"fix_script: {what}")


def audit(binary, folder, *words):
    done = subprocess.run([binary, "check", *words], cwd=folder, capture_output=True, text=True)
    check(not done.stderr, done.stderr)
    return done.stdout


def findings(binary, folder, name):
    report = json.loads(audit(binary, folder, name, "--format", "json"))
    return {(finding["rule"], finding["where"]) for wheel in report["wheels"] for finding in wheel["findings"]}


def main():
    if importlib.util.find_spec("wheel") is None or shutil.which("patchelf") is None:
        print("fix_script: needs patchelf and Python's wheel (Debian: patchelf, python3-wheel)")
        sys.exit(77)
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "here"
        (folder / "dist").mkdir(parents=True)
        (folder / "recipe.json").write_text(json.dumps(RECIPE))
        subprocess.run([binary, "forge", "recipe.json", "-o", "dist"], cwd=folder, check=True, stderr=subprocess.PIPE)
        before = findings(binary, folder, "dist")
        check(MENDED <= {rule for rule, _ in before}, f"the forged wheel lacks {MENDED - {r for r, _ in before}}")
        [wheel] = (folder / "dist").iterdir()
        bytes_before = wheel.read_bytes()
        (folder / "fix.sh").write_text(audit(binary, folder, "dist", "--format", "sh"))
        check(subprocess.run(["sh", "-n", "fix.sh"], cwd=folder).returncode == 0, "the script does not parse")
        # The python3 that the script calls is this one.
        env = {**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "fix.sh", "out"], cwd=folder, env=env, capture_output=True, text=True)
        check(done.returncode == 0, f"the script fails: {done.stderr}")
        after = findings(binary, folder, "out")
        check(not MENDED & {rule for rule, _ in after}, f"not mended: {sorted(MENDED & {r for r, _ in after})}")
        check(("base/junk-file", "demo/-rf/.DS_Store") in before - after, "a member in -rf is not removed")
        check(any(rule == "base/junk-file" for rule, _ in after), "a member that no one can type was touched")
        check(wheel.read_bytes() == bytes_before, "the script changed the wheel itself")
        pwned = [path for path in pathlib.Path(name).rglob("*") if path.name in ("pwned", "outside")]
        check(not pwned and {p.name for p in folder.iterdir()} == {"dist", "recipe.json", "fix.sh", "out"},
              f"something ran or was written outside: {pwned}")
    print(f"fix_script: {len(before)} findings, {len(after)} after the script; hostile names do nothing")


main()
