"""The tables of docs/peers.md, made from what the tools said."""
import collections
import csv
import pathlib

import tools

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- tables: tests/peers/compare.py --write -->", "<!-- end of tables -->"


def kinds(entry):
    return {kind for kind, _ in entry["complaints"]}


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def battery_table(wheels, said):
    """By rule and tool: of how many rejects it complains, in what kinds, and of how many near
    misses."""
    rejects, near = collections.defaultdict(list), collections.defaultdict(list)
    for wheel in wheels:
        (near if wheel.sound else rejects)[wheel.rule].append(wheel)

    def new(answers, wheel):
        base = kinds(answers[wheel.base.key]) if wheel.base else set()
        return kinds(answers[wheel.key]) - base

    lines = [row(["rule", "rejects", *said]), "|---|--:|" + "---|" * len(said)]
    total, silent = collections.Counter(), []
    for rule, broken in sorted(rejects.items()):
        cells = []
        for tool, answers in said.items():
            noticed = [new(answers, wheel) for wheel in broken if new(answers, wheel)]
            false = sum(bool(new(answers, wheel)) for wheel in near[rule])
            total[tool] += len(noticed)
            words = ", ".join(sorted(set().union(*noticed)))
            cells.append(f"**{len(noticed)}** {words}{f'; near misses {false}' if false else ''}"
                         if noticed else "")
        if any(cells):
            lines.append(row([f"`{rule}`", len(broken), *cells]))
        else:
            silent.append(f"`{rule}` ({len(broken)})")
    sound = [wheel for wheel in wheels if wheel.sound]
    lines.append(row(["**all rejects**", sum(map(len, rejects.values())),
                      *(f"**{total[tool]}**" for tool in said)]))
    lines.append(row(["all near misses", len(sound),
                      *(sum(bool(new(answers, w)) for w in sound) for answers in said.values())]))
    lines.append(row(["seconds", "", *(round(sum(answers[w.key]["seconds"] for w in wheels))
                                       for answers in said.values())]))
    if silent:
        lines += ["", f"No tool notices a reject of: {', '.join(silent)}."]
    return lines


def verdicts():
    """What we answer to a kind of complaint: {(tool, kind): (our rules, remark)}."""
    with open(HERE / "answers.tsv", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {(row["tool"], row["kind"]): ([r for r in row["ours"].split(",") if r], row["remark"])
            for row in rows}


def short(wheel):
    """Name, version and first platform of a wheel."""
    parts = wheel.path.stem.split("-")
    return f"{parts[0]}-{parts[1]} {parts[-1].split('.')[0]}"


def real_table(wheels, asked, said, ours, largest):
    """Each kind of complaint about published wheels with our answer, then each wheel with the
    kinds of complaint that none of our findings on it answers."""
    known, asked_keys = verdicts(), {wheel.key for wheel in asked}
    count, beyond, sample = collections.Counter(), collections.Counter(), {}
    by_wheel = {}
    for wheel in wheels:
        if wheel.key not in asked_keys:
            continue
        cells = []
        for tool, answers in said.items():
            left = collections.Counter()
            for kind, words in answers[wheel.key]["complaints"]:
                rules = known.get((tool, kind), ([], ""))[0]
                left[kind] += not any(rule in ours[wheel.key] for rule in rules)
                sample.setdefault((tool, kind), f"{wheel.path.name}: {words}")
            for kind in left:
                count[tool, kind] += 1
                beyond[tool, kind] += bool(left[kind])
            cells.append(", ".join(f"{kind}{f' ×{n}' if n > 1 else ''}"
                                   for kind, n in sorted(left.items()) if n))
        mine = collections.Counter(ours[wheel.key].values())
        by_wheel[wheel] = [", ".join(f"{mine[s]} {s}{'s' if mine[s] > 1 else ''}"
                                     for s in ("error", "warning", "note") if mine[s]), *cells]
    lines = [row(["tool", "complaint", "wheels", "not said by us", "our rules", "judged"]),
             "|---|---|--:|--:|---|---|"]
    for (tool, kind), number in sorted(count.items()):
        rules, remark = known.get((tool, kind), ([], "**not judged yet**: " + sample[tool, kind][:200]))
        lines.append(row([tool, kind, number, beyond[tool, kind] or "",
                          ", ".join(f"`{rule}`" for rule in rules), remark.replace("|", "\\|")]))
    lines += ["", f"By wheel, what none of our findings on it answers ({len(asked)} wheels):", "",
              row(["wheel", "wheel-audit (rules)", *said]), "|---|---|" + "---|" * len(said)]
    for wheel, cells in by_wheel.items():
        lines.append(row([short(wheel), *cells]))
    lines.append(row(["seconds", "", *(round(sum(answers[w.key]["seconds"] for w in asked))
                                            for answers in said.values())]))
    left_out = [short(wheel) for wheel in wheels if wheel.key not in asked_keys]
    if left_out:
        lines += ["", f"Not asked about, for their time, are the {len(left_out)} wheels over "
                      f"{largest:.0f} MiB: {', '.join(left_out)}."]
    return lines


TITLES = {"battery": "## Our rejects", "real": "## Published wheels"}


def write(path, head, parts):
    """Prints the tables, or puts them between the marks of a document."""
    lines = [head]
    for name, table in parts.items():
        lines += ["", TITLES[name], "", *table]
    text = "\n".join(lines)
    if path is None:
        print(text)
        return
    before, _, rest = path.read_text().partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")
