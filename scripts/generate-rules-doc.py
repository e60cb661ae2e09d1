#!/usr/bin/env python3
"""Writes docs/rules.md from what the binary says of every rule.

    python3 scripts/generate-rules-doc.py BINARY           writes it
    python3 scripts/generate-rules-doc.py BINARY --check   exits 1 when it is not what it would write
"""
import difflib
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
"""


def output(binary, *words):
    return subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout


def anchor(rule):
    return re.sub(r"[^a-z0-9 _-]", "", rule.lower())


def main():
    binary = sys.argv[1]
    text = output(binary, "explain", "--all", "--format", "markdown")
    # How many rules were asked says nothing here, and would change every section with each rule.
    text = re.sub(r"^.*\d+ rules? asked, .*\n|^ *\d+ wheels? audited: .*\n", "", text, flags=re.M)
    text = re.sub(r"\n{3,}", "\n\n", text)
    rules = re.findall(r"^## (\S+)\n\n(\w+)(.*?) · kind `(.+?)`$", text, flags=re.M)
    table = "".join(f"| [{rule}](#{anchor(rule)}) | {severity}{extra} | {kind} |\n"
                    for rule, severity, extra, kind in rules)
    page = f"{HEAD}\n| rule | severity | kind |\n|---|---|---|\n{table}\n{text.rstrip()}\n"
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
