#!/usr/bin/env python3
"""Mutation tests of the rules, and the tables about them in docs/reliability.md.

    mutation.py MUTATION             runs both and writes the tables
    mutation.py MUTATION --check     fails when a silenced rule goes unnoticed, or a fact unjudged that is not
                                     listed there

1. Each rule is silenced, and each of its conditions and parameters removed: do its own fixtures go
   red? A silenced rule that no fixture notices fails this script.
2. Each fact of sound wheels is changed: do the rules find something, or are the facts refused? Facts
   that nothing judges are listed.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reliability.md"
CHECKED = "--check" in sys.argv[2:]


def mutants(tool, what):
    lines = subprocess.run([tool, what], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines]
    if not rows or any(len(row) != 3 for row in rows):
        sys.exit(f"mutation {what}: no such output as was expected")
    return rows


def of_rules(rows):
    packs = collections.defaultdict(lambda: [set(), 0, 0, 0, 0])
    survivors = collections.defaultdict(collections.Counter)
    silent = []
    for rule, mutation, outcome in rows:
        pack = packs[rule.split("/")[0]]
        pack[0].add(rule)
        noticed = outcome == "noticed"
        if mutation == "silenced":
            pack[1] += noticed
            if not noticed:
                silent.append(rule)
        else:
            pack[2] += 1
            pack[3] += noticed
            if not noticed:
                survivors[rule][re.sub(r"\[\d+\]", "[]", mutation.removesuffix(" removed"))] += 1
    if silent:
        sys.exit(f"no fixture notices that these rules say nothing: {', '.join(silent)}")
    text = "| pack | rules | silenced: noticed | conditions and parameters changed | noticed |\n|---|---|---|---|---|\n"
    for name, (rules, silenced, changed, noticed, _) in sorted(packs.items()):
        text += f"| {name} | {len(rules)} | {silenced} | {changed} | {noticed} |\n"
    text += ("\nWhat no fixture of the rule notices when it is removed (items of lists, with their number, stand "
             "for what fixtures show of another item):\n\n")
    for rule, mutations in sorted(survivors.items()):
        parts = (f"`{part}`" + (f" ({count})" if count > 1 else "") for part, count in sorted(mutations.items()))
        text += f"- `{rule}`: {', '.join(parts)}\n"
    return text


def of_facts(rows):
    paths = collections.defaultdict(lambda: [0, 0])
    for path, _, outcome in rows:
        paths[path][0] += 1
        paths[path][1] += outcome == "noticed"
    judged = sorted(path for path, (_, noticed) in paths.items() if noticed)
    unjudged = sorted(path for path, (_, noticed) in paths.items() if not noticed)
    text = (f"{len(rows)} changes of {len(paths)} kinds of facts: {len(judged)} kinds are judged (a rule finds "
            f"another fault, or the facts are refused), {len(unjudged)} are not:\n\n")
    return text + "".join(f"- `{path}`\n" for path in unjudged)


def unjudged_in(page):
    return re.findall(r"^- `([^`]+)`$", page.split("<!-- mutants of facts")[-1], flags=re.M)


def replaced(page, name, text):
    marks = f"<!-- {name}: written by scripts/mutation.py -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(marks[0])}.*?{re.escape(marks[1])}", re.S)
    if not pattern.search(page):
        sys.exit(f"{PAGE}: has no place for {name}")
    return pattern.sub(lambda _: f"{marks[0]}\n{text}{marks[1]}", page)


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    before = PAGE.read_text()
    page = replaced(before, "mutants of rules", of_rules(mutants(tool, "rules")))
    page = replaced(page, "mutants of facts", of_facts(mutants(tool, "facts")))
    if not CHECKED:
        PAGE.write_text(page)
        return
    # Counts change with every rule and fixture, and are written when somebody looks at them; what must
    # hold each time is that silence is noticed (above) and that what nothing judges is known.
    unknown = set(unjudged_in(page)) - set(unjudged_in(before))
    if unknown:
        sys.exit(f"nothing judges {', '.join(sorted(unknown))}: a rule for them is gone, or {PAGE.name} is to list "
                 "them (python3 scripts/mutation.py MUTATION)")
    print(f"mutation: every rule's silence is noticed; {len(unjudged_in(page))} kinds of facts are for people only")


main()
