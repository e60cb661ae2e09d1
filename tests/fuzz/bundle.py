#!/usr/bin/env python3
"""Puts together what fuzzing needs, for any machine of this kind: the executable, the shared
libraries that it was linked with, seeds made of the fixtures, the dictionaries, and fuzz.sh.

    bundle.py FUZZ WHEEL_AUDIT FOLDER
"""
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LARGEST = 64 << 10  # bytes of a seed, as of every input
MOST = 400  # seeds of a target
TEXTS = {"METADATA": 0, "WHEEL": 0, "RECORD": 1, "entry_points.txt": 2, "variant.json": 4}
# The names that tests/fuzz/wheel.cpp gives to the parts of a wheel.
PARTS = [r".*\.dist-info/METADATA", r".*\.dist-info/WHEEL", r".*\.dist-info/RECORD", r".*entry_points.txt",
         r".*cpython.*\.so|.*_C\.so|.*abi3\.so", r".*/lib/.*", r".*\.libs/.*", r".*\.h", r".*\.cmake", r".*\.py",
         r".*\.data/.*", r".*\.fatbin"]


class Seeds:
    def __init__(self, folder):
        self.folder, self.counts = folder, {}

    def add(self, target, data):
        if not data or len(data) > LARGEST or self.counts.get(target, 0) >= MOST:
            return
        folder = self.folder / target
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / hashlib.sha256(data).hexdigest()[:16]
        if not file.exists():
            file.write_bytes(data)
            self.counts[target] = self.counts.get(target, 0) + 1


def as_parts(members):
    """A wheel's members in the form that the wheel target puts into an archive itself."""
    data = b""
    for name, content in members:
        for index, pattern in enumerate(PARTS):
            if re.fullmatch(pattern, name):
                data += bytes([index]) + len(content).to_bytes(3, "little") + content
                break
    return data


def add_wheel(seeds, tool, file):
    data = file.read_bytes()
    seeds.add("archive", data)
    seeds.add("wheel", data)
    inspected = subprocess.run([tool, "inspect", file], capture_output=True)
    if inspected.returncode == 0:
        seeds.add("facts", json.dumps(json.loads(inspected.stdout)).encode())
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # many fixtures are broken archives
        return
    seeds.add("wheel", as_parts(members))
    for name, content in members:
        last = name.rsplit("/", 1)[-1]
        if content.startswith(b"\x7fELF"):
            seeds.add("elf", content)
        if b"\x50\xed\x55\xba" in content or b"fatbin" in content:
            at = content.find(b"\x50\xed\x55\xba")
            seeds.add("gpu", b"\x00" + content[max(at, 0) & ~7:])
        if last in TEXTS:
            seeds.add("metadata", bytes([TEXTS[last]]) + content)
        elif last.endswith((".h", ".cmake")):
            seeds.add("metadata", b"\x03" + content)
    seeds.add("metadata", b"\x05" + file.name.encode())


def make_seeds(tool, folder):
    seeds = Seeds(folder)
    with tempfile.TemporaryDirectory() as scratch:
        # Fixtures of each rule in turn, so that the first hundreds have something of all.
        rules = sorted(path for path in (ROOT / "fixtures").glob("*/*") if path.is_dir())
        fixtures = sorted((index, str(fixture)) for rule in rules
                          for index, fixture in enumerate(sorted(rule.glob("*.json"))))
        recipes = sorted((ROOT / "fixtures/_base").glob("*.json")) + [fixture for _, fixture in fixtures]
        for number, recipe in enumerate(recipes):
            target = pathlib.Path(scratch) / str(number)
            target.mkdir()
            subprocess.run([tool, "forge", recipe, "-o", target], capture_output=True)
            for wheel in target.iterdir():
                add_wheel(seeds, tool, wheel)
    for rule in sorted((ROOT / "rules").glob("*/*.json")):
        seeds.add("rule", rule.read_bytes())
    for policy in sorted((ROOT / "rules").glob("*/tables/release*.json")):
        seeds.add("config", b"P" + policy.read_bytes())
    for data in sorted((ROOT / "tests/data/gpu").iterdir()):
        seeds.add("gpu", b"\x00" + data.read_bytes())
    for text in sorted((ROOT / "tests/fuzz/seeds").glob("*/*")):
        seeds.add(text.parent.name, text.read_bytes())
    return seeds


def add_libraries(executable, folder):
    """Every shared library, the C library and its loader too: another machine's may be older."""
    folder.mkdir()
    lines = subprocess.run(["ldd", executable], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        if match := re.search(r"(/\S+) \(0x", line):
            shutil.copy(pathlib.Path(match[1]).resolve(), folder / pathlib.Path(match[1]).name)


def main():
    fuzz, tool, folder = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Names of functions stay, so that a fault's stack can be read; the rest is bulk.
    subprocess.run(["objcopy", "--strip-debug", fuzz, folder / "fuzz"], check=True)
    shutil.copy(ROOT / "scripts/fuzz.sh", folder)
    shutil.copytree(ROOT / "tests/fuzz/dict", folder / "dict")
    add_libraries(fuzz, folder / "lib")
    seeds = make_seeds(tool.resolve(), folder / "corpus")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: {size >> 20} MiB; seeds: "
          + ", ".join(f"{count} {target}" for target, count in sorted(seeds.counts.items())))


main()
