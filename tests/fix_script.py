#!/usr/bin/env python3
"""Runs the fix script of --format sh on forged wheels: what it mends is gone when the mended wheel is
audited, what it cannot mend is still there, and hostile names run nothing and write nothing outside.
Every rule that has a `mend` is held to it on each of the wheels that the rule rejects. Skipped (exit
77) where patchelf or Python's wheel is not installed.

    python3 tests/fix_script.py BINARY
"""
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

if importlib.util.find_spec("wheel") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = "demo/lib/it's $(touch pwned) `touch pwned`;touch pwned #.so"
RECIPE = {"base": "cuda13", "change": {
    "metadata": {"requires_dist": ["nvidia-cublas>=13,<14"]},
    "wheel": {"purelib": True},
    "files": {
        "demo/lib/libdemo_cuda.so": {"elf": {
            "runpath": "$ORIGIN/../nvidia/cu13/lib::$ORIGIN:/home/ci/build", "stack": "rwx"}},
        "demo/lib/libother.so": {"elf": {"machine": "x86_64", "needed": ["libcublas.so.13"],
                                         "runpath": "$ORIGIN/../nvidia/cu13/lib"}},
        "demo/lib/libold.so": {"elf": {"machine": "x86_64", "needed": ["libc.so.6"], "rpath": "$ORIGIN:/home/ci/build"}},
        LIBRARY: {"mode": "0755", "elf": {"machine": "x86_64", "needed": ["libc.so.6"], "stack": "rwx",
                                          "runpath": "/home/ci/$(touch pwned)/b"}},
        "demo/-rf/.DS_Store": {"text": "x"}, "demo/a\u202e/.DS_Store": {"text": "x"},
        "../../outside/.DS_Store": {"text": "x"}}}}
MENDED = {"base/purelib-native", "cuda/missing-hop", "cuda/undeclared-package", "linux/executable-stack",
          "linux/runpath-build-tree", "linux/runpath-empty", "linux/runpath-dangling"}
# What no script can mend, and how the script says so.
LEFT = {"linux/executable-stack/reject-absent": "has no PT_GNU_STACK to clear",
        "linux/executable-stack/reject-absent-armv7l": "has no PT_GNU_STACK to clear",
        "cuda/unversioned-needed/reject-either-train": "libcudart.so.12 or libcudart.so.13"}
# What was hidden behind a fault, and shows once that is mended: a package that is declared has to be
# arrived at, and a library that is looked for by its name has to be somewhere.
SHOWS = {"cuda/missing-hop", "cuda/no-hop", "cuda/stale-hop", "linux/missing-library", "linux/preload-only"}


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


def run_script(folder, *words, path=None):
    # The python3 that the script calls is this one.
    path = path or f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    return subprocess.run(["sh", "fix.sh", *words], cwd=folder, env={**os.environ, "PATH": path},
                          capture_output=True, text=True)


def mend_one(binary, rule, recipe):
    """Forges a wheel that the rule rejects, and mends it: the rule's finding must be gone, and nothing
    else must have come. Says what is wrong, or nothing."""
    what = f"{rule}/{recipe.stem}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "dist").mkdir()
        subprocess.run([binary, "forge", recipe, "-o", folder / "dist"], check=True, stderr=subprocess.PIPE)
        before = findings(binary, folder, "dist")
        audit(binary, folder, "dist", "--format", "sh=fix.sh")
        done = run_script(folder)
        if done.returncode:
            return f"{what}: the script fails: {done.stderr}"
        after = findings(binary, folder, "mended") if any((folder / "mended").iterdir()) else set()
        if what in LEFT:
            told = LEFT[what] in done.stderr + (folder / "fix.sh").read_text()
            kept = not after or rule in {found for found, _ in after}
            return None if told and kept else f"{what}: not told as left"
        if rule not in {found for found, _ in before}:
            return f"{what}: the forged wheel has no such finding"
        if rule in {found for found, _ in after}:
            return f"{what}: still found"
        new = {found for found, _ in after} - {found for found, _ in before} - SHOWS
        return f"{what}: brought {new}" if new else None


def every_rule(binary):
    """How many wheels were mended."""
    jobs = []
    for path in sorted((ROOT / "rules").glob("*/*.json")):
        if "mend" in json.loads(path.read_text()):
            recipes = sorted((ROOT / "fixtures" / path.parent.name / path.stem).glob("reject-*.json"))
            check(recipes, f"{path.stem} has no wheel that it rejects")
            jobs += [(f"{path.parent.name}/{path.stem}", recipe) for recipe in recipes]
    check(len(jobs) >= 60, f"only {len(jobs)} wheels to mend")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(filter(None, pool.map(lambda job: mend_one(binary, *job), jobs)))
    check(not wrong, "\n" + "\n".join(wrong))
    return len(jobs)


def refuses_to_begin(folder):
    """Without what its commands call, the script says what is missing and writes nothing."""
    tools = folder / "few"
    tools.mkdir()
    for name in ("sh", "mkdir", "mktemp", "rm", "python3"):
        (tools / name).symlink_to(sys.executable if name == "python3" else shutil.which(name))
    done = run_script(folder, "none", path=str(tools))
    check(done.returncode == 2 and done.stderr == "fix.sh: needs patchelf, which is not installed\n",
          f"without patchelf: exit {done.returncode}: {done.stderr}")
    check(not list((folder / "none").iterdir()), "something was written")
    shutil.rmtree(tools)
    (folder / "none").rmdir()


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
        (folder / "fix.sh").write_text(audit(binary, folder, "dist", "--notes", "--format", "sh"))
        check(subprocess.run(["sh", "-n", "fix.sh"], cwd=folder).returncode == 0, "the script does not parse")
        refuses_to_begin(folder)
        done = run_script(folder, "out")
        check(done.returncode == 0, f"the script fails: {done.stderr}")
        after = findings(binary, folder, "out")
        check(not MENDED & {rule for rule, _ in after}, f"not mended: {sorted(MENDED & {r for r, _ in after})}")
        check(("base/junk-file", "demo/-rf/.DS_Store") in before - after, "a member in -rf is not removed")
        check(any(rule == "base/junk-file" for rule, _ in after), "a member that no one can type was touched")
        check(wheel.read_bytes() == bytes_before, "the script changed the wheel itself")
        [mended] = (folder / "out").iterdir()
        with zipfile.ZipFile(mended) as archive:
            library = pathlib.Path(archive.extract("demo/lib/libold.so", pathlib.Path(name) / "look"))
        dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
        check("(RPATH)" in dynamic and "[$ORIGIN]" in dynamic and "(RUNPATH)" not in dynamic,
              f"DT_RPATH is not what it was:\n{dynamic}")
        pwned = [path for path in pathlib.Path(name).rglob("*") if path.name in ("pwned", "outside")]
        check(not pwned and {p.name for p in folder.iterdir()} == {"dist", "recipe.json", "fix.sh", "out"},
              f"something ran or was written outside: {pwned}")
    print(f"fix_script: {len(before)} findings, {len(after)} after the script; hostile names do nothing; "
          f"{every_rule(binary)} rejected wheels mended")


main()
