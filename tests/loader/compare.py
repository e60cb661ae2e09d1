#!/usr/bin/env python3
"""Compares the loader model with the loaders themselves: links the libraries of every scenario,
installs them, has glibc and musl load the root, and asks the model for the same. Facts come from
readelf. Usage: compare.py MODEL (the executable built of model.cpp)"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from scenarios import ROOT, SCENARIOS

HERE = pathlib.Path(__file__).parent
COMPILERS = {"glibc": "gcc", "musl": "musl-gcc"}
SITE = "lib/python3/site-packages"
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64", "IBM S/390": "s390x"}
# Without machine-specific directories, as on the oldest processor.
BASELINE = ["--glibc-hwcaps-mask", "none"]


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def installed(member):
    """Where an installer puts a member, below the prefix."""
    for scheme, place in ((".data/data/", ""), (".data/platlib/", SITE + "/")):
        if scheme in member:
            return place + member.split(scheme, 1)[1]
    return f"{SITE}/{member}"


class Builder:
    """Links libraries, each distinct one once."""

    def __init__(self, compiler, work):
        self.compiler, self.work, self.built = compiler, work, {}

    def link(self, soname, rpath, runpath, stubs):
        key = (soname, rpath, runpath, tuple(stubs))
        if key not in self.built:
            path = self.work / f"{len(self.built)}.so"
            tags = "--disable-new-dtags" if rpath else "--enable-new-dtags"
            options = ["-Wl,--no-as-needed", f"-Wl,{tags}"]
            if soname:
                options.append(f"-Wl,-soname={soname}")
            if rpath or runpath:
                options.append(f"-Wl,-rpath={rpath or runpath}")
            run(self.compiler, "-shared", "-nostdlib", "-o", path, *options, "-x", "c", "/dev/null",
                "-x", "none", *stubs)
            self.built[key] = path
        return self.built[key]

    def library(self, spec):
        # What is needed is a stub whose soname is the need; the real one is somewhere else.
        stubs = [self.link(need, None, None, []) for need in spec["needed"]]
        return self.link(spec["soname"], spec["rpath"], spec["runpath"], stubs)


def install(files, builder, prefix):
    for member, spec in files.items():
        path = prefix / installed(member)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(spec, str):
            path.write_text(spec)
            continue
        shutil.copy(builder.library(spec), path)
        if spec["patch"]:
            offset, data = spec["patch"]
            with open(path, "r+b") as file:
                file.seek(offset)
                file.write(data)


def facts(path, patched):
    """An ELF file's facts by readelf; of a patched one only its header means anything."""
    raw = path.read_bytes()
    if not raw.startswith(b"\x7fELF"):
        return None
    header = {"bits": 32 if raw[4] == 1 else 64, "big_endian": raw[5] == 2,
              "type": {1: "rel", 3: "dyn"}[raw[16] or raw[17]],
              "soname": "", "needed": [], "rpath": None, "runpath": None}
    if patched:
        machine = int.from_bytes(raw[18:20], "little")
        return header | {"machine": {22: "s390x", 62: "x86_64", 183: "aarch64"}[machine]}
    text = run("readelf", "-hdW", path)
    tags = re.findall(r"\((\w+)\)\s+[^\[\n]*\[(.*?)\]$", text, re.DOTALL | re.MULTILINE)
    for tag, value in tags:
        value = value.replace("^J", "\n")  # how readelf prints an end of line
        if tag == "NEEDED":
            header["needed"].append(value)
        elif tag == "SONAME":
            header["soname"] = value
        elif tag in ("RPATH", "RUNPATH"):
            header[tag.lower()] = value.split(":")
    return header | {"machine": MACHINES[re.search(r"Machine:\s+(.*)", text).group(1)]}


def real(host, options, prefix, cwd):
    """What the loader says: the objects below the prefix, or the need that it misses; and for
    glibc each search as (object, need)."""
    environment = {"LD_DEBUG": "files"}
    command = [*options, host, prefix / installed(ROOT)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    error = re.search(r"^error (?:Error loading shared library )?([^:]+):", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 1) or (done.returncode == 1) != bool(error):
        raise RuntimeError(f"{command}: {done.returncode} {done.stdout} {done.stderr}")

    def below(path):
        return os.path.relpath(os.path.normpath(path), prefix)

    searches = [(below(loader), os.path.basename(need)) for need, loader in re.findall(
        r"file=(\S+) \[0\];  needed by (\S+) \[0\]", done.stderr) if loader.startswith(str(prefix))]
    if error:
        return f"missing {os.path.basename(error.group(1))}", searches
    objects = re.findall(r"^object (.*)$", done.stdout, re.MULTILINE)
    return [below(path) for path in objects if path.startswith(str(prefix))], searches


def modelled(answer, provided):
    """The model's answer in the same form; a loader stops at the first need that it misses."""
    searches = []
    for edge in answer["edges"]:
        if edge["need"] in provided:
            continue
        if edge["met"] != "loaded":
            searches.append((edge["from"], os.path.basename(edge["need"])))
        if edge["met"] == "absent":
            return f"missing {os.path.basename(edge['need'])}", searches
    return answer["loaded"], searches


def without_host(outcome):
    """Machine-specific copies stand for the baseline file; values of host tokens are alike."""
    if isinstance(outcome, str):
        return outcome
    lib = r"(demo)/(?:lib64|lib(?:/(?:x86_64|aarch64)-linux-gnu)?)/"
    return [re.sub(lib, r"\1/$LIB/", re.sub(r"glibc-hwcaps/[^/]+/", "", path)) for path in outcome]


def differences(name, libc, expected, loader, model):
    expected = expected if isinstance(expected, str) else [installed(path) for path in expected]
    for who, (outcome, _) in (("the loader", loader), ("the model", model)):
        if without_host(outcome) != expected:
            yield f"{libc}: {name}: {who} says {outcome}, expected {expected}"
    if libc == "glibc" and loader[1] != model[1]:
        yield f"{libc}: {name}: the loader searches {loader[1]}, the model {model[1]}"


def scenarios_of(libc, model, work):
    compiler = COMPILERS[libc]
    (work / "built").mkdir(parents=True)
    (work / "empty").mkdir()
    builder = Builder(compiler, work / "built")
    host = work / "host"
    run(compiler, "-Wl,--no-as-needed", "-o", host, HERE / "host.c", "-ldl", "-lm")
    interpreter = re.search(r"interpreter: (.*)\]", run("readelf", "-lW", host)).group(1)
    options = [interpreter, *BASELINE] if libc == "glibc" else []
    questions, outcomes = [], []
    for number, (name, (files, expect)) in enumerate(SCENARIOS.items()):
        if libc not in expect:
            continue
        prefix = work / f"env{number}"
        install(files, builder, prefix)
        members = {m: facts(prefix / installed(m), isinstance(s, dict) and s["patch"])
                   for m, s in files.items()}
        questions.append({"root": ROOT, "libc": libc, "members": members})
        outcomes.append((name, expect[libc], real(host, options, prefix, work / "empty")))
        if libc == "glibc" and not isinstance(expect[libc], str):  # with this machine's directories
            outcomes.append((name, expect[libc], real(host, [], prefix, work / "empty")))
            questions.append(questions[-1])
    answers = json.loads(run(model, input=json.dumps(questions)))
    provided = {"libc.so.6", "libm.so.6"}
    for (name, expected, loader), answer in zip(outcomes, answers, strict=True):
        yield from differences(name, libc, expected, loader, modelled(answer, provided))
    print(f"{libc}: {len(outcomes)} comparisons")


def main():
    model = pathlib.Path(sys.argv[1]).resolve()
    for tool in ("readelf", *COMPILERS.values()):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for libc in COMPILERS:
            failures += scenarios_of(libc, model, pathlib.Path(directory).resolve() / libc)
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
