#!/usr/bin/env python3
"""Ratios of `check --no-hash` to the floor (decode and checksum every member, keep nothing).

    bench/run.py BUILD_DIRECTORY WHEEL...       BUILD_DIRECTORY holds wheel-audit and bench-floor

Everything is measured in one run on the same files, alternating, and the table has ratios of
medians and peak memory: absolute times say nothing on another machine.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROUNDS = 5


def run(command):
    """Seconds, and peak resident memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    build, wheels = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not wheels:
        sys.exit(__doc__)
    jobs = str(len(os.sched_getaffinity(0)))
    print("| wheel | MiB | check --no-hash / floor | check / floor | peak MiB |")
    print("|---|---|---|---|---|")
    for wheel in wheels:
        commands = {
            "floor": [str(build / "bench-floor"), jobs, wheel],
            "no-hash": [str(build / "wheel-audit"), "check", "--no-hash", "--jobs", jobs, wheel],
            "check": [str(build / "wheel-audit"), "check", "--jobs", jobs, wheel],
        }
        seconds, peak = {name: [] for name in commands}, 0
        for _ in range(ROUNDS):
            for name, command in commands.items():
                took, memory = run(command)
                seconds[name].append(took)
                peak = max(peak, memory) if name != "floor" else peak
        median = {name: statistics.median(values) for name, values in seconds.items()}
        size = pathlib.Path(wheel).stat().st_size / 2**20
        print(f"| {pathlib.Path(wheel).name} | {size:.0f} | {median['no-hash'] / median['floor']:.2f} "
              f"| {median['check'] / median['floor']:.2f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
