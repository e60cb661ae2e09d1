#!/usr/bin/env python3
"""The tables of docs/performance.md: check beside the floor and beside what people use today.

    bench/run.py BUILD_DIRECTORY [--quick] [--parts wheels,start] [--no-chain] [--write]

BUILD_DIRECTORY holds wheel-audit, as users get it, and bench-floor (`sh scripts/build-static.sh;
cmake --build --preset static -t bench-floor`). All numbers of a table are from one run on the same
files, warm in the page cache, the commands taking turns; what is compared are ratios of medians.
Parts: wheels (published ones, from --cache), synthetic, small (many wheels in one call), corpus (all
of the cache in one call), start (a wheel of 100 KB beside `unzip -l`), linear (cost by bytes,
members, symbols), stages (where the time goes, by --stats).
--quick takes about a minute: small sizes, few rounds, no chain.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import elf_tables
import report
import synthetic

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "tests" / "peers"))
import tools  # noqa: E402  (the pinned versions of the chain)

CUOBJDUMP = {"nvidia-cuda-cuobjdump": "13.5.37"}
PUBLISHED = ["executorch-*manylinux*x86_64*", "numpy-*manylinux*x86_64*", "bitsandbytes-*manylinux*",
             "torch-*x86_64*", "nvidia_cublas_cu12-*", "nvidia_cudnn_cu12-*", "vllm-*", "triton-*"]
PARTS = ["wheels", "synthetic", "small", "corpus", "start", "linear", "stages"]
ROWS = {"wheels", "synthetic", "small", "corpus"}  # beside what people use
MIB = 2**20


def measure(commands, rounds, timeout):
    """Runs of each command: {name: [{seconds, cpu, peak, late, code}]}; see measure.py."""
    request = {"commands": {name: [str(word) for word in command] for name, command in commands.items()},
               "rounds": rounds, "timeout": timeout}
    done = subprocess.run([sys.executable, "-I", "-S", HERE / "measure.py"], input=json.dumps(request),
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def middle(runs):
    """One run that stands for several: median time, highest peak."""
    return {"seconds": statistics.median(run["seconds"] for run in runs),
            "cpu": statistics.median(run["cpu"] for run in runs),
            "peak": max(run["peak"] for run in runs),
            "late": any(run["late"] for run in runs), "codes": sorted({run["code"] for run in runs})}


def chain(environment, wheels):
    """What people run today: those tools that take many wheels are started once."""
    place = environment / "bin"
    commands = {
        "auditwheel": ["sh", "-c", f'for w; do "{place}/auditwheel" show "$w"; done', "sh", *wheels],
        "abi3audit": [place / "abi3audit", *wheels],
        "check-wheel-contents": [place / "check-wheel-contents", "--no-config", *wheels],
        "pydistcheck": [place / "pydistcheck", *wheels],
        "twine": [place / "twine", "check", *wheels],
    }
    found = list(environment.glob("lib/python3*/site-packages/nvidia/*/bin/cuobjdump"))
    if found:
        commands["cuobjdump"] = ["sh", HERE / "cuobjdump.sh", found[0], *wheels]
    return commands


class Bench:
    def __init__(self, options):
        self.options = options
        self.audit = options.build / "wheel-audit"
        self.floor = options.build / "bench-floor"
        self.jobs = str(len(os.sched_getaffinity(0)))
        self.made = options.work / "wheels"
        self.made.mkdir(parents=True, exist_ok=True)
        self.environment = options.work / "venv"
        if set(options.parts.split(",")) & ROWS and (options.auditwheel or options.chain):
            tools.install(self.environment, CUOBJDUMP)

    def row(self, name, wheels):
        """Everything measured on some wheels in one call each."""
        wheels = [path.resolve() for path in wheels]
        for path in wheels:
            with open(path, "rb") as stream:
                while stream.read(MIB):
                    pass
        commands = {
            "floor": [self.floor, self.jobs, *wheels],
            "floor-sha256": [self.floor, "--sha256", self.jobs, *wheels],
            "no-hash": [self.audit, "check", "--no-hash", "--jobs", self.jobs, *wheels],
            "check": [self.audit, "check", "--jobs", self.jobs, *wheels],
            "unzip-t": ["sh", "-c", 'for w; do unzip -tqq "$w"; done', "sh", *wheels],
        }
        rounds = self.options.rounds
        runs = measure(commands, rounds, self.options.timeout)
        once = {"zlib": [sys.executable, "-I", "-S", HERE / "inflate.py", *wheels]}
        if self.options.chain:
            once |= chain(self.environment, wheels)
        elif self.options.auditwheel:
            once["auditwheel"] = chain(self.environment, wheels)["auditwheel"]
        runs |= measure(once, 1, self.options.timeout)
        result = {"name": name, "wheels": len(wheels), "bytes": sum(p.stat().st_size for p in wheels),
                  "tables": sum(map(elf_tables.of_wheel, wheels)),
                  "runs": {key: middle(values) for key, values in runs.items()}}
        self.doubt(result)
        return result

    @staticmethod
    def doubt(result):
        """A number of a command that did not do its work is worse than none: says so."""
        allowed = {"floor": [0], "floor-sha256": [0], "no-hash": [0, 1, 3], "check": [0, 1], "zlib": [0]}
        not_run = {126, 127}  # by a shell: no such command
        for name, run in result["runs"].items():
            codes = set(run["codes"])
            wrong = codes & not_run or (name in allowed and not codes <= set(allowed[name]))
            if wrong and not run["late"]:
                print(f"bench: {result['name']}: {name} ended with {run['codes']}", file=sys.stderr)

    def rows(self, pairs):
        done = []
        for name, wheels in pairs:
            print(f"bench: {name}", file=sys.stderr, flush=True)
            done.append(self.row(name, wheels))
        return done

    def published(self):
        """Names and files of the published wheels that are asked."""
        patterns = self.options.wheel or (PUBLISHED[:2] if self.options.quick else PUBLISHED)
        pairs = []
        for pattern in patterns:
            found = sorted(path for path in self.options.cache.glob("*.whl")
                           if fnmatch.fnmatch(path.name, pattern))
            if found:
                name = "-".join(found[-1].name.split("-")[:2])
                pairs.append((name, [found[-1]]))
            else:
                print(f"bench: no {pattern} in {self.options.cache}", file=sys.stderr)
        return pairs

    def wheels(self):
        return self.rows(self.published())

    def stages(self):
        """What `check --no-hash --stats` says of its own time, beside the floor: medians."""
        result = []
        for name, [wheel] in self.published():
            command = [self.audit, "check", "--no-hash", "--stats", "--jobs", self.jobs, wheel]
            said, floor = [], []
            for _ in range(self.options.rounds):
                said.append(subprocess.run(command, capture_output=True, text=True,
                                           timeout=self.options.timeout).stderr)
                floor += measure({"floor": [self.floor, self.jobs, wheel]}, 1, self.options.timeout)["floor"]
            numbers = {stage: rf"{stage} ([0-9.]+) ms" for stage in report.STAGES}
            numbers |= {"inflated": r"inflated (\d+)", "again": r"\((\d+) of them again"}
            entry = {name: statistics.median(float(re.search(pattern, text)[1]) for text in said)
                     for name, pattern in numbers.items()}
            result.append({"name": name, "floor": middle(floor)["seconds"], **entry})
        return result

    def synthetic(self):
        count, names = (40, 20_000) if self.options.quick else (400, 200_000)
        return self.rows([
            (f"{count} extensions", [synthetic.extensions(self.made, count)]),
            (f"{names:,} symbols", [synthetic.symbols(self.made, names)]),
        ])

    def small(self):
        count = 20 if self.options.quick else 500
        return self.rows([(f"{count} small wheels", synthetic.small(self.made, count))])

    def corpus(self):
        """The wheels of the cache, the largest left out when they are more than the limit."""
        taken, total = [], 0
        for path in sorted(self.options.cache.glob("*.whl"), key=lambda path: path.stat().st_size):
            total += path.stat().st_size
            if total > self.options.corpus * 2**30:
                break
            taken.append(path)
        return self.rows([(f"corpus of {len(taken)}", sorted(taken))]) if taken else []

    def start(self):
        wheel = synthetic.hundred_kilobytes(self.made)
        runs = measure({"check": [self.audit, "check", wheel], "unzip-l": ["unzip", "-l", wheel]},
                       10 if self.options.quick else 50, self.options.timeout)
        return {"bytes": wheel.stat().st_size, "runs": {k: middle(v) for k, v in runs.items()}}

    def linear(self):
        """Three sizes each, a factor of four apart, and the exponent of the cost between them."""
        shrink = 8 if self.options.quick else 1
        made = {
            "MiB": (synthetic.large, [64 // shrink, 256 // shrink, 1024 // shrink]),
            "members": (synthetic.members, [2_000 // shrink, 8_000 // shrink, 32_000 // shrink]),
            "symbols": (synthetic.symbols, [50_000 // shrink, 200_000 // shrink, 800_000 // shrink]),
        }
        result = {}
        for what, (make, sizes) in made.items():
            print(f"bench: cost by {what}", file=sys.stderr, flush=True)
            commands = {str(size): [self.audit, "check", "--jobs", self.jobs, make(self.made, size)]
                        for size in sizes}
            runs = measure(commands, self.options.rounds, self.options.timeout)
            result[what] = [{"size": int(size), **middle(values)} for size, values in runs.items()]
        return result


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parse.add_argument("build", type=pathlib.Path)
    parse.add_argument("--quick", action="store_true", help="small sizes, about a minute")
    parse.add_argument("--parts", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parse.add_argument("--cache", type=pathlib.Path, default=ROOT / "tests" / "real" / "cache",
                       help="published wheels (tests/real/fetch.py brings them)")
    parse.add_argument("--wheel", nargs="+", help="patterns of names for part wheels, instead of ours")
    parse.add_argument("--corpus", type=float, default=4.0, metavar="GIB", help="limit of part corpus")
    parse.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "bench")
    parse.add_argument("--rounds", type=int, help="default 5 (3 with --quick); the chain runs once")
    parse.add_argument("--timeout", type=float, default=1800, help="seconds for one command")
    parse.add_argument("--no-chain", dest="chain", action="store_false", help="auditwheel alone beside check")
    parse.add_argument("--no-auditwheel", dest="auditwheel", action="store_false",
                       help="with --no-chain: not that either")
    parse.add_argument("--write", action="store_true", help="write the tables to docs/performance.md")
    options = parse.parse_args()
    parts = options.parts.split(",")
    if set(parts) - set(PARTS):
        parse.error(f"no part {', '.join(sorted(set(parts) - set(PARTS)))}; there are {', '.join(PARTS)}")
    if options.quick:
        options.chain = False
        parts = [part for part in parts if part != "corpus"]
    options.rounds = options.rounds or (3 if options.quick else 5)
    for binary in "wheel-audit", "bench-floor":
        if not (options.build / binary).exists():
            parse.error(f"{options.build} has no {binary}: sh scripts/build-static.sh; cmake --build --preset static -t bench-floor")
    bench = Bench(options)
    # The chain does not run elfdeps; the comparison with peers does.
    used = {name: version for name, version in tools.PINS.items() if name != "elfdeps"}
    results = {"machine": report.machine(options.build / "wheel-audit", ROOT, used | CUOBJDUMP)}
    for part in parts:
        results[part] = getattr(bench, part)()
        (options.work / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    text = report.tables(results)
    print("\n\n".join([results["machine"] + ".", *text.values()]))
    if options.write:
        report.write(ROOT / "docs" / "performance.md", results["machine"], text)


if __name__ == "__main__":
    main()
