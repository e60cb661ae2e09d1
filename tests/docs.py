#!/usr/bin/env python3
"""The command lines that a document shows, run again: each must print what the document says.

    python3 tests/docs.py BINARY DOCUMENT…            runs them
    python3 tests/docs.py BINARY --update DOCUMENT…   writes what they printed into the documents

A block that begins with ```console holds commands after `$ ` and below each what it printed, to
either stream, then `[exit N]` where the code is not 0. They run in the root of the repository, with
wheel-audit on PATH. Numbers of rules asked grow with every rule and are not compared.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command, binary_folder):
    env = dict(os.environ, PATH=f"{binary_folder}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout + (f"[exit {done.returncode}]\n" if done.returncode else "")


def again(block, binary_folder):
    """The block with every command's output as it is now."""
    out = ""
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.M):
        out += f"$ {command}\n" + run(command, binary_folder)
    return out


def comparable(text):
    return re.sub(r"\d+ rules asked, \d+ not applicable", "N rules asked, N not applicable", text)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    failed = 0
    for name in (word for word in sys.argv[2:] if word != "--update"):
        path = ROOT / name
        text = path.read_text()
        new = re.sub(r"(?<=^```console\n).*?(?=^```$)", lambda block: again(block[0], binary.parent), text,
                     flags=re.M | re.S)
        commands = len(re.findall(r"^\$ ", "".join(re.findall(r"^```console\n.*?^```$", text, re.M | re.S)), re.M))
        if update:
            path.write_text(new)
        elif comparable(new) != comparable(text) or not commands:
            failed += 1
            print("\n".join(difflib.unified_diff(text.splitlines(), new.splitlines(), name, "now", lineterm="")))
        print(f"{name}: {commands} commands")
    sys.exit(1 if failed else 0)


main()
