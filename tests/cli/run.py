#!/usr/bin/env python3
"""Command-line tests: the real binary, its exact standard output, standard error and exit code.

    python3 tests/cli/run.py BINARY [NAME…]            runs the cases, or those named
    python3 tests/cli/run.py BINARY --update [NAME…]   writes what it did into the cases

A case is one file, NAME.case: a shell script, then `--- exit N`, `--- stdout` and `--- stderr` with
what is expected. It runs in an empty folder of its own with `wheel-audit` on PATH, `fixtures/` of
the source tree, `data/` of the tests, and `wheels/BASE/` with one forged wheel for each recipe of fixtures/_base. The
numbers of rules asked and not applicable grow with every rule, so they are compared as N; the path
of the case's folder is left out.
"""
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent.parent / "fixtures"
DATA = HERE.parent / "data"


def parse(text):
    script, _, rest = text.partition("\n--- exit ")
    code, _, rest = rest.partition("\n--- stdout\n")
    out, found, err = rest.partition("--- stderr\n")
    return script + "\n", (int(code or -1), out, err if found else "")


def render(script, result):
    return f"{script.rstrip()}\n--- exit {result[0]}\n--- stdout\n{result[1]}--- stderr\n{result[2]}"


def plain(text, folder):
    text = text.replace(f"{folder}/", "")
    return re.sub(r"\d+ rules asked, \d+ not applicable", "N rules asked, N not applicable", text)


def run(script, common):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("wheels", "fixtures", "data"):
            os.symlink((common / name).resolve(), pathlib.Path(folder) / name)
        env = {"PATH": f"{common / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
        done = subprocess.run(["sh", "-c", script], cwd=folder, env=env, timeout=300,
                              stdin=subprocess.DEVNULL, capture_output=True)
    text = [plain(part.decode("utf-8", "backslashreplace"), folder) for part in (done.stdout, done.stderr)]
    # A text that ends without a line end would run into the next heading.
    text = [part if not part or part.endswith("\n") else part + "\\\n" for part in text]
    return done.returncode, *text


def prepare(binary, common):
    (common / "bin").mkdir()
    os.symlink(binary, common / "bin" / "wheel-audit")
    os.symlink(FIXTURES, common / "fixtures")
    os.symlink(DATA, common / "data")
    for recipe in sorted((FIXTURES / "_base").glob("*.json")):
        folder = common / "wheels" / recipe.stem
        folder.mkdir(parents=True)
        subprocess.run([binary, "forge", recipe, "-o", folder], check=True, stderr=subprocess.PIPE)


def difference(expected, result):
    lines = []
    if expected[0] != result[0]:
        lines.append(f"exit {result[0]}, expected {expected[0]}")
    for name, want, have in zip(("stdout", "stderr"), expected[1:], result[1:]):
        lines += difflib.unified_diff(want.splitlines(), have.splitlines(), f"expected {name}", name,
                                      lineterm="", n=1)
    return lines


def main():
    update = "--update" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--update"]
    binary = pathlib.Path(words[0]).resolve()
    paths = sorted(path for path in HERE.glob("*.case") if not words[1:] or path.stem in words[1:])
    if not paths:
        sys.exit("no case found")
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        common = pathlib.Path(folder)
        prepare(binary, common)
        cases = [parse(path.read_text()) for path in paths]
        results = list(pool.map(lambda case: run(case[0], common), cases))
    for path, (script, expected), result in zip(paths, cases, results):
        if update:
            path.write_text(render(script, result))
        elif lines := difference(expected, result):
            failed += 1
            print(f"FAIL {path.name}\n  " + "\n  ".join(lines))
    print(f"cli: {len(paths)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
