#!/usr/bin/env python3
"""check --cross-check: two parsers that read one file differently are told with both values, sound
files raise nothing, and what the second parser cannot read is told as a note.

    crosscheck.py WHEEL_AUDIT

Exit 77 where the build has no second parser; then the one sentence about that is tested.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
LIBRARY = {"soname": "liba.so", "needed": ["libc.so.6"], "imports": ["puts@GLIBC_2.2.5"], "exports": ["f"]}
faults = []


def expect(what, found, wanted):
    if found != wanted:
        faults.append(f"{what}: {found!r}, expected {wanted!r}")


def forged(folder, name, corrupt=None):
    elf = {**LIBRARY, **({"corrupt": corrupt} if corrupt else {})}
    place = pathlib.Path(folder) / name
    place.mkdir()
    recipe = place / "recipe.json"
    recipe.write_text(json.dumps({"base": "native", "change": {"files": {"demo/lib/liba.so": {"elf": elf}}}}))
    subprocess.run([TOOL, "forge", recipe, "-o", place], check=True, stderr=subprocess.PIPE)
    return next(place.glob("*.whl"))


def checked(wheel, *options, descriptors=None):
    def bound():
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    done = subprocess.run([TOOL, "check", "--select", "base/setuid", "--cross-check", "--format", "json", *options,
                           wheel], capture_output=True, text=True, preexec_fn=bound)
    return done, (json.loads(done.stdout)["wheels"][0]["findings"] if done.stdout else None)


def main():
    with tempfile.TemporaryDirectory() as folder:
        sound = forged(folder, "sound")
        done, findings = checked(sound)
        if "has no LIEF" in done.stderr:
            expect("a build without LIEF says", done.stderr,
                   "wheel-audit: --cross-check: this build has no LIEF; nothing is compared\n")
            expect("and its exit is that of the rules", done.returncode, 0)
            print("\n".join(faults) or "cross-check: this build has no LIEF")
            return 1 if faults else 77
        expect("a sound wheel", (done.returncode, findings, done.stderr), (0, [], ""))

        # The dynamic table says that no version is needed, the section header that one is.
        done, findings = checked(forged(folder, "versions", {"verneednum": 0}))
        expect("version needs", [(f["rule"], f["severity"], f["where"], f["evidence"]) for f in findings],
               [("check/readers-disagree", "error", "demo/lib/liba.so",
                 {"fact": "needs_versions", "wheel-audit": '{"libc.so.6":["GLIBC_2.2.5"]}', "lief": "{}"})])
        expect("their exit", done.returncode, 1)

        # The dynamic table names another string table than the section header.
        done, findings = checked(forged(folder, "strings", {"strtab": 0}))
        expect("string tables", {f["evidence"]["fact"] for f in findings} >= {"needed", "soname"}, True)

        # stdin, stdout, stderr and the wheel: no descriptor is left for a child's answer.
        done, findings = checked(sound, "--jobs", "1", descriptors=4)
        notes = {(f["rule"], f["severity"], f["message"]) for f in findings}
        expect("not compared", notes, {("check/not-cross-checked", "note",
                                        "LIEF cannot read it: Too many open files")})
        expect("which fails nothing", done.returncode, 0)

        done = subprocess.run([TOOL, "check", "--cross-check", "--facts", "-"], input="{}", capture_output=True,
                              text=True)
        expect("with --facts", (done.returncode, done.stderr),
               (2, "wheel-audit: --cross-check reads wheels again, and --facts gives none; give one of them\n"))
    print("\n".join(faults) or "cross-check: all as promised")
    return 1 if faults else 0


sys.exit(main())
