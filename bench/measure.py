"""Runs commands and measures each alone: seconds, processor seconds, peak memory, exit code.

    python3 -I -S measure.py < request > answer

A request is JSON: {"commands": {name: [arguments]}, "rounds": n, "timeout": seconds}. The
commands take turns, so that what else the machine does meets all of them. The answer has a list
of runs for each name. A peak is the child's own, but it never reads lower than this small process
(about 8 MiB), because the kernel counts the moment between fork and exec.
"""
import json
import os
import signal
import sys
import time


def run(command, timeout):
    start = time.monotonic()
    process = os.fork()
    if process == 0:
        try:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in 0, 1, 2:
                os.dup2(nothing, descriptor)
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    late = []

    def stop(*_):
        late.append(True)
        os.killpg(process, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    _, status, usage = os.wait4(process, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"seconds": time.monotonic() - start, "cpu": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * 1024, "late": bool(late),
            "code": os.waitstatus_to_exitcode(status)}


def main():
    request = json.load(sys.stdin)
    runs = {name: [] for name in request["commands"]}
    for _ in range(request["rounds"]):
        for name, command in request["commands"].items():
            runs[name].append(run(command, request["timeout"]))
    json.dump(runs, sys.stdout)


if __name__ == "__main__":
    main()
