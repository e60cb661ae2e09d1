#!/usr/bin/env python3
"""Completion as shells do it: a Tab at a real prompt of bash, and zsh's and fish's own readers.

    python3 tests/completion.py BINARY

zsh and fish are asked where they are installed; what was not asked is said.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

BINARY = pathlib.Path(sys.argv[1]).resolve()
ENV = {"PATH": f"{BINARY.parent}:{os.environ['PATH']}", "TERM": "dumb", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}


def script(shell):
    return subprocess.run([BINARY, "completion", shell], check=True, capture_output=True, text=True).stdout


def at_prompt(command, setup, typed, until):
    """What a shell shows after something was typed at its prompt."""
    parent, terminal = pty.openpty()
    child = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=ENV, start_new_session=True)
    os.close(terminal)
    shown = ""

    def read_until(pattern):
        nonlocal shown
        end = time.monotonic() + 30
        while not re.search(pattern, re.sub(r".\x08", "", shown)) and time.monotonic() < end:
            if select.select([parent], [], [], 0.2)[0]:
                shown += os.read(parent, 65536).decode(errors="replace")

    os.write(parent, (setup + "\n").encode())
    read_until(r"\nready")
    os.write(parent, typed.encode())
    read_until(until)
    child.kill()
    child.wait()
    os.close(parent)
    # A space that a completion took back is erased by a backspace.
    return re.sub(r".\x08", "", shown.partition("\nready")[2])


def main():
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for shell in ("bash", "zsh", "fish"):
            path = pathlib.Path(folder) / f"completion.{shell}"
            path.write_text(script(shell))
            if not shutil.which(shell):
                print(f"{shell}: not installed, not asked")
                continue
            if subprocess.run([shell, "-n", path], check=False).returncode:
                failed.append(f"{shell}: its script does not parse")
        shown = at_prompt(["bash", "--norc", "--noprofile"], f"source {folder}/completion.bash; PS1=; echo re''ady",
                          "wheel-audit ch\t--form\tsar\t", r"check --format sarif ")
        if "check --format sarif " not in shown:
            failed.append(f"bash at a prompt showed {shown!r}")
        if shutil.which("fish"):
            for line, expected in {"wheel-audit ch": "check\t", "wheel-audit check --fo": "--format\t",
                                   "wheel-audit check --format sar": "sarif", "wheel-audit explain cuda/missing-h":
                                   "cuda/missing-hop", "wheel-audit matrix arc": "archs\t"}.items():
                told = subprocess.run(["fish", "--no-config", "-c", f"source {folder}/completion.fish; complete -C '{line}'"],
                                      capture_output=True, text=True, check=False, env={**ENV, "HOME": folder}).stdout
                if not told.startswith(expected):
                    failed.append(f"fish: {line!r} gave {told!r}")
        if shutil.which("zsh"):
            setup = f"autoload -U compinit; compinit -u -D; source {folder}/completion.zsh; PS1=; echo re''ady"
            shown = at_prompt(["zsh", "-f", "-i"], setup, "wheel-audit ch\t--form\tsar\t", r"check --format sarif")
            if "check --format sarif" not in shown:
                failed.append(f"zsh at a prompt showed {shown!r}")
    print("\n".join(failed) or "completion: as expected")
    sys.exit(1 if failed else 0)


main()
