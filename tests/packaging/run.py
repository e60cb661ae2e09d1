#!/usr/bin/env python3
"""What is released, looked at as its users would: the static binary, the packages, the wheel.

    python3 tests/packaging/run.py static|packages|wheel

Builds nothing: exits 77 (skipped) where the artefact was not built, and says by which script it is.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "build/static/wheel-audit"
BASE = ROOT / "fixtures/_base/cuda13.json"


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, timeout=600, **options)
    if done.returncode != code:
        sys.exit(f"{command} exited {done.returncode}, expected {code}:\n{done.stdout}")
    return done.stdout


def check(condition, what):
    if not condition:
        sys.exit(what)


def skip_unless(found, script):
    if not found:
        print(f"skipped: not built (sh scripts/{script})")
        sys.exit(77)


def as_root(*command):
    """The command as root, or in a user namespace of its own where this is not root."""
    return [*command] if os.geteuid() == 0 else ["unshare", "--map-root-user", *command]


def static():
    skip_unless(STATIC.exists(), "build-static.sh")
    dynamic = run("readelf", "-dW", STATIC)
    check("(NEEDED)" not in dynamic, "the binary needs shared libraries")
    check("PATH)" not in dynamic, "the binary has a search path")
    check("INTERP" not in run("readelf", "-lW", STATIC), "the binary asks for a loader")
    check("no symbols" in run("nm", STATIC).lower(), "the binary is not stripped")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(STATIC, folder)
        shutil.copy(BASE, folder)
        inside = as_root("chroot", folder, "/wheel-audit")
        print(run(*inside, "selftest").splitlines()[-1])
        run(*inside, "forge", "/cuda13.json", "-o", "/")
        wheel = next(pathlib.Path(folder).glob("*.whl"))
        check(": clean" in run(*inside, "check", f"/{wheel.name}"), "a sound wheel is not clean")
        # Nothing of the environment is wanted either.
        run(*inside, "check", "/missing.whl", code=2, env={"PATH": os.environ["PATH"]})
    print(f"static: {STATIC.stat().st_size / 2**20:.1f} MiB, needs nothing")


def main():
    {"static": static}[sys.argv[1]]()


main()
