#!/usr/bin/env python3
"""Writes docs/wheel-audit.1 from the command line itself; with --check, tells whether it is current.

    python3 scripts/generate-manual.py build/dev/wheel-audit [--check]
"""
import pathlib
import shutil
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "wheel-audit.1"


def main():
    text = subprocess.run([sys.argv[1], "man"], check=True, capture_output=True, text=True).stdout
    if "--check" not in sys.argv:
        PAGE.write_text(text)
        return
    if shutil.which("groff"):
        told = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=text, capture_output=True, text=True,
                              check=False).stderr
        if told:
            sys.exit(f"groff complains of the page:\n{told}")
    if PAGE.read_text() != text:
        sys.exit("docs/wheel-audit.1 is stale: python3 scripts/generate-manual.py BINARY")
    print("docs/wheel-audit.1 is current")


main()
