#!/usr/bin/env python3
"""Writes docs/field-report.md: what wheel-audit says about the cached real wheels, with the
command of another tool that shows the same fact for every kind of error.

    report.py WHEEL_AUDIT [--wheels FOLDER] [-o FILE]
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SHOWN = 3
EXCERPT = 6
PATHS = "readelf -dW {file} | grep -E 'RPATH|RUNPATH'"
NEEDS = "readelf -dW {file} | grep NEEDED | grep -F '{soname}'"
DECLARED = "unzip -p {wheel} '*.dist-info/METADATA' | grep -a ^Requires-Dist | grep -v 'extra ==' | head -5"
SYMBOL = "readelf --dyn-syms -W {file} | grep -F ' {symbol}@'"
# What shows the same fact without wheel-audit; {file} is the member, taken out of the wheel.
EVIDENCE = {
    "base/tag-mismatch": ["unzip -p {wheel} '*.dist-info/WHEEL' | grep -a ^Tag"],
    "base/any-native": ["unzip -Z1 {wheel} '{where}'", "unzip -p {wheel} '*.dist-info/WHEEL' | grep -a ^Tag"],
    "base/archive-ambiguous": ["tail -c +{offset1} {wheel} | head -c 30 | od -A d -t x1",
                               "zipinfo -v {wheel} '{where}' | grep -i 'size\\|extra' | head -4"],
    "linux/symbol-too-new": [SYMBOL],
    "linux/private-symbol": [SYMBOL],
    "linux/runpath-absolute": [PATHS],
    "linux/runpath-build-tree": [PATHS],
    "linux/runpath-empty": [PATHS],
    "linux/missing-library": [NEEDS, "unzip -Z1 {wheel} | grep -F '{soname}'"],
    "linux/undeclared-library": [NEEDS, DECLARED],
    "cuda/undeclared-package": [NEEDS, DECLARED],
    "linux/unreachable-library": [NEEDS, PATHS, "unzip -Z1 {wheel} | grep -F '/{soname}'"],
    "linux/soname-mismatch": ["readelf -dW {file} | grep SONAME"],
}


def run(command, cwd, text=None):
    return subprocess.run(command, cwd=cwd, input=text, capture_output=True, text=True,
                          errors="replace", shell=isinstance(command, str))


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def shown_devices(answers):
    """{'8.0': 'sass', …} as 'SASS 8.0 9.0; PTX 10.0; none 7.5'."""
    groups = collections.defaultdict(list)
    for device, answer in answers.items():
        groups[answer].append(device)
    words = {"sass": "SASS", "ptx": "PTX"}
    return "; ".join(f"{words.get(key, key)} {' '.join(groups[key])}"
                     for key in ("sass", "ptx", "part", "none") if groups[key])


class Wheel:
    """One wheel's report and facts."""

    def __init__(self, tool, path):
        self.path, self.name, self.size = path, path.name, path.stat().st_size
        report = run([tool, "check", "--format", "json", path.name], path.parent).stdout
        self.report = json.loads(report)["wheels"][0]
        self.triage = json.loads(run([tool, "gpu", "--json", path.name], path.parent).stdout)[0]
        self.devices = (self.report.get("gpu") or {}).get("devices", {})
        self.short = "-".join(self.name.split("-")[:2])
        self.short += "".join(f" ({word})" for word in ("aarch64", "musllinux") if word in self.name)

    def findings(self, severity):
        return [item for item in self.report["findings"] if item["severity"] == severity]

    def has_device_code(self):
        return any(code["form"] != "lto" for library in self.triage["libraries"] for code in library["code"])


def evidence(wheel, finding):
    """Runs the commands that show the finding; answers lines of a shell transcript."""
    values = {key: str(value) for key, value in finding["evidence"].items()}
    values["where"] = finding["where"] or ""
    values["wheel"] = shlex.quote(wheel.name)
    values["file"] = values["where"].rsplit("/", 1)[-1]
    values["symbol"] = values.get("symbol", "").split(",")[0]
    values["offset1"] = str(int(values.get("offset", "0") or 0) + 1)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(wheel.path, pathlib.Path(folder) / wheel.name)
        commands = EVIDENCE.get(finding["rule"], [])
        if any("{file}" in command for command in commands):
            with zipfile.ZipFile(wheel.path) as archive, archive.open(values["where"]) as member:
                with open(pathlib.Path(folder) / values["file"], "wb") as file:
                    shutil.copyfileobj(member, file, 1 << 20)
        for command in commands:
            command = command.format_map(collections.defaultdict(str, values))
            output = run(command, folder).stdout.rstrip("\n").split("\n")
            lines.append("$ " + command)
            lines += [line[:160].strip() or "(nothing)" for line in output[:EXCERPT]]
    return lines


def wheel_table(wheels):
    yield "| wheel | MB | verdict | errors | warnings | notes | devices |"
    yield "|---|--:|---|--:|--:|--:|---|"
    for wheel in wheels:
        counts = [len(wheel.findings(word)) or "" for word in ("error", "warning", "note")]
        covered = shown_devices(wheel.devices) if wheel.has_device_code() else ""
        yield (f"| {cell(wheel.name.removesuffix('.whl'))} | {wheel.size / 1e6:.1f} | {wheel.report['verdict']} | "
               f"{counts[0]} | {counts[1]} | {counts[2]} | {covered} |")


def error_text(wheels):
    for wheel in wheels:
        groups = collections.defaultdict(list)
        for finding in wheel.findings("error"):
            groups[finding["rule"]].append(finding)
        if not groups:
            continue
        yield f"### {wheel.short}\n"
        for rule, findings in sorted(groups.items()):
            yield f"**{rule}**" + (f", {len(findings)} times" if len(findings) > 1 else "") + "\n"
            for finding in findings[:SHOWN]:
                where = f"`{finding['where']}` " if finding["where"] else ""
                yield f"- {where}{finding['message']}"
            if len(findings) > SHOWN:
                yield f"- … and {len(findings) - SHOWN} more"
            if lines := evidence(wheel, findings[0]):
                yield "\n```console\n" + "\n".join(lines) + "\n```"
            yield ""


def count_table(wheels, severity):
    counts = collections.defaultdict(collections.Counter)
    for wheel in wheels:
        for finding in wheel.findings(severity):
            counts[finding["rule"]][wheel.short] += 1
    yield "| rule | findings | wheels |"
    yield "|---|--:|---|"
    for rule, of_wheels in sorted(counts.items(), key=lambda item: -sum(item[1].values())):
        names = ", ".join(f"{name} {count}" for name, count in of_wheels.most_common(8))
        more = f", {len(of_wheels) - 8} more" if len(of_wheels) > 8 else ""
        yield f"| {rule} | {sum(of_wheels.values())} | {cell(names)}{more} |"


def gpu_cell(device):
    """`S`, `P` or `·`, and how many containers of the library have nothing for the device."""
    mark = {"sass": "S", "ptx": "P"}.get(device["coverage"], "·")
    lacking = device["containers_without"]
    return f"{mark} −{lacking}" if lacking and mark != "·" else mark


def library_names(paths):
    """File names, with their folder where two files of the wheel are named alike."""
    names = collections.Counter(path.rsplit("/", 1)[-1] for path in paths)
    return ", ".join(f"`{path if names[path.rsplit('/', 1)[-1]] > 1 else path.rsplit('/', 1)[-1]}`"
                     for path in paths)


def gpu_text(wheels):
    """A table for each wheel: its libraries, those of equal rows together, by device."""
    for wheel in wheels:
        libraries = [library for library in wheel.triage["libraries"]
                     if any(code["form"] != "lto" for code in library["code"])]
        if not libraries:
            continue
        driver = wheel.triage["driver"]
        taken = [f"{form.upper()} CUDA {driver[form]}" for form in ("sass", "ptx") if driver[form]]
        family = f" ({driver['family']})" if driver["family"] else ""
        yield f"### {wheel.short}\n"
        if taken:
            yield f"Oldest driver that takes all of it: of CUDA {driver['cuda']}{family} by {', '.join(taken)}.\n"
        yield "| library | " + " | ".join(wheel.triage["devices"]) + " |"
        yield "|---|" + ":-:|" * len(wheel.triage["devices"])
        rows = collections.defaultdict(list)
        for library in libraries:
            rows[tuple(map(gpu_cell, library["devices"].values()))].append(library["path"])
        for cells, paths in rows.items():
            yield f"| {library_names(paths)} | " + " | ".join(cells) + " |"
        if len(rows) > 1:
            marks = {"sass": "S", "ptx": "P", "part": "part", "none": "·"}
            yield "| the wheel | " + " | ".join(marks[word] for word in wheel.triage["devices"].values()) + " |"
        yield ""


def document(wheels, version):
    totals = {word: sum(len(wheel.findings(word)) for wheel in wheels) for word in ("error", "warning", "note")}
    verdicts = collections.Counter(wheel.report["verdict"] for wheel in wheels)
    today = datetime.date.today().isoformat()
    readelf = run(["readelf", "--version"], ".").stdout.split("\n")[0]
    yield f"""# What the published wheels look like to wheel-audit

Made by `tests/real/report.py` on {today} with {version}, default packs, one wheel at a time (a
wheel's dependencies are not given); evidence by {readelf}. The wheels are those of
`tests/real/wheels.tsv`, pinned by SHA-256.

{len(wheels)} wheels, {sum(wheel.size for wheel in wheels) / 1e9:.1f} GB: {verdicts["clean"]} clean, \
{verdicts["findings"]} with errors, {verdicts["incomplete"]} incomplete; {totals["error"]} errors, \
{totals["warning"]} warnings, {totals["note"]} notes.

"Devices" are compute capabilities: SASS is code made for the device, PTX is compiled by the driver
when it loads, part means that some libraries of the wheel have code for it and some have not.
"""
    yield from wheel_table(wheels)
    yield "\n## Errors, and what another tool shows\n"
    yield from error_text(wheels)
    yield "## Warnings\n"
    yield from count_table(wheels, "warning")
    yield "\n## Notes\n"
    yield from count_table(wheels, "note")
    yield """
## Which devices each library runs on

By `gpu --json`: compute capabilities across, libraries with equal rows together. S: SASS made for
the device. P: PTX, which the driver compiles. ·: nothing that the device can load. −N: the library
has code for the device, and N of its containers (one for each translation unit) have not. "part":
some libraries of the wheel have code for the device and some have not. LTO-IR alone does not count.
"""
    yield from gpu_text(wheels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--wheels", type=pathlib.Path, default=HERE / "cache")
    parser.add_argument("-o", type=pathlib.Path, default=HERE.parent.parent / "docs" / "field-report.md")
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    paths = sorted(args.wheels.resolve().glob("*.whl"), key=lambda path: path.name.lower())
    if not paths:
        print("real wheels: not fetched; run tests/real/fetch.py small")
        return 77
    version = run([tool, "--version"], ".").stdout.strip()
    version = version if re.search("[a-z]", version) else f"wheel-audit {version}"
    text = "\n".join(document([Wheel(tool, path) for path in paths], version))
    args.o.write_text(re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
