"""The tools that we compare with: their pinned versions, how each is called, and what in its
output is a complaint. A complaint is a pair: its kind (a check's id, or a short name given here)
and the words of one instance. Kinds are compared; words are shown.
"""
import json
import re
import subprocess
import sys

PINS = {
    "auditwheel": "6.8.2",
    "abi3audit": "0.0.26",
    "check-wheel-contents": "0.6.3",
    "pydistcheck": "0.11.3",
    "elfdeps": "0.4.0",
    "twine": "7.0.0",
}

CALLS = {
    "auditwheel": ["show", "--json"],
    "abi3audit": ["-R"],
    "check-wheel-contents": ["--no-config"],
    "pydistcheck": [],
    "elfdeps": ["--requires"],
    "twine": ["check", "--strict"],
}


def install(environment, more=None):
    """Makes a virtual environment with the pinned versions (and some more), if it is not there;
    answers its Python."""
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    wanted = [f"{name}=={version}" for name, version in (PINS | (more or {})).items()]
    ask = ("import importlib.metadata as m, sys\n"
           "sys.exit(any(m.version(n) != v for n, v in (a.split('==') for a in sys.argv[1:])))")
    if subprocess.run([python, "-c", ask, *wanted], stderr=subprocess.DEVNULL).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python


def failure(answer):
    """The complaint of a tool that ended in another way than it means to."""
    if answer["code"] is None:
        return [("time is up", "")]
    lines = [line.strip() for line in answer.get("err", "").splitlines() if line.strip()]
    last = lines[-1] if lines else f"exit code {answer['code']}"
    raised = re.match(r"([\w.]*(?:Error|Exception|Invalid\w*|BadZipFile|error))\b", last)
    return [(f"fails: {raised[1].split('.')[-1]}" if raised else "fails", last[:300])]


def glibc(tag):
    """(libc, version) of a platform tag, or None: manylinux2014 is manylinux_2_17."""
    old = {"manylinux1": "manylinux_2_5", "manylinux2010": "manylinux_2_12",
           "manylinux2014": "manylinux_2_17"}
    head = tag.split("_")[0]
    found = re.match(r"(manylinux|musllinux)_(\d+)_(\d+)", tag.replace(head, old.get(head, head), 1))
    return found and (found[1], int(found[2]), int(found[3]))


def auditwheel(answer, wheel):
    """`show` exits 0 whatever tag the wheel deserves: that tag is held against the file name's."""
    try:
        said = json.loads(answer["out"])
    except ValueError:
        return failure(answer)
    if "error" in said:
        return [("no platform wheel", said["error"])]
    if said.get("pure"):
        return []
    complaints = []
    claimed = sorted(tag for tag in map(glibc, wheel.name[:-4].split("-")[-1].split(".")) if tag)
    deserved = glibc(said["overall_tag"])
    upgrade = next((change for tag, change in said["policy_upgrades"].items()
                    if claimed and glibc(tag) == claimed[0]), {})
    eliminate = sorted(upgrade.get("libs_to_eliminate", []))
    forbidden = sorted(upgrade.get("blacklisted_symbols", {}))
    if said["unsupported_isa"]:
        complaints.append(("instruction set", said["overall_tag"]))
    if claimed and deserved is None:
        complaints.append(("only linux", f"needs {', '.join(eliminate) or said['sym_tag']}"))
    elif claimed and (deserved[0] != claimed[0][0] or deserved > claimed[0]):
        complaints.append(("later tag", said["overall_tag"]))
    missing = sorted(name for name, path in said["external_libs"].items() if path is None)
    if missing:
        complaints.append(("not found", ", ".join(missing)))
    if forbidden:
        complaints.append(("forbidden symbols", ", ".join(forbidden)))
    return complaints


def abi3audit(answer, _):
    """An extension without abi3 in its name or the wheel's tag is none of its business."""
    complaints = []
    try:
        specs = json.loads(answer["out"])["specs"]
    except (ValueError, KeyError):
        return failure(answer)
    for line in answer.get("err", "").splitlines():
        if "auditing error" in line and "not abi3 tagged?" not in line:
            complaints.append(("cannot audit", line.strip()))
    for entry in (entry for spec in specs.values() for entry in spec.get("wheel", [])):
        result = entry["result"]
        if result["non_abi3_symbols"]:
            complaints.append(("not abi3", f"{entry['name']}: {', '.join(result['non_abi3_symbols'][:5])}"))
        if not result["is_abi3_baseline_compatible"]:
            complaints.append(("later abi3", f"{entry['name']}: needs {result['computed']}, "
                                             f"tagged {result['baseline']}"))
    return complaints or (failure(answer) if answer["code"] else [])


def check_wheel_contents(answer, _):
    complaints, lines = [], answer["out"].splitlines()
    for number, line in enumerate(lines):
        found = re.search(r": (W\d+): (.*)", line)
        if found:
            names = [text.strip() for text in lines[number + 1:number + 3] if text.startswith("  ")]
            complaints.append((found[1], f"{found[2]} {', '.join(names)}"))
    refused = re.search(r"(?:invalid wheel: |(?=wheel has invalid))(.*)", answer.get("err", ""))
    if refused:
        complaints.append((re.sub(r"['\"].*", "", refused[1])[:60].strip(" :"), refused[1]))
    return complaints or (failure(answer) if answer["code"] else [])


def pydistcheck(answer, _):
    complaints = re.findall(r"^\d+\. \[([\w-]+)\] (.*)", answer["out"], re.MULTILINE)
    return complaints or (failure(answer) if answer["code"] else [])


def elfdeps(answer, _):
    """It lists and judges nothing: its complaint is a file that it cannot read."""
    return failure(answer) if answer["code"] != 0 else []


def twine(answer, _):
    """Its lines are broken at 80 columns, whatever is asked."""
    if answer["code"] == 0:
        return []
    text = re.sub(r"\x1b\[\d*m", "", answer["out"] + answer.get("err", ""))
    text = re.sub(r"\s+", " ", text)
    complaints = []
    for level, message in re.findall(r"\b(ERROR|WARNING) (.*?)(?= (?:ERROR|WARNING|Checking) |$)", text):
        said = message.removeprefix("InvalidDistribution: ")
        kind = re.sub(r" /\S.*|[:'\"(].*|\. .*", "", said.replace("`", "")).strip(" .")
        complaints.append((kind[:60] or level.lower(), message.strip()[:300]))
    return complaints or failure(answer)


READERS = {
    "auditwheel": auditwheel,
    "abi3audit": abi3audit,
    "check-wheel-contents": check_wheel_contents,
    "pydistcheck": pydistcheck,
    "elfdeps": elfdeps,
    "twine": twine,
}
