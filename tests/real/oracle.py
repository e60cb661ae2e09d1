#!/usr/bin/env python3
"""Compares wheel-audit's facts about real wheels with other tools: readelf for every ELF member,
cuobjdump (where there is one) for GPU code in .nv_fatbin, devices.py for the devices. Also holds
`inspect X | check --facts -` against `check X`.

    oracle.py WHEEL_AUDIT [--wheels FOLDER] [--only PATTERN] [--cuobjdump PATH] [--write]

Prints one line per difference and a last line of counts; --write puts that line into docs/fatbin.md. Exit 0: no difference; 1: some; 77: no
wheel in the folder.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
import devices  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
TAG = re.compile(r"^ 0x[0-9a-f]+ \((\w+)\)\s+.*\[(.*)\]$")
SYMBOL = re.compile(r"^\s*(\d+): [0-9a-f]+\s+(?:0x)?[0-9a-f]+ (?:<[^>]*>: \w+|\S+)\s+(?:<[^>]*>: \w+|\S+)\s+"
                    r"\S+\s+(?:\[.*?\]\s+)?(UND|\S+)")
SECTION = re.compile(r"^\s+\[\s*\d+\] (\S+)")


class Readelf:
    """What readelf says of one file; a parser of its text, which shares nothing with the reader."""

    def __init__(self, path):
        self.needed, self.soname, self.rpath, self.runpath = [], None, [], []
        self.needs, self.defines = collections.defaultdict(set), []
        self.exports = self.imports = 0
        self.symtab = self.debug = False
        library, part = None, ""
        command = ["readelf", "-dVSW", "--dyn-syms", str(path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True, errors="surrogateescape", env={**os.environ, "LC_ALL": "C"})
        for line in process.stdout:
            line = line.rstrip("\n")
            if "section '" in line or line.startswith(("Dynamic section", "Symbol table", "Section Headers")):
                part = line
            elif part.startswith("Section Headers"):
                self.section(line)
            elif part.startswith("Dynamic section"):
                self.dynamic(line)
            elif part.startswith("Symbol table"):
                self.symbol(line)
            elif part.startswith("Version needs"):
                if match := re.search(r"File: (\S+)", line):
                    library = match[1]
                elif match := re.search(r"Name: (\S+)", line):
                    self.needs[library].add(match[1])
            elif part.startswith("Version definition"):
                match = re.search(r"Flags: (.*?)\s+Index: .*Name: (.+)$", line)
                if match and "BASE" not in match[1]:
                    self.defines.append(match[2])
        process.wait()

    def section(self, line):
        if match := SECTION.match(line):
            self.symtab |= match[1] == ".symtab"
            self.debug |= match[1].startswith(".debug_") or match[1].startswith(".zdebug_")

    def dynamic(self, line):
        match = TAG.match(line)
        if not match:
            return
        tag, value = match.groups()
        if tag == "NEEDED":
            self.needed.append(value)
        elif tag == "SONAME":
            self.soname = value
        elif tag in ("RPATH", "RUNPATH"):
            setattr(self, tag.lower(), value.split(":"))

    def symbol(self, line):
        match = SYMBOL.match(line)
        if match and match[1] != "0":
            if match[2] == "UND":
                self.imports += 1
            else:
                self.exports += 1

    def as_facts(self):
        return {"needed": self.needed, "soname": self.soname, "rpath": self.rpath,
                "runpath": self.runpath, "exports": self.exports, "imports": self.imports,
                "needs_versions": {key: sorted(value) for key, value in sorted(self.needs.items())},
                "defines_versions": sorted(self.defines), "symtab": self.symtab, "debug": self.debug}


def ours(elf):
    facts = {key: elf[key] for key in ("needed", "soname", "rpath", "runpath", "exports", "imports",
                                       "symtab", "debug")}
    facts["needs_versions"] = {key: sorted(value) for key, value in sorted(elf["needs_versions"].items())}
    facts["defines_versions"] = sorted(elf["defines_versions"])
    return facts


def listed(cuobjdump, path):
    """Counts of (form, arch without f) that cuobjdump lists; None where it gives up."""
    counts = collections.Counter()
    for option, form in (("--list-elf", "sass"), ("--list-ptx", "ptx")):
        result = subprocess.run([cuobjdump, option, str(path)], capture_output=True, text=True)
        if result.returncode != 0 and "does not contain" not in result.stderr + result.stdout:
            return None
        for arch in re.findall(r"\.sm_(\d+a?)f?\.(?:cubin|ptx)$", result.stdout, re.MULTILINE):
            counts[form, arch] += 1
    return counts


def scanned(gpu):
    counts = collections.Counter()
    for code in gpu["code"]:
        if code["form"] != "lto":
            counts[code["form"], code["arch"].replace(".", "").removesuffix("f")] += code["entries"]
    return counts


class Run:
    def __init__(self, tool, cuobjdump):
        self.tool, self.cuobjdump = tool, cuobjdump
        self.counts = collections.Counter()

    def differs(self, wheel, where, what, mine, theirs):
        self.counts["differences"] += 1
        print(f"DIFFERS {wheel}: {where}: {what}: {str(mine)[:300]} against {str(theirs)[:300]}", flush=True)

    def wheel(self, path):
        inspected = subprocess.run([self.tool, "inspect", path.name], cwd=path.parent,
                                   capture_output=True, text=True)
        if inspected.returncode != 0:
            self.differs(path.name, "-", "inspect's exit", inspected.returncode, 0)
            return
        self.counts["wheels"] += 1
        facts = json.loads(inspected.stdout)
        self.reports(path, facts, inspected.stdout)
        gpu = {entry["path"]: entry for entry in facts["gpu"]}
        with zipfile.ZipFile(path) as archive:
            known = {elf["path"] for elf in facts["elf"]}
            for name in archive.namelist():
                with archive.open(name) as member:
                    if member.read(4) == b"\x7fELF" and name not in known:
                        self.differs(path.name, name, "ELF", "not listed", "its magic")
            for elf in facts["elf"]:
                self.elf(path.name, archive, elf, gpu.get(elf["path"]))

    def elf(self, wheel, archive, elf, gpu):
        with tempfile.NamedTemporaryFile() as file:
            with archive.open(elf["path"]) as member:
                shutil.copyfileobj(member, file, 1 << 20)
            file.flush()
            if elf["type"] in ("dyn", "exec"):
                theirs, mine = Readelf(file.name).as_facts(), ours(elf)
                for key, value in mine.items():
                    self.counts["facts"] += 1
                    if value != theirs[key]:
                        self.differs(wheel, elf["path"], key, value, theirs[key])
                self.counts["ELF files"] += 1
            # cuobjdump does not look outside .nv_fatbin, nor at bare cubins.
            if self.cuobjdump and gpu and set(gpu["places"]) == {".nv_fatbin"} and not gpu["bare_cubins"]:
                theirs = listed(self.cuobjdump, file.name)
                if theirs is None:
                    self.counts["given up by cuobjdump"] += 1
                    return
                self.counts["GPU libraries"] += 1
                if theirs != scanned(gpu):
                    self.differs(wheel, elf["path"], "GPU code", dict(scanned(gpu)), dict(theirs))

    def reports(self, path, facts, text):
        """check on the facts says what check on the wheel says; the devices are those of the rules."""
        direct = subprocess.run([self.tool, "check", "--format", "json", path.name], cwd=path.parent,
                                capture_output=True, text=True)
        later = subprocess.run([self.tool, "check", "--format", "json", "--facts", "-"], input=text,
                               cwd=path.parent, capture_output=True, text=True)
        reports = []
        for result in (direct, later):
            report = json.loads(result.stdout) if result.stdout else {"wheels": [{}]}
            report["wheels"][0].pop("file", None)
            reports.append(report)
        self.counts["facts reports"] += 1
        if reports[0] != reports[1] or direct.returncode != later.returncode:
            self.differs(path.name, "-", "check --facts", later.stderr or reports[1], reports[0])
        for device, said in (reports[0]["wheels"][0].get("gpu") or {}).get("devices", {}).items():
            theirs = devices.wheel_coverage(facts["gpu"], device)
            self.counts["devices"] += 1
            if said != theirs:
                self.differs(path.name, "-", f"device {device}", said, theirs)


def write(counts, cuobjdump):
    """The line of counts, dated, between its marks in docs/fatbin.md."""
    tools = [subprocess.run(["readelf", "--version"], capture_output=True, text=True).stdout.split("\n")[0]]
    if cuobjdump:
        said = subprocess.run([cuobjdump, "--version"], capture_output=True, text=True).stdout
        tools.append("cuobjdump " + re.search(r"release ([0-9.]+)", said)[1])
    path = HERE.parent.parent / "docs/fatbin.md"
    begin, end = "<!-- oracle -->\n", "<!-- end of oracle -->"
    before, _, rest = path.read_text().partition(begin)
    line = f"{datetime.date.today()}, {', '.join(tools)}: {counts}.\n"
    path.write_text(before + begin + line + rest[rest.index(end):])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--wheels", type=pathlib.Path, default=HERE / "cache")
    parser.add_argument("--only", default="")
    parser.add_argument("--cuobjdump", default=shutil.which("cuobjdump"))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    wheels = sorted((path for path in args.wheels.glob("*.whl") if args.only in path.name),
                    key=lambda path: (path.stat().st_size, path.name))
    if not wheels:
        print("real wheels: not fetched; run tests/real/fetch.py small")
        return SKIPPED
    run = Run(os.path.abspath(args.tool), args.cuobjdump)
    for wheel in wheels:
        run.wheel(wheel)
    if not args.cuobjdump:
        print("cuobjdump: not found, GPU code not compared")
    counts = ", ".join(f"{run.counts[key]} {key}" for key in
                       ("wheels", "ELF files", "facts", "GPU libraries", "given up by cuobjdump",
                        "devices", "facts reports", "differences"))
    print(counts)
    if args.write:
        write(counts, args.cuobjdump)
    return 1 if run.counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
