#!/usr/bin/env python3
"""What other tools report on our rejects and on published wheels: the tables of docs/peers.md.

    compare.py BINARY [--real DIRECTORY [PATTERN...]] [--battery DIRECTORY] [--write]

Needs the package index once, for the pinned tools (tools.py). Answers are kept in --work and not
asked again, so a run can be broken off and gone on with, or made larger.

When does a tool notice a fault? When it makes a kind of complaint about the broken wheel that it
does not make about the sound wheel that was broken. Of how many near misses of the same rule it
complains stands beside, because a complaint about those too does not tell the fault.
"""
import argparse
import csv
import datetime
import fnmatch
import hashlib
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys

import tools
from tables import battery_table, real_table, write

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Answers:
    """What the tools said, by tool and wheel: a file of JSON lines that only grows."""

    def __init__(self, path, python, timeout):
        self.path, self.python, self.timeout = path, python, timeout
        self.known = {}
        if path.exists():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                if entry["code"] is not None or entry["seconds"] >= timeout:  # a longer time: again
                    self.known[entry["tool"], entry["wheel"]] = entry

    def ask(self, tool, wheels):
        """The complaints and seconds of a tool on each wheel, by its key."""
        label = f"{tool} {tools.PINS[tool]}"
        missing = [wheel for wheel in wheels if (label, wheel.key) not in self.known]
        if missing:
            self.run(tool, label, missing)
        said = {}
        for wheel in wheels:
            answer = self.known[label, wheel.key]
            said[wheel.key] = {"seconds": answer["seconds"],
                               "complaints": tools.READERS[tool](answer, wheel.path)}
        return said

    def run(self, tool, label, wheels):
        environment = os.environ | {"COLUMNS": "4000", "NO_COLOR": "1", "TERM": "dumb"}
        host = subprocess.Popen([self.python, HERE / "host.py", tool, str(self.timeout)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                env=environment)
        with host, open(self.path, "a") as store:
            for number, wheel in enumerate(wheels):
                if sys.stderr.isatty():
                    print(f"\r{tool} {number + 1}/{len(wheels)} ", end="", file=sys.stderr)
                host.stdin.write(json.dumps([*tools.CALLS[tool], str(wheel.path)]) + "\n")
                host.stdin.flush()
                answer = json.loads(host.stdout.readline())
                entry = {"tool": label, "wheel": wheel.key, **answer}
                store.write(json.dumps(entry) + "\n")
                store.flush()
                self.known[label, wheel.key] = entry
            host.stdin.close()


class Wheel:
    """A file, the rule that it breaks (or none), and the wheel that it was made from."""

    def __init__(self, path, rule=None, base=None, sound=False, content=True):
        self.path, self.rule, self.base, self.sound = path, rule, base, sound
        stamp = hashlib.sha256(path.read_bytes()).hexdigest()[:16] if content else path.stat().st_size
        self.key = f"{path.name} {stamp}"


def forge(binary, recipe, folder):
    """The wheel of a recipe, in a folder of its own: a recipe may choose the file's name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([binary, "forge", recipe, "-o", f"{folder}/"], check=True,
                   stderr=subprocess.DEVNULL)
    (wheel,) = folder.iterdir()
    return wheel


def fixtures(binary, work):
    """Every reject and near miss of the repository, with the sound wheel that it was made from."""
    bases = {path.stem: Wheel(forge(binary, path, work / "base" / path.stem))
             for path in sorted((ROOT / "fixtures" / "_base").glob("*.json"))}
    wheels = []
    for recipe in sorted((ROOT / "fixtures").glob("[!_]*/*/*.json")):
        pack, rule = recipe.parent.parent.name, recipe.parent.name
        if pack == "set":  # about several wheels, where tools are asked of one
            continue
        wheels.append(Wheel(forge(binary, recipe, work / pack / rule / recipe.stem),
                            f"{pack}/{rule}", bases[json.loads(recipe.read_text())["base"]],
                            recipe.name.startswith("accept-")))
    return list(bases.values()), wheels


def battery(folder, work):
    """The wheels of a folder with a cases.tsv: columns id, wheel, exit, must (rule ids)."""
    with open(folder / "cases.tsv", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    wheels = []
    for row in rows:
        path = folder / row["wheel"]
        if path.suffix == ".xz":
            target = work / row["id"] / path.stem
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(lzma.decompress(path.read_bytes()))
            path = target
        sound = row["exit"] == "0" and not row["must"]
        wheels.append(Wheel(path, row["must"].split(",")[0] or row["id"].split(".")[0], None, sound))
    return [], wheels


def ours(binary, wheels):
    """The severity of each rule that we report, by wheel."""
    found = {}
    for wheel in wheels:
        done = subprocess.run([binary, "check", "--format", "json", "--pack", "base,linux,cuda,pypi",
                               wheel.path], capture_output=True, text=True)
        report = json.loads(done.stdout)
        found[wheel.key] = {finding["rule"]: finding["severity"]
                            for entry in report["wheels"] for finding in entry["findings"]}
    return found


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("binary", type=pathlib.Path)
    parse.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "peers")
    parse.add_argument("--battery", type=pathlib.Path, help="a folder with cases.tsv, not fixtures/")
    parse.add_argument("--real", type=pathlib.Path, help="a folder of published wheels")
    parse.add_argument("--match", nargs="*", default=["*"], help="which of them, by name")
    parse.add_argument("--largest", type=float, default=100, metavar="MIB",
                       help="the slow tools are not asked about larger wheels (default 100)")
    parse.add_argument("--timeout", type=float, default=60, help="seconds for each tool and wheel")
    parse.add_argument("--write", action="store_true", help="write the tables to docs/peers.md")
    options = parse.parse_args()
    options.work = options.work.resolve()  # the tools run in directories of their own
    options.work.mkdir(parents=True, exist_ok=True)
    python = tools.install(options.work / "venv")
    answers = Answers(options.work / "answers.jsonl", python, options.timeout)

    if options.battery:
        bases, wheels = battery(options.battery.resolve(), options.work / "battery")
    else:
        bases, wheels = fixtures(options.binary, options.work / "fixtures")
    said = {tool: answers.ask(tool, bases + wheels) for tool in tools.PINS}
    parts = {"battery": battery_table(wheels, said)}
    if options.real:
        real = [Wheel(path, content=False) for path in sorted(options.real.resolve().glob("*.whl"))
                if any(fnmatch.fnmatch(path.name, pattern) for pattern in options.match)]
        small = [w for w in real if w.path.stat().st_size <= options.largest * 2**20]
        said = {tool: answers.ask(tool, small) for tool in tools.PINS}
        parts["real"] = real_table(real, small, said, ours(options.binary, real), options.largest)
    head = (f"Taken on {datetime.date.today()} with wheel-audit "
            f"{subprocess.check_output([options.binary, '--version'], text=True).split()[-1]}, "
            + ", ".join(f"{name} {version}" for name, version in tools.PINS.items())
            + f"; at most {options.timeout:.0f} s for each tool and wheel.")
    write(ROOT / "docs" / "peers.md" if options.write else None, head, parts)


if __name__ == "__main__":
    main()
