#!/usr/bin/env python3
"""The CI snippets of docs/ci.md, action.yml, .pre-commit-hooks.yaml and the Containerfile, run as far
as a machine without network can: their shell steps, on a sound wheel and on a broken one.

    python3 tests/ci.py BINARY
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:  # Debian's packages are those of Debian's python3
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit("ci: no module yaml (Debian: python3-yaml)")

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/ci.md").read_text()
WHEELS = {"sound": "fixtures/_base/cuda13.json", "broken": "fixtures/cuda/missing-hop/reject-level-short.json"}


def check(condition, what):
    if not condition:
        sys.exit(f"ci: {what}")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


class Job:
    """A workspace with dist/ and the tool, in which steps run until one fails, as in a CI."""

    def __init__(self, binary, folder, wheel):
        self.folder = pathlib.Path(folder)
        (self.folder / "dist").mkdir()
        (self.folder / "bin").mkdir()
        os.symlink(binary, self.folder / "bin/wheel-audit")
        # What would be downloaded is there already, and what repairs wheels leaves this one as it is.
        for name, script in {"pip": "exit 0", "auditwheel": 'cp "$4" "$3"'}.items():
            tool = self.folder / "bin" / name
            tool.write_text(f"#!/bin/sh\n{script}\n")
            tool.chmod(0o755)
        self.env = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "CI": "true",
                    "GITHUB_ACTION_PATH": str(ROOT)}
        for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH"):
            self.env[name] = str(self.folder / name)
            (self.folder / name).touch()
        subprocess.run([binary, "forge", ROOT / WHEELS[wheel], "-o", self.folder / "dist"], check=True,
                       stderr=subprocess.DEVNULL)
        self.output = ""

    def wheel(self):
        return next((self.folder / "dist").glob("*.whl"))

    def run(self, steps, **env):
        for step in steps:
            done = subprocess.run(["bash", "-eo", "pipefail", "-c", step], cwd=self.folder, env={**self.env, **env},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.output += done.stdout
            if done.returncode:
                return done.returncode
        return 0

    def text(self, name):
        return (self.folder / name).read_text()


def action(job):
    """The steps of the composite action with its inputs' defaults."""
    described = yaml.safe_load((ROOT / "action.yml").read_text())
    check(described["runs"]["using"] == "composite", "action.yml is not composite")
    inputs = {name: each["default"] for name, each in described["inputs"].items()}
    for step in described["runs"]["steps"]:
        check("${{" not in step["run"], "a step's script holds an expression: an input could run as code")
        env = {name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda m: inputs[m[1]], value)
               for name, value in step.get("env", {}).items()}
        code = job.run([step["run"]], **env)
        if code:
            break
    check(json.loads(job.text("wheel-audit.sarif"))["version"] == "2.1.0", "the action wrote no SARIF")
    check(job.text("GITHUB_STEP_SUMMARY"), "the action wrote no summary")
    check(job.text("GITHUB_OUTPUT") == "sarif=wheel-audit.sarif\n", "the action says not where SARIF is")
    uses = [step for block in blocks("yaml") for each in (yaml.safe_load(block).get("jobs") or {}).values()
            for step in each["steps"] if step.get("uses", "").startswith("OWNER/")]
    check(len(uses) == 1 and set(uses[0]["with"]) <= set(inputs), "docs/ci.md gives the action unknown inputs")
    return code


def github(job):
    steps = [step["run"] for block in blocks("yaml") for each in (yaml.safe_load(block).get("jobs") or {}).values()
             for step in each["steps"] if "run" in step]
    check(len(steps) == 2, f"expected two steps that run, found {steps}")
    return job.run(steps)


def cibuildwheel(job):
    """Each [tool.cibuildwheel] command with its placeholders filled, as cibuildwheel fills them."""
    codes = set()
    for block in blocks("toml"):
        commands = re.findall(r'^\w+-wheel-command = \[(.*?)\]|^audit-command = (".*")$', block, re.M | re.S)
        check(len(commands) == 1, f"expected one command in {block}")
        lines = [json.loads(text) for text in re.findall(r'".*"', "".join(commands[0]))]
        repaired = job.folder / "repaired"
        repaired.mkdir(exist_ok=True)
        codes.add(job.run([line.replace("{wheel}", shlex.quote(str(job.wheel()))).replace("{dest_dir}", str(repaired))
                           for line in lines]))
    check(len(codes) == 1, f"the two ways differ: {codes}")
    return codes.pop()


def gitlab(job):
    (described,) = [page["audit"] for page in map(yaml.safe_load, blocks("yaml")) if "audit" in page]
    code = job.run(described["script"])
    reports = described["artifacts"]["reports"]
    check(isinstance(json.loads(job.text(reports["codequality"])), list), "no code quality report")
    check("<testsuites" in job.text(reports["junit"]), "no JUnit report")
    return code


def jenkins(job):
    (block,) = blocks("groovy")
    code = job.run(re.findall(r"^\s*sh '(.*)'$", block, re.M))
    for name in re.findall(r"^\s*(?:junit|archiveArtifacts) '(.*)'$", block, re.M):
        check(job.text(name), f"no {name}")
    return code


def pre_commit(job):
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    (used,) = [page["repos"][0]["hooks"] for page in map(yaml.safe_load, blocks("yaml")) if "repos" in page]
    check({hook["id"] for hook in used} == set(hooks), "docs/ci.md names other hooks than there are")
    hook = hooks["wheel-audit"]
    check(re.search(hook["files"], job.wheel().name), "the hook is not for wheels")
    rules = hooks["wheel-audit-selftest"]
    for name in ("rules", "fixtures"):
        (job.folder / name / "mine").mkdir(parents=True, exist_ok=True)
    (job.folder / "rules/mine/no-openmp.json").write_text(json.dumps(
        {"kind": "elf.needed", "params": {"deny": ["libgomp.so*"]}, "severity": "error", "why": "a", "fix": "b"}))
    check(re.search(rules["files"], "rules/mine/no-openmp.json"), "the hook is not for rules")
    # A rule without fixtures fails its selftest: the hook looked at the rule.
    check(job.run([rules["entry"]]) == 1 and "mine/no-openmp" in job.output, "the selftest hook passed over a rule")
    return job.run([f"{hook['entry']} {shlex.quote(str(job.wheel()))}"])


def containerfile():
    text = (ROOT / "Containerfile").read_text()
    check(re.findall(r"^FROM (\S+)", text, re.M) == ["debian:12", "scratch"], "the image is not from scratch")
    for source in re.findall(r"^COPY --from=build /source/(\S+)", text, re.M):
        check(source == "build/static/wheel-audit" or (ROOT / source).exists(), f"no {source} to copy")
    for script in re.findall(r"\bsh (\S+\.sh)", text):
        check((ROOT / script).exists(), f"no {script}")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    for kind in (action, github, cibuildwheel, gitlab, jenkins, pre_commit):
        for wheel, expected in (("sound", 0), ("broken", 1)):
            with tempfile.TemporaryDirectory() as folder:
                job = Job(binary, folder, wheel)
                code = kind(job)
                check(code == expected, f"{kind.__name__}: exit {code} on a {wheel} wheel, expected {expected}\n{job.output}")
                check(wheel == "sound" or "cuda/missing-hop" in job.output, f"{kind.__name__}: nothing said why")
        print(f"ci: {kind.__name__} lets the sound wheel pass and stops the broken one")
    containerfile()


main()
