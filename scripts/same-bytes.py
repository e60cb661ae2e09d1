#!/usr/bin/env python3
"""Reports are the same bytes whatever the number of threads: runs `check` and `inspect` with random
--jobs over the same wheels and compares.

    same-bytes.py WHEEL_AUDIT [--runs 200] [--seed N] [WHEEL…]

Without wheels: the bases of the fixtures, forged, with a broken one among them.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def forged(tool, folder):
    recipes = sorted((ROOT / "fixtures/_base").glob("*.json"))
    recipes += sorted((ROOT / "fixtures/linux").glob("*/reject-*.json"))[:12]
    for number, recipe in enumerate(recipes):
        place = pathlib.Path(folder) / f"{number:02}"
        place.mkdir()
        subprocess.run([tool, "forge", recipe, "-o", place], check=True, stderr=subprocess.PIPE)
    # Threads that find nothing else to do scan what another decodes of a large member.
    giant = json.loads((ROOT / "fixtures/_base/cuda12.json").read_text())
    noise = [{"noise": {"size": 6 << 20, "seed": seed}} for seed in (1, 2)]
    parts = {"a.o": noise[0], "b.o": {"fatbin": ["sass 9.0"]}, "c.o": noise[1], "d.o": {"fatbin": ["ptx 8.0"]}}
    giant["files"]["demo/libgiant.a"] = {"ar": {"members": parts}}
    recipe = pathlib.Path(folder) / "giant.json"
    recipe.write_text(json.dumps(giant))
    subprocess.run([tool, "forge", recipe, "-o", folder], check=True, stderr=subprocess.PIPE)
    (pathlib.Path(folder) / "broken.whl").write_bytes(b"PK\x05\x06")
    return sorted(pathlib.Path(folder).rglob("*.whl"))


def output(tool, words, jobs):
    done = subprocess.run([tool, *words, "--jobs", str(jobs)], capture_output=True)
    return done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("wheels", nargs="*")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    pick = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        wheels = [os.path.abspath(wheel) for wheel in args.wheels] or forged(tool, folder)
        packs = ["--pack", "base,linux,cuda,pypi,env,set,executorch,bitsandbytes"]
        commands = [["check", *wheels, *packs, "--format", name] for name in ("json", "text", "sarif", "junit")]
        # Of a single wheel the rules are asked side by side, here with the others as its environment.
        for wheel in pick.sample(wheels, min(4, len(wheels))):
            others = [word for other in wheels if other != wheel for word in ("--with", other)]
            commands += [["check", wheel, *packs, *others, "--format", "json"]]
        commands += [["inspect", "--jsonl", *wheels]]
        alone = [output(tool, words, 1) for words in commands]
        if any(not out for _, out, _ in alone):
            sys.exit("same-bytes: a command printed nothing")
        for number in range(args.runs):
            which, jobs = pick.randrange(len(commands)), pick.randint(2, 24)
            if output(tool, commands[which], jobs) != alone[which]:
                sys.exit(f"same-bytes: {' '.join(map(str, commands[which][:1] + commands[which][-2:]))} differs with "
                         f"--jobs {jobs} (run {number}, --seed {args.seed})")
    print(f"same-bytes: {args.runs} runs over {len(wheels)} wheels, all the same as with --jobs 1")


main()
