#!/usr/bin/env python3
"""Faults while running: whatever breaks under the audit, it ends with one sentence and the right
exit code, and never with a pass.

    run.py WHEEL_AUDIT PRELOAD     PRELOAD is the library of preload.cpp
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

TOOL, PRELOAD = map(os.path.abspath, sys.argv[1:3])
INCOMPLETE = 3
NOBODY = 65534
faults, held = [], 0


def expect(what, holds, found):
    global held
    held += 1
    if not holds:
        faults.append(f"{what}: {found}")


class Run:
    def __init__(self, *words, limits=(), env=None, user=None, stdout=subprocess.PIPE, shell=None, stdin=subprocess.DEVNULL):
        def prepare():
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
        command = ["sh", "-c", shell, "sh", TOOL, *words] if shell else [TOOL, *words]
        done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, stdin=stdin, preexec_fn=prepare,
                              env={**os.environ, **(env or {})}, timeout=300)
        self.exit, self.err = done.returncode, done.stderr.decode("utf-8", "backslashreplace")
        self.out = (done.stdout or b"").decode("utf-8", "backslashreplace")

    def __str__(self):
        return f"exit {self.exit}, stdout {self.out[-300:]!r}, stderr {self.err[-300:]!r}"

    def is_one_sentence(self):
        return self.err.count("\n") == 1 and self.err.startswith("wheel-audit: ")

    def is_unread(self, why):
        return self.exit == INCOMPLETE and why in self.out + self.err and self.err.count("\n") <= 1


def forge(folder, base, **change):
    recipe = folder / "recipe.json"
    recipe.write_text(json.dumps({"base": base, "change": change}))
    subprocess.run([TOOL, "forge", recipe, "-o", folder], check=True, stderr=subprocess.PIPE)
    recipe.unlink()
    return next(folder.glob("*.whl"))


def while_reading(folder):
    big = {"demo/lib/libbig.so": {"elf": {"soname": "libbig.so", "pad_bytes": 3 << 20}},
           "demo/noise.bin": {"noise": {"size": 400000, "seed": 1}}}
    whole = forge(folder, "native", files=big)
    sound = Run("check", whole, "--jobs", "1")
    expect("the sound wheel", sound.exit == 0, sound)
    kept = whole.read_bytes()
    for what, why in (("EIO", "Input/output error"), ("eof", ""), ("truncate", ""), ("zero", ""), ("replace", "")):
        missed, at = 0, 0
        while missed < 1 and at < 300:
            at += 1
            whole.write_bytes(kept)
            other = pathlib.Path(f"{whole}.other")
            other.write_bytes(b"no wheel")
            # Without the sandbox: what breaks the file under the audit is loaded into it.
            run = Run("check", whole, "--jobs", "1", "--no-sandbox",
                      env={"LD_PRELOAD": PRELOAD, "FAULT_FILE": ".whl", "FAULT_AT": str(at), "FAULT_DO": what})
            if what == "replace":  # the descriptor still has the file that it opened
                expect(f"replaced at read {at}", (run.exit, run.out) == (0, sound.out), run)
                missed += other.exists()
            elif run.exit == 0:
                # Past the last read; or what was overwritten had been read already.
                expect(f"{what} at read {at} changes nothing", run.out == sound.out, run)
                missed += what in ("EIO", "eof") or (whole.read_bytes() == kept)
            else:
                expect(f"{what} at read {at}", run.is_unread(why), run)
            other.unlink(missing_ok=True)
        expect(f"{what}: reads that were made to fail", at > 5, at)
    whole.write_bytes(kept)
    facts = folder / "facts.json"
    facts.write_text(Run("inspect", whole).out)
    run = Run("check", "--facts", facts,
              env={"LD_PRELOAD": PRELOAD, "FAULT_FILE": "facts.json", "FAULT_AT": "2", "FAULT_DO": "EIO"})
    expect("facts that cannot be read to their end", run.exit == 2 and "Input/output error" in run.err, run)
    return whole


def while_writing(folder, wheel):
    commands = {"version": ["--version"], "help": ["check", "--help"], "check": ["check", wheel],
                "inspect": ["inspect", wheel], "gpu": ["gpu", wheel], "tree": ["tree", wheel],
                "explain": ["explain", "linux/runpath-empty"], "rules": ["rules"], "schema": ["schema", "facts"]}
    for name, words in commands.items():
        with open("/dev/full", "w") as full:
            run = Run(*words, stdout=full)
        expect(f"{name} >/dev/full", run.exit == INCOMPLETE and run.is_one_sentence() and "No space" in run.err, run)
        run = Run(*words, shell='exec "$@" >&-')
        expect(f"{name} with stdout closed", run.exit == INCOMPLETE and run.is_one_sentence(), run)
        run = Run(*words, shell='exec "$@" <&- >&- 2>&-')
        expect(f"{name} with everything closed", run.exit == INCOMPLETE, run)
    before = wheel.read_bytes()
    report = folder / "report.json"
    run = Run("check", wheel, "--format", "json", "-o", report, shell='exec "$@" <&- >&- 2>&-')
    expect("-o with everything closed", run.exit == 0 and json.loads(report.read_text())["summary"]["exit"] == 0, run)
    report.unlink()
    for name, words in (("-o", ["-o", report]), ("--format", ["--format", f"json={report}"])):
        run = Run("check", wheel, *words, limits=[(resource.RLIMIT_FSIZE, 10)])
        expect(f"{name} past a limit on files", run.exit == INCOMPLETE and run.is_one_sentence() and "File too large" in run.err, run)
    run = Run("check", wheel, "-o", "/dev/full")
    expect("-o /dev/full", run.exit == INCOMPLETE and run.is_one_sentence() and "No space" in run.err, run)
    run = Run("check", wheel, "-o", folder / "nowhere/report.txt")
    expect("-o into a folder that is not there", run.exit == 2 and run.is_one_sentence(), run)
    expect("nothing is left behind", {p.name for p in folder.iterdir()} == {"facts.json", wheel.name},
           sorted(p.name for p in folder.iterdir()))
    expect("the wheel is as it was", wheel.read_bytes() == before, "other bytes")


def under_limits(wheel):
    sound = Run("check", wheel, "--jobs", "2")
    seen = set()
    for mib in (2000, 1000, 500, 300, 200, 160, 130, 110, *range(100, 15, -2)):
        run = Run("check", wheel, "--jobs", "2", limits=[(resource.RLIMIT_AS, mib << 20)])
        # Below some size the loader or a library of others ends before main is reached.
        started = "terminate called" not in run.err and "error while loading shared libraries" not in run.err and run.exit != 127 and run.exit != -11
        if not started:
            break
        seen.add(run.exit)
        expect(f"{mib} MiB of address space", (run.exit, run.out) == (0, sound.out) or
               (run.exit == INCOMPLETE and (run.is_one_sentence() or "unread" in run.out)), run)
    sound = Run("check", wheel, wheel, wheel, "--jobs", "2")
    for number in range(3, 12):
        run = Run("check", wheel, wheel, wheel, "--jobs", "2", limits=[(resource.RLIMIT_NOFILE, number)])
        if "error while loading shared libraries" in run.err:
            continue
        seen.add(run.exit)
        expect(f"{number} descriptors", (run.exit, run.out) == (0, sound.out) or run.is_unread("Too many open files"), run)
    expect("limits were reached, and were not", seen == {0, INCOMPLETE}, seen)


def without_permission(folder, wheel):
    global TOOL
    user = NOBODY if os.getuid() == 0 else None
    tool = shutil.copy(TOOL, folder / "wheel-audit")
    for path in (folder, *folder.parents):
        if path.is_relative_to(tempfile.gettempdir()):
            path.chmod(0o755)
    closed = folder / "closed"
    closed.mkdir()
    inside = shutil.copy(wheel, closed)
    secret = pathlib.Path(shutil.copy(wheel, folder / "secret.whl"))
    secret.chmod(0)
    closed.chmod(0)

    kept, TOOL = TOOL, str(tool)
    try:
        for name, path in (("a directory", closed), ("a wheel in a directory", inside), ("a wheel", secret)):
            run = Run("check", path, user=user)
            expect(f"{name} without permission", run.is_unread("Permission denied"), run)
            run = Run("check", wheel, path, user=user)
            expect(f"{name} without permission beside a sound wheel", run.is_unread("Permission denied"), run)
        run = Run("check", wheel, "-o", folder / "report.txt", user=NOBODY) if user else None
        expect("a report into a folder without permission", run is None or
               (run.exit == INCOMPLETE and run.is_one_sentence() and "Permission denied" in run.err), run)
    finally:
        TOOL = kept
        closed.chmod(0o755)


def strange_names(folder, wheel):
    odd = os.fsencode(folder) + b"/d\xff\x1b[2Jd"
    os.mkdir(odd)
    path = odd + b"/" + os.fsencode(wheel.name)
    shutil.copy(wheel, path)
    for name in ("text", "json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown"):
        run = Run("check", path, "--format", name)
        expect(f"a path that is not UTF-8 in {name}", run.exit == 0 and "\x1b" not in run.out, run)
        if name in ("json", "sarif", "gitlab"):
            json.loads(run.out)
    run = Run("check", odd)
    expect("a directory that is not UTF-8", run.exit == 0, run)
    run = Run("check", odd + b"/no.whl")
    expect("a path that is not there and not UTF-8", run.exit == 2 and run.is_one_sentence() and "\x1b" not in run.err, run)
    run = Run("check", wheel, "-o", odd + b"/report.txt")
    expect("a report to a path that is not UTF-8", run.exit == 0 and os.path.exists(odd + b"/report.txt"), run)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "work"
        folder.mkdir()
        wheel = while_reading(folder)
        while_writing(folder, wheel)
        under_limits(wheel)
        without_permission(folder, wheel)
        strange_names(folder, wheel)
    print("\n".join(faults))
    print(f"faults: {held} expectations, {len(faults)} not held")
    return 1 if faults else 0


sys.exit(main())
