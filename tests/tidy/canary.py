#!/usr/bin/env python3
"""Holds that clang-tidy refuses canary.cpp for the reasons marked there.

A .clang-tidy that clang-tidy cannot read leaves it without checks and with exit code 0: then all
sources are "clean". The exact lines and checks are compared, so a lost group is seen too.
"""
import pathlib
import re
import subprocess
import sys

CANARY = pathlib.Path(__file__).with_name("canary.cpp")
TIDY = sys.argv[1] if len(sys.argv) > 1 else "clang-tidy"


def main():
    expected = {(number + 1, check) for number, line in enumerate(CANARY.read_text().splitlines(), 1)
                for check in line.partition("// refused: ")[2].split()}
    run = subprocess.run([TIDY, "--quiet", CANARY, "--", "-std=c++20"], capture_output=True, text=True)
    found = {(int(line), check) for line, check in
             re.findall(r"canary\.cpp:(\d+):\d+: error: .*\[([\w.-]+),-warnings-as-errors\]$", run.stdout, re.M)}
    faults = [f"line {line}: {check} is not refused" for line, check in sorted(expected - found)]
    faults += [f"line {line}: {check} is refused, not expected" for line, check in sorted(found - expected)]
    if run.returncode == 0:
        faults.append("clang-tidy accepts the canary: exit code 0")
    if not expected:
        faults.append("canary.cpp marks no fault")
    print("\n".join(faults) or f"canary: refused for {len(found)} reasons")
    sys.exit(1 if faults else 0)


main()
