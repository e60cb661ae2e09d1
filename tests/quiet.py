#!/usr/bin/env python3
"""What the tool does to the machine, as strace sees it: it opens nothing for writing but what -o
and --format name, runs no program, opens no socket, removes and renames nothing else.

    quiet.py WHEEL_AUDIT        exit 77 where strace is missing or may not trace
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
CALLS = ("open,openat,openat2,creat,execve,execveat,socket,connect,bind,sendto,rename,renameat,renameat2,unlink,unlinkat,"
         "mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,"
         "mknod,mknodat,mount,ptrace,kill,utimensat,setxattr,prctl,seccomp")
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
HARMLESS = ("/dev/null",)


def whole_lines(text):
    """The calls, those in one piece again that strace tells in two because another thread's came between."""
    begun, lines = {}, []
    for line in text.splitlines():
        thread, call = line.split(maxsplit=1)
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>")
        elif call.startswith("<... "):
            lines.append(begun.pop(thread, "") + call.split("resumed>", 1)[1])
        else:
            lines.append(call)
    return [*lines, *begun.values()]


def calls_of(folder, words):
    log = folder / "strace.log"
    done = subprocess.run(["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={CALLS}", "-o", log, TOOL, *words],
                          cwd=folder, capture_output=True, text=True)
    lines = whole_lines(log.read_text()) if log.exists() else []
    log.unlink(missing_ok=True)
    return done, [line for line in lines if re.match(r"\w+\(", line)]


def surprises(calls, allowed):
    started = False
    for call in calls:
        name = call.split("(", 1)[0]
        paths = re.findall(r'"([^"]*)"', call)
        if name in ("prctl", "seccomp"):
            continue  # a thread that confines itself
        if name == "execve" and not started:
            started = True  # the tool itself
        elif name in ("open", "openat"):
            if WRITES.search(call) and not any(path.startswith((*allowed, *HARMLESS)) for path in paths):
                yield call
        elif name == "fchmod" and allowed:
            continue  # a report keeps the mode of the file that it replaces
        elif not (paths and all(path.startswith(allowed) for path in paths if path)):
            yield call


def main():
    if not shutil.which("strace"):
        print("quiet: no strace here, nothing was looked at")
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([TOOL, "forge", pathlib.Path(__file__).parent.parent / "fixtures/_base/cuda13.json", "-o", "."],
                       cwd=folder, check=True, capture_output=True)
        wheel = next(folder.glob("*.whl")).name
        runs = [(["check", wheel], ()), (["check", wheel, "--jobs", "4", "--format", "sarif", "-o", "out.sarif"], ("out.sarif",)),
                (["check", wheel, "--format", "text", "--format", "json=out.json"], ("out.json",)),
                (["check", wheel, "--with", wheel], ()), (["check", wheel, "--cross-check"], ()),
                (["inspect", wheel], ()), (["gpu", wheel], ()), (["tree", wheel], ()), (["selftest"], ()),
                (["explain", "linux/runpath-empty"], ()), (["rules"], ()), (["schema", "facts"], ())]
        before = sorted(path.name for path in folder.iterdir())
        for words, allowed in runs:
            done, calls = calls_of(folder, words)
            if not any(call.startswith("execve(") for call in calls):
                print(f"quiet: strace may not trace here: {done.stderr.strip()[-200:]}")
                return 77
            faults += [f"{' '.join(words)}: {call}" for call in surprises(calls, allowed)]
            if done.returncode not in (0, 1):
                faults.append(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
        after = sorted(path.name for path in folder.iterdir())
        if after != sorted([*before, "out.sarif", "out.json"]):
            faults.append(f"files: {after}, expected {before} and the two reports")
        # Every thread that reads or judges gives up what it does not need, unless told not to.
        for words, least in ((["--jobs", "3"], 3), (["--jobs", "1"], 1), (["--no-sandbox"], 0)):
            _, calls = calls_of(folder, ["check", wheel, *words])
            filters = [call for call in calls if "SECCOMP_MODE_FILTER" in call and call.endswith("= 0")]
            if (len(filters) < least) if least else filters:
                faults.append(f"{' '.join(words)}: {len(filters)} threads confined themselves, expected {least or 'none'}")
        # A test that cannot fail is a defect: what must not happen is seen when it happens.
        _, calls = calls_of(folder, ["check", wheel, "-o", "seen.txt"])
        if not list(surprises(calls, ())):
            faults.append("a written report is not seen: is the pattern stale?")
    print("\n".join(faults) or f"quiet: {len(runs)} commands touch nothing but their reports")
    return 1 if faults else 0


sys.exit(main())
