#!/usr/bin/env python3
"""What a person at a terminal sees and does: Ctrl-C, and the line that says how far reading is.

    python3 tests/terminal.py BINARY

Signals: exit code 130 promptly, no file half-written and none left over, whenever they come.
Progress: on a terminal, after a second, cleared before the report; nowhere else.
"""
import fcntl
import os
import pathlib
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zipfile

BINARY = pathlib.Path(sys.argv[1]).resolve()
# In a job of a script, SIGINT may be ignored, and then the tool has to leave it so.
ENV = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8"}
DEFAULT = {"env": ENV, "stdin": subprocess.DEVNULL,
           "preexec_fn": lambda: [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGTERM)]}
failures = []


def expect(good, what):
    if not good:
        failures.append(what)
        print("FAIL", what)


def make_wheel(path, members, size):
    noise = random.Random(1)
    with zipfile.ZipFile(path, "w") as wheel:
        for i in range(members):
            wheel.writestr(f"demo/{i}.bin", noise.randbytes(size))


def interrupt(folder, big, command, number):
    """The signal in the midst of reading: the paths name so much that it takes far longer."""
    output = folder / "report"
    output.write_text("before")
    written = [] if command[0] == "gpu" else ["-o", output]
    child = subprocess.Popen([BINARY, *command, *written, *[big] * 300],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, **DEFAULT)
    time.sleep(0.4)
    expect(child.poll() is None, f"{command[0]}: ended before the signal came")
    begun = time.monotonic()
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    took = time.monotonic() - begun
    name = f"{' '.join(command)} with {number.name}"
    expect(child.returncode == 130, f"{name}: exit {child.returncode}, expected 130")
    expect(took < 5, f"{name}: took {took:.1f} s to end")
    expect(out == b"", f"{name}: printed {out[:80]!r}")
    expect(err == b"wheel-audit: interrupted\n", f"{name}: said {err!r}")
    expect(output.read_text() == "before", f"{name}: the file of before was changed")
    expect(sorted(folder.iterdir()) == [output], f"{name}: left {os.listdir(folder)}")
    output.unlink()


def sweep(folder, many):
    """The signal at any time of a run, that of writing included."""
    command = [BINARY, "inspect", "--jsonl", "-o", folder / "facts", *[many] * 5]
    begun = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - begun
    expected = (folder / "facts").read_bytes()
    seen = set()
    for step in range(16):
        (folder / "facts").unlink(missing_ok=True)
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **DEFAULT)
        time.sleep(whole * (step + 1) / 16)
        child.send_signal(signal.SIGINT if step % 2 else signal.SIGTERM)
        code = child.wait(timeout=30)
        seen.add(code)
        names = os.listdir(folder)
        # Before the first instruction of ours the signal does what it does to any process.
        expect(code in (0, 3, 130) or (code < 0 and not names), f"sweep {step}: exit {code}")
        expect(names in ([], ["facts"]), f"sweep {step}: left {names}")
        if names:
            expect((folder / "facts").read_bytes() == expected, f"sweep {step}: the file is not whole")
        else:
            expect(code != 0, f"sweep {step}: exit 0 without a file")
    expect(130 in seen, f"sweep: no run was interrupted, exits {seen}")


def ignored(big):
    """What the caller ignores stays ignored: nohup's promise."""
    child = subprocess.Popen([BINARY, "inspect", big], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env=ENV, stdin=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    code = child.wait(timeout=60)
    expect(code in (0, 3), f"an ignored SIGINT: exit {code}")


def on_terminal(arguments, columns=80, signals=(), **variables):
    """Standard output, what the terminal of standard error got, and the exit code. `signals` are
    (pattern or seconds, signal): sent when that was shown, or after so long."""
    parent, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    waiting = list(signals)
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([BINARY, *arguments], stdout=out, stderr=terminal,
                                 **{**DEFAULT, "env": {**ENV, **variables}})
        os.close(terminal)
        begun = time.monotonic()
        shown = b""
        while True:
            ready, _, _ = select.select([parent], [], [], 0.1)
            try:
                chunk = os.read(parent, 65536) if ready else None
            except OSError:  # the terminal's last user left
                chunk = b""
            if chunk == b"":
                break
            shown += chunk or b""
            when = waiting[0][0] if waiting else None
            if when is not None and (when in shown if isinstance(when, bytes) else time.monotonic() - begun > when):
                child.send_signal(waiting.pop(0)[1])
        os.close(parent)
        code = child.wait(timeout=60)
        out.seek(0)
        return out.read().decode(), shown.decode().replace("\r\n", "\n"), code


def progress(big, small):
    work = ["inspect", "--jsonl", "--jobs", "1", *[big] * 80]  # 5 GB: seconds on any machine
    said = "wheel-audit: interrupted\n"

    for wheels in (8, 16, 32, 64, 128):  # until it takes more than a second, however fast the machine
        out, shown, code = on_terminal([*work[:4], *[big] * wheels])
        lines = shown.split("\r")
        if len(lines) > 3:
            break
    line = re.compile(r"read [\d.]+ [kMGT]?B of [\d.]+ [MG]B, [\d.]+ [kMGT]?B/s, \d+ of \d+ wheels: demo-1.0-py3-none-any.whl\x1b\[K$")
    expect(len(lines) > 3 and lines[0] == "", f"no progress on a terminal: {shown[:200]!r}")
    for text in lines[1:-1]:
        expect(line.match(text), f"a line of progress: {text!r}")
        expect(len(text) - len("\x1b[K") < 80, f"a line of progress wraps: {text!r}")
    expect(lines[-1] == "\x1b[K", f"the line was not cleared: {lines[-1]!r}")
    expect(len(out.splitlines()) == wheels, "progress changed the report")
    expect(len({text.split(" of ")[0] for text in lines[1:-1]}) > 1, f"the bytes done never grew: {lines}")

    _, shown, code = on_terminal(work, columns=30, signals=[(b"\r", signal.SIGINT)])
    expect(code == 130, f"Ctrl-C at a line of progress: exit {code}")
    expect(shown.endswith("\r\x1b[K" + said), f"Ctrl-C left {shown!r}")
    expect(all(len(text.replace("\x1b[K", "")) < 30 for text in shown.removesuffix(said).split("\r")),
           f"30 columns: {shown!r}")
    for name, variables in {"CI": {"CI": "true"}, "a dumb terminal": {"TERM": "dumb"}}.items():
        _, shown, _ = on_terminal(work, signals=[(1.6, signal.SIGTERM)], **variables)
        expect(shown == said, f"{name} got progress: {shown!r}")
    _, shown, _ = on_terminal(["inspect", small])
    expect(shown == "", f"short work got progress: {shown!r}")
    child = subprocess.Popen([BINARY, *work], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **DEFAULT)
    time.sleep(1.6)
    child.terminate()
    expect(child.communicate()[1] == said.encode(), "no terminal, yet progress")


def main():
    with tempfile.TemporaryDirectory() as name:
        wheels = pathlib.Path(name) / "wheels"
        folder = pathlib.Path(name) / "out"
        wheels.mkdir()
        folder.mkdir()
        big = wheels / "demo-1.0-py3-none-any.whl"
        many = wheels / "many-1.0-py3-none-any.whl"
        small = wheels / "small-1.0-py3-none-any.whl"
        make_wheel(big, 4, 16 << 20)
        make_wheel(many, 500, 10)
        make_wheel(small, 1, 10)
        for command in (["check"], ["inspect", "--jsonl"], ["gpu"]):
            for number in (signal.SIGINT, signal.SIGTERM):
                interrupt(folder, big, command, number)
        sweep(folder, many)
        ignored(big)
        progress(big, small)
    print("terminal:", f"{len(failures)} failed" if failures else "all as expected")
    sys.exit(1 if failures else 0)


main()
