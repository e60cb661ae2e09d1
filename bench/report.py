"""The tables of docs/performance.md from what bench/run.py measured."""
import datetime
import math
import os
import platform
import re
import subprocess

MIB = 2**20
CHAIN = ["auditwheel", "abi3audit", "check-wheel-contents", "pydistcheck", "twine", "cuobjdump"]
ROWS = ["wheels", "synthetic", "small", "corpus"]


def machine(audit, root, pins):
    """The machine and the versions, as one line for the head of each table."""
    with open("/proc/cpuinfo") as stream:
        model = re.search(r"model name\s*: (.*)", stream.read())
    with open("/proc/meminfo") as stream:
        memory = int(stream.read().split()[1]) / 2**20
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True).stdout.strip()
    unzip = subprocess.run(["unzip", "-v"], capture_output=True, text=True).stdout.split()[1]
    version = subprocess.run([audit, "--version"], capture_output=True, text=True).stdout.split()[-1]
    return (f"{datetime.date.today()}; {model[1].strip() if model else platform.machine()}, "
            f"{len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, Linux {platform.release()}, load "
            f"{os.getloadavg()[0]:.1f} at the start; wheel-audit {version} ({commit}), UnZip {unzip}, "
            f"Python {platform.python_version()}, "
            + ", ".join(f"{name} {version}" for name, version in pins.items()))


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def ratio(runs, above, below):
    """A ratio of times; '>' when the time was up before the command was done."""
    if above not in runs:
        return ""
    value = runs[above]["seconds"] / runs[below]["seconds"]
    return f"{'> ' if runs[above]['late'] else ''}{value:.2f}" if value < 10 else (
        f"{'> ' if runs[above]['late'] else ''}{value:.0f}")


def whole_chain(runs):
    """The chain as one run, or None when a part of it was not asked."""
    parts = [runs[name] for name in CHAIN if name in runs]
    if len(parts) < 2:
        return None
    return {"seconds": sum(part["seconds"] for part in parts), "late": any(p["late"] for p in parts)}


def speed(rows):
    lines = [row(["", "MiB", "floor, s", "floor + SHA-256, s", "check --no-hash / floor",
                  "check / floor + SHA-256", "unzip -t / check", "zlib on one core / check",
                  "auditwheel show / check", "chain / check", "peak, MiB", "64 MiB + 2 × tables, MiB"]),
             "|---|" + "--:|" * 11]
    for entry in rows:
        runs = dict(entry["runs"])
        chain = whole_chain(runs)
        if chain:
            runs["chain"] = chain
        peak = max(runs["check"]["peak"], runs["no-hash"]["peak"])
        lines.append(row([
            entry["name"], f"{entry['bytes'] / MIB:.1f}", f"{runs['floor']['seconds']:.3f}",
            f"{runs['floor-sha256']['seconds']:.3f}", ratio(runs, "no-hash", "floor"),
            ratio(runs, "check", "floor-sha256"), ratio(runs, "unzip-t", "check"),
            ratio(runs, "zlib", "check"), ratio(runs, "auditwheel", "check"),
            ratio(runs, "chain", "check"), f"{peak / MIB:.0f}", f"{64 + 2 * entry['tables'] / MIB:.0f}"]))
    return lines


def seconds(rows):
    """The chain by tool, where it was run."""
    rows = [entry for entry in rows if whole_chain(entry["runs"])]
    if not rows:
        return []
    lines = ["", "The chain by tool, in seconds:", "", row(["", "check", *CHAIN]),
             "|---|" + "--:|" * (len(CHAIN) + 1)]
    for entry in rows:
        runs = entry["runs"]
        lines.append(row([entry["name"], f"{runs['check']['seconds']:.2f}",
                          *(f"{'> ' if runs[t]['late'] else ''}{runs[t]['seconds']:.1f}"
                            if t in runs else "" for t in CHAIN)]))
    return lines


def start(result):
    runs = result["runs"]
    return [row(["wheel", "check, ms", "unzip -l, ms", "check / unzip -l"]), "|---|--:|--:|--:|",
            row([f"{result['bytes'] / 1000:.0f} kB", f"{runs['check']['seconds'] * 1000:.1f}",
                 f"{runs['unzip-l']['seconds'] * 1000:.1f}", ratio(runs, "check", "unzip-l")])]


def exponent(points, key):
    """The slope of the line of least squares through the logarithms."""
    x = [math.log(point["size"]) for point in points]
    y = [math.log(point[key]) for point in points]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y))
            / sum((a - middle_x) ** 2 for a in x))


def linear(result):
    lines = [row(["cost by", "sizes", "seconds", "exponent", "processor seconds, exponent", "peak, MiB"]),
             "|---|---|---|--:|--:|---|"]
    for what, points in result.items():
        lines.append(row([what, " · ".join(f"{p['size']:,}" for p in points),
                          " · ".join(f"{p['seconds']:.3f}" for p in points),
                          f"{exponent(points, 'seconds'):.2f}", f"{exponent(points, 'cpu'):.2f}",
                          " · ".join(f"{p['peak'] / MIB:.0f}" for p in points)]))
    return lines


STAGES = ["rules", "reading", "judging", "reports"]


def stages(entries):
    lines = [row(["", "floor, ms", *(f"{name}, ms" for name in STAGES), "inflated, MiB", "of them again"]),
             "|---|" + "--:|" * (len(STAGES) + 3)]
    for entry in entries:
        lines.append(row([entry["name"], f"{entry['floor'] * 1e3:.0f}",
                          *(f"{entry[name]:.1f}" for name in STAGES), f"{entry['inflated'] / MIB:,.0f}",
                          f"{entry['again'] / entry['inflated']:.1%}" if entry["again"] else "none"]))
    return lines


def reach(results):
    """What is aimed at, the worst value measured for it, and whether that is enough."""
    rows = [entry for part in ROWS for entry in results.get(part, [])]
    large = [entry for entry in results.get("wheels", []) if entry["bytes"] > 100e6]
    lines = []

    def line(what, values, limit, at_most):
        if values:
            worst, name = (max if at_most else min)(values)
            met = worst <= limit if at_most else worst >= limit
            lines.append(row([what, f"{'≤' if at_most else '≥'} {limit:g}", f"{worst:.2f}", name,
                              "yes" if met else "**no**"]))

    def ratios(entries, above, below):
        found = []
        for entry in entries:
            runs = dict(entry["runs"], chain=whole_chain(entry["runs"]))
            if runs.get(above):
                found.append((runs[above]["seconds"] / runs[below]["seconds"], entry["name"]))
        return found

    line("check --no-hash / floor, over 100 MB", ratios(large, "no-hash", "floor"), 1.10, True)
    line("check / floor + SHA-256, over 100 MB", ratios(large, "check", "floor-sha256"), 1.15, True)
    line("auditwheel show / check, extensions and symbols",
         ratios(results.get("synthetic", []), "auditwheel", "check"), 30, False)
    line("auditwheel show / check, small wheels",
         ratios(results.get("small", []), "auditwheel", "check"), 50, False)
    line("auditwheel show / check, everywhere", ratios(rows, "auditwheel", "check"), 1, False)
    line("chain / check, corpus", ratios(results.get("corpus", []), "chain", "check"), 40, False)
    line("zlib on one core / check, corpus", ratios(results.get("corpus", []), "zlib", "check"), 1, False)
    if "start" in results:
        line("check / unzip -l, 100 kB", ratios([{"name": "start", **results["start"]}], "check",
                                                "unzip-l"), 5, True)
    line("peak memory / (64 MiB + 2 × tables)",
         [(max(e["runs"]["check"]["peak"], e["runs"]["no-hash"]["peak"])
           / (64 * MIB + 2 * e["tables"]), e["name"]) for e in rows], 1, True)
    line("exponent of the cost", [(exponent(points, "cpu"), what)
                                  for what, points in results.get("linear", {}).items()], 1.05, True)
    return [row(["reach", "", "worst", "where", "met"]), "|---|---|--:|---|---|", *lines]


def tables(results):
    """The text of each table that there are numbers for, by its mark in the document."""
    texts = {}
    rows = [entry for part in ROWS for entry in results.get(part, [])]
    if rows:
        texts["speed"] = [*speed(rows), *seconds(rows)]
    if "start" in results:
        texts["start"] = start(results["start"])
    if "linear" in results:
        texts["linear"] = linear(results["linear"])
    if "stages" in results:
        texts["stages"] = stages(results["stages"])
    if rows:
        texts["reach"] = reach(results)
    return {part: "\n".join(lines) for part, lines in texts.items()}


def write(path, machine_line, texts):
    """Puts each table between its marks, `<!-- bench: PART -->` and `<!-- end: PART -->`."""
    document = path.read_text()
    for part, text in texts.items():
        begin, end = f"<!-- bench: {part} -->", f"<!-- end: {part} -->"
        before, found, rest = document.partition(begin)
        if not found or end not in rest:
            raise SystemExit(f"{path} has no {begin} … {end}")
        document = f"{before}{begin}\n{machine_line}.\n\n{text}\n{rest[rest.index(end):]}"
    path.write_text(document)
