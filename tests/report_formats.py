#!/usr/bin/env python3
"""Holds the report formats to what others say they are, on a forged wheel with faults, an unread
member and hostile names: SARIF to its published JSON Schema (tests/data/sarif), JUnit to an XML
parser and to junitparser, GitLab's and GitHub's to their documented forms.

    python3 tests/report_formats.py BINARY
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ET

try:
    import jsonschema
    import junitparser
except ImportError as error:  # Debian's packages are those of Debian's python3
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit(f"report_formats: {error} (Debian: python3-jsonschema, python3-junitparser)")

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMATS = ["github", "github-summary", "gitlab", "html", "json", "jsonl", "junit", "markdown", "sarif", "sh", "text"]
HOSTILE = "demo/a\u202e|`<img src=x onerror=alert(1)>`'\"$(touch pwned);%0A::error::\u001b[31m @you/.DS_Store"
RECIPE = {"base": "cuda13", "change": {"files": {
    "demo/lib/libdemo_cuda.so": {"elf": {"runpath": "$ORIGIN/../nvidia/cu13/lib:$ORIGIN:/home/ci/b"}},
    HOSTILE: {"text": "x"}, "demo/t\U000e0041\u00ad.orig": {"text": "x"},
    "demo/cut.so": {"hex": "7f454c46020101"}}}}


# A finding of the run and of no wheel: the waiver is past its date.
CONFIG = """# Its line is told.
[[waive]]
rule = "base/junk-file"
reason = "it was late"
until = 2020-01-01
"""


def check(condition, what):
    if not condition:
        sys.exit(f"report_formats: {what}")


def reports(binary, folder):
    """Every format at once, each to its file, and text to standard output."""
    (folder / "recipe.json").write_text(json.dumps(RECIPE))
    (folder / "wheel-audit.toml").write_text(CONFIG)
    (folder / "dist").mkdir()
    subprocess.run([binary, "forge", folder / "recipe.json", "-o", folder / "dist"], check=True, stderr=subprocess.PIPE)
    words = [word for name in FORMATS for word in ("--format", f"{name}={name}.out")]
    done = subprocess.run([binary, "check", "dist", *words, "--format", "text"], cwd=folder, capture_output=True)
    check(done.returncode == 3 and not done.stderr, f"exit {done.returncode}: {done.stderr}")
    texts = {name: (folder / f"{name}.out").read_bytes().decode() for name in FORMATS}
    for name, text in texts.items():
        told = name == "sh" or "config/waiver-expired" in text.replace("\\", "")
        check(told and (name == "sh" or "wheel-audit.toml" in text), f"{name}: does not tell the waiver past its date")
    check(done.stdout.decode() == texts["text"], "text on standard output is not the text in the file")
    return texts


def check_clean(name, text):
    for character in text:
        bad = unicodedata.category(character) in ("Cc", "Cf", "Cn") and character != "\n"
        check(not bad, f"{name}: prints U+{ord(character):04X}")


def check_sarif(text):
    schema = json.loads((ROOT / "tests/data/sarif/sarif-schema-2.1.0.json").read_text())
    sarif = json.loads(text)
    validator = jsonschema.Draft7Validator(schema)
    for error in validator.iter_errors(sarif):
        check(False, f"sarif: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    broken = json.loads(text)
    broken["runs"][0]["results"][0]["level"] = "fatal"  # a schema that takes everything proves nothing
    check(not validator.is_valid(broken), "sarif: the schema takes a level that SARIF does not know")
    run = sarif["runs"][0]
    check(len(run["results"]) >= 7, "sarif: too few results")
    for result in run["results"]:
        if result["ruleId"].startswith("config/"):  # about the run; no rule file describes it
            check("ruleIndex" not in result, "sarif: a ruleIndex for what is no rule")
            place = result["locations"][0]["physicalLocation"]
            check(place["artifactLocation"]["uri"] == "wheel-audit.toml" and place["region"] == {"startLine": 2},
                  f"sarif: a waiver past its date is at {place}")
            continue
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        check(rule["id"] == result["ruleId"] and rule["help"]["text"], "sarif: ruleIndex is another rule's")
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        artifact = run["artifacts"][place["index"]]
        check(artifact["location"]["uri"] == place["uri"], "sarif: index is another artifact's")
        if "parentIndex" in artifact:
            parent = run["artifacts"][artifact["parentIndex"]]["location"]["uri"]
            check(place["uri"].startswith(parent + "/"), "sarif: a member is not below its wheel")
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    check(len(set(prints)) == len(prints), "sarif: two results share a fingerprint")
    check(run["invocations"][0]["toolExecutionNotifications"] and not run["invocations"][0]["executionSuccessful"],
          "sarif: what is unread is not told")


def check_junit(text):
    root = ET.fromstring(text)
    for suite in [root, *root.iter("testsuite")]:
        cases = list(suite.iter("testcase"))
        for key, tag in (("tests", None), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            have = len(cases) if tag is None else sum(case.find(tag) is not None for case in cases)
            check(int(suite.get(key)) == have, f"junit: {key} is {suite.get(key)}, there are {have}")
    check(all(int(root.get(key)) > 0 for key in ("tests", "failures", "errors", "skipped")), "junit: a kind is absent")
    parsed = junitparser.JUnitXml.fromstring(text.encode())
    check(sum(1 for suite in parsed for case in suite) == int(root.get("tests")), "junit: junitparser counts otherwise")
    return "junitparser agrees"


def check_gitlab(text):
    issues = json.loads(text)
    for issue in issues:
        check(set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}, "gitlab: keys")
        check(issue["severity"] in ("info", "minor", "major", "critical", "blocker"), "gitlab: severity")
        line = 2 if issue["check_name"].startswith("config/") else 1
        check(issue["location"]["lines"] == {"begin": line}, f"gitlab: {issue['location']}")
    check(len({issue["fingerprint"] for issue in issues}) == len(issues) > 7, "gitlab: fingerprints are not unique")


def check_github(text):
    *lines, last = text.splitlines()
    for line in lines:
        check(re.fullmatch(r"::(error|warning|notice) file=[^:,]+,(line=\d+,)?title=[^:,]+::.+", line), f"github: {line}")
        ours = line.startswith("::warning file=wheel-audit.toml,line=2,title=config/waiver-expired::")
        check(ours == ("config/" in line) == (",line=" in line), f"github: {line}")
        check("%0A" not in line.split("::", 2)[1], "github: a line end in a property")
    check(len(lines) >= 7 and last.startswith("wheel-audit: 1 wheel"), "github: annotations are missing")


def check_lines(text):
    kinds = [json.loads(line)["type"] for line in text.splitlines()]
    check(kinds[:2] == ["run", "wheel"] and kinds[-1] == "summary" and "unread" in kinds, f"jsonl: {kinds}")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    global FORMATS
    known = re.findall(r"expected one of (.*)", subprocess.run(
        [binary, "check", "--format", "?", "x"], capture_output=True, text=True).stderr)[0].split(", ")
    FORMATS = [name for name in FORMATS if name in known]
    check(FORMATS == known, f"formats that this test does not know: {known}")
    with tempfile.TemporaryDirectory() as folder:
        texts = reports(binary, pathlib.Path(folder))
    for name, text in texts.items():
        check_clean(name, text)
    check_sarif(texts["sarif"])
    said = check_junit(texts["junit"])
    check_gitlab(texts["gitlab"])
    check_github(texts["github"])
    check_lines(texts["jsonl"])
    print(f"report_formats: {len(texts)} formats hold; {said}")


main()
