#!/usr/bin/env python3
"""Holds the hostile corpus (fixtures/_hostile) to its bounds: each recipe is forged, checked (as
text and as a page, beside another wheel and with a sibling), inspected and drawn as a tree, and must end with one of the exit codes it names, within its processor time and memory,
with a report that no name in it can turn into something else.

    hostile.py WHEEL_AUDIT SOURCE_TREE [--slow FACTOR] [NAME…]

The bounds hold for two threads and an unoptimised build; --slow multiplies those of time, for
sanitizers and machines under load. A line a recipe: what was used, of what was allowed.
"""
import argparse
import codecs
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CONTROLS = {chr(code) for code in range(32)} - {"\n", "\t"} | {"\x7f", "\u202e", "\u202d", "\u200f"}


# A wheel that depends on the hostile one.
SOUND = {"base": "native", "change": {"name": {"distribution": "other"}, "metadata": {"requires_dist": ["demo"]}}}


def looked_through(file):
    """The first mebibyte of an output, and the controls in all of it. Outputs are not kept whole: what
    this process takes would count as the peak of the next ones that it starts."""
    file.seek(0)
    head, strange = "", set()
    reader = codecs.getreader("utf-8")(file, "backslashreplace")
    while part := reader.read(1 << 20):
        head = head or part
        strange |= CONTROLS.intersection(part)
    return head, strange


class Used:
    """One run of the tool: exit code, output, processor seconds, peak memory in MiB."""

    def __init__(self, command, memory_mib, seconds):
        # Far above the bound that is tested: what runs away must not take the machine along.
        limits = f"ulimit -v {(4 << 20) + (memory_mib << 11)}; ulimit -t {int(seconds * 4) + 2}; "
        command = ["sh", "-c", limits + 'exec "$@"', "sh", *command]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.out, strange = looked_through(out)
            self.err, more = looked_through(err)
            self.strange = sorted(strange | more)
        self.exit = process.returncode
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024


def faults_of(name, what, used, bounds, slow, exits):
    if used.exit not in exits:
        yield f"{what}: exit {used.exit}, expected one of {exits}: {used.err.strip()[-300:]}"
    if used.seconds > bounds["cpu_seconds"] * slow:
        yield f"{what}: {used.seconds:.1f} s of processor time, at most {bounds['cpu_seconds'] * slow}"
    if used.memory > bounds["memory_mib"]:
        yield f"{what}: {used.memory:.0f} MiB, at most {bounds['memory_mib']}"
    if used.strange:
        yield f"{what}: prints {used.strange}"


def run(tool, recipe, slow):
    plan = json.loads(recipe.read_text())
    bounds, expected = plan.pop("bounds"), plan.pop("expect_run")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "recipe.json").write_text(json.dumps(plan))
        forged = subprocess.run([tool, "forge", "recipe.json", "-o", "."], cwd=folder, capture_output=True, text=True)
        wheels = list(pathlib.Path(folder).glob("*.whl"))
        (pathlib.Path(folder) / "sound").mkdir()
        (pathlib.Path(folder) / "sound.json").write_text(json.dumps(SOUND))
        subprocess.run([tool, "forge", "sound.json", "-o", "sound"], cwd=folder, capture_output=True, check=True)
        if forged.returncode or not wheels:
            return recipe.stem, [f"forge: {forged.stderr.strip()}"], ""
        every = ["--pack", "base,linux,cuda,pypi", "--jobs", "2", "--notes", "--fail-on", "note"]
        exits = expected["exit"] + ([1] if 0 in expected["exit"] else [])
        check = Used([tool, "check", wheels[0], *every], bounds["memory_mib"], bounds["cpu_seconds"] * slow)
        inspect = Used([tool, "inspect", wheels[0], "--jobs", "2"], bounds["memory_mib"] * 2,
                       bounds["cpu_seconds"] * slow)
        doubled = {**bounds, "memory_mib": bounds["memory_mib"] * 2}
        sibling = pathlib.Path(folder) / "sibling" / wheels[0].name.replace("-1.0-", "-1.0-1sibling-", 1)
        sibling.parent.mkdir()
        sibling.write_bytes(wheels[0].read_bytes())
        packs = ["--pack", "base,linux,cuda,env,set,executorch", "--jobs", "2"]
        sound = next((pathlib.Path(folder) / "sound").glob("*.whl"))
        together = {"cpu_seconds": bounds["cpu_seconds"] * 2, "memory_mib": bounds["memory_mib"] * 2}
        several = {
            "beside": Used([tool, "check", sound, "--with", wheels[0], *packs], together["memory_mib"],
                           together["cpu_seconds"] * slow),
            "set": Used([tool, "check", wheels[0], sibling, *packs], together["memory_mib"],
                        together["cpu_seconds"] * slow),
        }
        others = {
            "tree": Used([tool, "tree", wheels[0]], doubled["memory_mib"], bounds["cpu_seconds"] * slow),
            "html": Used([tool, "check", wheels[0], *every, "--format", "html"], doubled["memory_mib"],
                         bounds["cpu_seconds"] * slow),
        }
        size = wheels[0].stat().st_size
    faults = list(faults_of(recipe.stem, "check", check, bounds, slow, exits))
    faults += faults_of(recipe.stem, "inspect", inspect, doubled, slow, [0, 3])
    faults += faults_of(recipe.stem, "tree", others["tree"], doubled, slow, [0, 3])
    faults += faults_of(recipe.stem, "html", others["html"], doubled, slow, [check.exit])
    for what, used in several.items():
        faults += faults_of(recipe.stem, what, used, together, slow, [0, 1, 3])
    if "says" in expected and expected["says"] not in check.out:
        faults.append(f"check: does not say {expected['says']!r}")
    if check.exit == 3 and "unread" not in check.out:
        faults.append("check: exit 3, and nothing is said to be unread")
    return recipe.stem, faults, (f"{size / 2**20:7.1f} MiB  check exit {check.exit} {check.seconds:6.2f} s "
                                 f"{check.memory:5.0f} MiB   inspect {inspect.seconds:6.2f} s {inspect.memory:5.0f} MiB"
                                 + "".join(f"   {name} {used.seconds:6.2f} s {used.memory:5.0f} MiB"
                                           for name, used in (others | several).items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--slow", type=float, default=1)
    args = parser.parse_intermixed_args()
    recipes = [path for path in sorted((args.root / "fixtures/_hostile").glob("*.json"))
               if not args.names or path.stem in args.names]
    if not recipes:
        sys.exit("hostile: no recipe; has the folder moved?")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, faults, line in pool.map(lambda recipe: run(os.path.abspath(args.tool), recipe, args.slow), recipes):
            print(f"{name:22} {line}", flush=True)
            for fault in faults:
                failed += 1
                print(f"  FAULT {name}: {fault}", flush=True)
    print(f"hostile: {len(recipes)} recipes, {failed} faults")
    sys.exit(1 if failed else 0)


main()
