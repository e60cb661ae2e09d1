#!/usr/bin/env python3
"""Writes the fuzz table of docs/reliability.md from one or more tables of fuzz.sh (table.tsv): runs
add up, coverage is the best seen.

    fuzz-table.py "WHAT WAS RUN, WHERE AND WHEN" TABLE...
"""
import csv
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/reliability.md"


def main():
    about, *tables = sys.argv[1:]
    rows = {}
    for table in tables:
        with open(table, newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                total = rows.setdefault(row["target"], dict.fromkeys(("seconds", "executions", "edges", "features", "failures"), 0))
                for key in ("seconds", "executions", "failures"):
                    total[key] += int(row[key])
                for key in ("edges", "features"):
                    total[key] = max(total[key], int(row[key]))
    if not rows:
        sys.exit("fuzz-table: no rows")
    text = f"{about}\n\n| target | processor minutes | executions | edges | features | failures |\n|---|---|---|---|---|---|\n"
    for target, row in sorted(rows.items()):
        text += f"| {target} | {row['seconds'] / 60:.0f} | {row['executions']:,} | {row['edges']:,} | {row['features']:,} | {row['failures']} |\n"
    marks = "<!-- fuzz table: written by scripts/fuzz-table.py -->", "<!-- end of fuzz table -->"
    page, places = re.subn(f"{marks[0]}.*?{marks[1]}", lambda _: f"{marks[0]}\n{text}{marks[1]}", PAGE.read_text(), flags=re.S)
    if places != 1:
        sys.exit(f"fuzz-table: {PAGE} has {places} places for the table, expected 1")
    PAGE.write_text(page)


main()
