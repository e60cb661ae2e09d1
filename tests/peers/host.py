"""Runs one installed tool many times: the tool is imported once, and each call is a fork of it.

    python host.py TOOL TIMEOUT_SECONDS < calls > answers

Started by the Python of the environment that has the tool. A call is a JSON line, the list of
arguments; an answer is a JSON line with the exit code (null when the time was up), the standard
output, the standard error and the seconds. Each call has a temporary directory of its own.
"""
import importlib.metadata
import json
import os
import resource
import signal
import sys
import tempfile
import time

MEMORY = 8 << 30  # bytes of address space
OUTPUT = 1 << 18  # characters kept of each stream


def child(entry, arguments, folder):
    """Becomes the tool; never returns."""
    code = 1
    try:
        for name, descriptor in ("out", 1), ("err", 2):
            target = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT)
            os.dup2(target, descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.setpgid(0, 0)
        os.environ["TMPDIR"] = folder
        tempfile.tempdir = None
        os.chdir(folder)
        sys.argv = arguments
        code = entry() or 0
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 0 if leave.code is None else 1
        if isinstance(leave.code, str):
            print(leave.code, file=sys.stderr)
    except BaseException:  # what the interpreter does with it: a traceback and exit code 1
        import traceback
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code if isinstance(code, int) else 1)


def wait(process, seconds):
    """The exit code, or None after the time is up."""
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _, status = os.waitpid(process, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    code = os.waitstatus_to_exitcode(status)
    return None if code == -signal.SIGKILL else code


def main():
    tool, seconds = sys.argv[1], float(sys.argv[2])
    (script,) = importlib.metadata.entry_points(group="console_scripts", name=tool)
    entry = script.load()
    for line in sys.stdin:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            start = time.monotonic()
            process = os.fork()
            if process == 0:
                child(entry, [tool, *json.loads(line)], folder)
            code = wait(process, seconds)
            answer = {"code": code, "seconds": round(time.monotonic() - start, 3)}
            for name in "out", "err":
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    with open(path, errors="replace") as stream:
                        answer[name] = stream.read(OUTPUT)
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
