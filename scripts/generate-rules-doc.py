#!/usr/bin/env python3
"""Writes docs/rules.md from what the binary says of every rule, and of the kinds that they are.

    python3 scripts/generate-rules-doc.py BINARY           writes it
    python3 scripts/generate-rules-doc.py BINARY --check   exits 1 when it is not what it would write
"""
import difflib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rules.md"
HEAD = """# Rules

Every shipped rule, one section each: why it is one, how to fix what it finds, and the report on a
wheel that it rejects. Written by `python3 scripts/generate-rules-doc.py build/dev/wheel-audit`; the
test `rules-doc` fails when it is out of date. The same text for one rule: `wheel-audit explain RULE`.
The questions that rules of your own can ask are [below](#kinds).
"""
KINDS = """## Kinds

What a rule asks is its `kind`, and `params` say what of it; `wheel-audit rules --format json` prints
both of each rule in force, with `when`. Here are all kinds, the shipped rules that ask each, and the
parameters that those rules set, with values that they give; what is left out is `…`. A rule of your own may set the same ones. One that a kind does not know is refused, with the
nearest that it does.

| kind | rules | parameters |
|---|---|---|
"""
LONGEST = 60  # of a value, in characters
MOST = 8  # values of a parameter


def output(binary, *words):
    return subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout


def anchor(rule):
    return re.sub(r"[^a-z0-9 _-]", "", rule.lower())


def code(text):
    """Text as code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def kinds_table(binary, ids):
    """A row for each kind: the rules that ask it, and their parameters with an example each."""
    packs = sorted({rule.split("/")[0] for rule in ids})
    # Opt-in rules are in force when they are named.
    rules = json.loads(output(binary, "rules", "--no-config", "--format", "json", "--pack", ",".join(packs),
                              "--select", ",".join(ids)))
    rows = {}
    for rule in rules:
        users, params = rows.setdefault(rule["kind"], ([], {}))
        users.append(f"[{rule['id']}](#{anchor(rule['id'])})")
        for name, value in rule["params"].items():
            value = json.dumps(value, ensure_ascii=False)
            value = value if len(value) <= LONGEST else value[:LONGEST] + "…"
            values = params.setdefault(name, [])
            if value not in values:
                values.append(value)
    text = ""
    for kind, (users, params) in sorted(rows.items()):
        cells = [f"{code(name)}: {', '.join(map(code, values[:MOST]))}{', …' if len(values) > MOST else ''}"
                 for name, values in sorted(params.items())]
        text += f"| {code(kind)} | {', '.join(users)} | {'<br>'.join(cells)} |\n"
    return text


def main():
    binary = sys.argv[1]
    text = output(binary, "explain", "--all", "--format", "markdown")
    # How many rules were asked says nothing here, and would change every section with each rule.
    text = re.sub(r"^.*\d+ rules? asked, .*\n|^ *\d+ wheels? audited: .*\n", "", text, flags=re.M)
    text = re.sub(r"\n{3,}", "\n\n", text)
    rules = re.findall(r"^## (\S+)\n\n(\w+)(.*?) · kind `(.+?)`$", text, flags=re.M)
    table = "".join(f"| [{rule}](#{anchor(rule)}) | {severity}{extra} | {kind} |\n"
                    for rule, severity, extra, kind in rules)
    page = f"{HEAD}\n| rule | severity | kind |\n|---|---|---|\n{table}\n{text.rstrip()}\n\n{KINDS}"
    page += kinds_table(binary, [rule[0] for rule in rules])
    if "--check" not in sys.argv[2:]:
        PAGE.write_text(page)
        return
    drift = list(difflib.unified_diff(PAGE.read_text().splitlines(), page.splitlines(),
                                      "docs/rules.md", "what the binary says", lineterm="", n=0))
    print("\n".join(drift[:40]))
    if drift:
        sys.exit("docs/rules.md is out of date: run python3 scripts/generate-rules-doc.py BINARY")
    if not rules:
        sys.exit("the binary explains no rule")


main()
