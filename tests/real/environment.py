#!/usr/bin/env python3
"""torch beside the NVIDIA wheels that it declares, all given with --with:

- the closure of each of its libraries resolves as glibc's own loader resolves it in an unpacked copy;
- without any one of the packages, undeclared and not given, the report names the library, the member
  that needs it and the package to declare;
- an installed copy given with --env says what the wheels given with --with say.

    environment.py WHEEL_AUDIT [--wheels FOLDER]

Exit 0: all of it holds; 1: some does not; 77: a wheel is not there (fetch.py all).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
TORCH = "torch-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl"
# What torch 2.15.0 and the cuda-toolkit 13.2.2 that it pins require, and triton.
DEPENDENCIES = ["cuda_toolkit-13.2.2-", "nvidia_cuda_runtime-13.2.86-", "nvidia_cuda_nvrtc-13.2.86-", "nvidia_nvtx-13.2.86-",
                "nvidia_cuda_cupti-13.2.86-", "nvidia_cufile-1.17.1.22-", "nvidia_nvjitlink-13.2.86-", "nvidia_cufft-12.2.0.57-",
                "nvidia_cusparse-12.7.10.12-", "nvidia_cusolver-12.2.0.11-", "nvidia_cusparselt_cu13-0.8.1-",
                "nvidia_nccl_cu13-2.30.7-", "nvidia_nvshmem_cu13-3.7.2-", "nvidia_cublas-13.4.1.3-",
                "nvidia_cudnn_cu13-9.26.0.51-", "triton-3.9.0-"]
# Declared, and neither needed by a library of torch nor by what those need: it opens them by name.
OPENED = {"nvidia-nvjitlink", "nvidia-nvtx"}
# Brought by others that torch declares: cuDNN requires cuBLAS, and cuBLAS NVRTC.
BROUGHT = {"nvidia-cublas", "nvidia-cuda-nvrtc"}
# torch 2.15.0 bundles a libgfortran and not the libquadmath that it needs; nothing of torch needs it.
KNOWN_MISSING = {("torch/lib/libgfortran.so.5", "libquadmath.so.0")}
LOADER = "/lib64/ld-linux-x86-64.so.2"
EXTRAS = {"nvidia-cublas": "cublas", "nvidia-cuda-runtime": "cudart", "nvidia-cufft": "cufft", "nvidia-cuda-cupti": "cupti",
          "nvidia-cusolver": "cusolver", "nvidia-cusparse": "cusparse", "nvidia-cuda-nvrtc": "nvrtc"}


def package(wheel):
    return wheel.name.split("-")[0].replace("_", "-").lower()


def remove(wheel, site):
    """Takes the files of a wheel out of a folder that holds it unpacked."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith("/"):
                (site / name).unlink(missing_ok=True)
    for folder in site.glob(f"{wheel.name.split('-')[0]}-*.dist-info"):
        shutil.rmtree(folder)


class Proof:
    def __init__(self, tool, torch, others):
        self.tool, self.torch, self.others, self.faults, self.compared = tool, torch, others, 0, 0

    def fault(self, text):
        self.faults += 1
        print(f"FAULT {text}", flush=True)

    def json(self, *arguments, given=None, **options):
        given = self.others if given is None else given
        context = [word for wheel in given for word in ("--with", str(wheel))] if isinstance(given, list) else ["--env", given]
        result = subprocess.run([self.tool, *arguments, *context], capture_output=True, text=True, **options)
        if not result.stdout:
            raise SystemExit(f"{arguments}: {result.stderr}")
        return json.loads(result.stdout)

    def closures(self, site):
        """Each closure against what ld.so lists when it is asked to trace: it maps as for a run and runs nothing."""
        for closure in self.json("tree", str(self.torch), "--json"):
            for edge in closure["edges"]:
                if edge.get("unresolved") and (edge["from"], edge["need"]) not in KNOWN_MISSING:
                    self.fault(f"{edge['from']}: {edge['need']} does not resolve: {edge['state']}")
            root = site / closure["root"]
            listed = subprocess.run([LOADER, str(root)], capture_output=True, text=True,
                                    env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}).stdout
            theirs = dict(re.findall(r"^\s+(\S+) => (\S+)", listed, re.MULTILINE))
            for edge in closure["edges"]:
                if edge["met"] == "absent":
                    if edge["need"] in theirs and theirs[edge["need"]].startswith(str(site)):
                        self.fault(f"{closure['root']}: {edge['need']} is {theirs[edge['need']]}, and was not found here")
                    continue
                found = pathlib.Path(theirs.get(edge["need"], "/nowhere")).resolve()
                self.compared += 1
                if found != (site / edge["to"]).resolve():
                    self.fault(f"{closure['root']}: {edge['need']}: {edge['to']} here, {found} by the loader")

    def without_each(self, folder, site):
        """Facts of torch with one package neither declared nor installed."""
        facts = subprocess.run([self.tool, "inspect", "--symbols", str(self.torch)], capture_output=True, text=True).stdout
        for wheel in self.others:
            gone = package(wheel)
            if gone in ("cuda-toolkit", "triton"):  # triton ships a libcupti of its own
                continue
            copy = json.loads(facts)
            lines = []
            for line in copy["metadata"]["requires_dist"]:
                if line.startswith("cuda-toolkit"):
                    # What brings it through another extra (cublas brings nvrtc) is taken away as well.
                    extra = EXTRAS.get(gone, gone.removeprefix("nvidia-"))
                    line = re.sub(rf"\b{extra}\b,?", "", line)
                if not line.startswith(gone):
                    lines.append(line)
            copy["metadata"]["requires_dist"] = lines
            copy["metadata"]["fields"] = [f for f in copy["metadata"].get("fields", []) if f[0] != "Requires-Dist"] + \
                [["Requires-Dist", line] for line in lines]
            path = folder / "facts.json"
            path.write_text(json.dumps(copy))
            rest = site.parent / "rest"
            shutil.rmtree(rest, ignore_errors=True)
            shutil.copytree(site, rest, copy_function=os.link)
            for other in self.others:
                if other == wheel or package(other) in ("cuda-toolkit", "triton"):
                    remove(other, rest)
            report = self.json("check", "--facts", str(path), "--format", "json", given=str(rest))
            found = [f for f in report["wheels"][0]["findings"]
                     if f["rule"] in ("cuda/undeclared-package", "cuda/indirect-package") and f["evidence"].get("package") == gone]
            names = sorted({(f["where"], f["evidence"]["soname"]) for f in found})
            print(f"without {gone}: {', '.join(f'{where} needs {soname}' for where, soname in names) or 'nothing needs it'}", flush=True)
            if bool(names) == (gone in OPENED | BROUGHT):
                self.fault(f"without {gone}: " + ("named, though opened or brought" if names else "nothing names it"))

    def installed(self, site):
        """The findings with --env are those with --with."""
        def findings(report):
            return sorted((f["rule"], f["where"] or "", f["message"]) for f in report["wheels"][0]["findings"])
        given = findings(self.json("check", "--format", "json", "--no-hash", str(self.torch)))
        installed = findings(self.json("check", "--format", "json", "--no-hash", str(self.torch), given=str(site)))
        for extra in sorted(set(given) ^ set(installed)):
            self.fault(f"--with and --env differ: {extra}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--wheels", type=pathlib.Path, default=HERE / "cache")
    args = parser.parse_args()
    torch = args.wheels / TORCH
    others = [next(args.wheels.glob(f"{prefix}*.whl"), None) for prefix in DEPENDENCIES]
    if not torch.exists() or None in others or not pathlib.Path(LOADER).exists():
        lacking = [TORCH] * (not torch.exists()) + [p for p, o in zip(DEPENDENCIES, others) if o is None]
        print(f"SKIPPED: not fetched: {', '.join(lacking) or LOADER}")
        return SKIPPED
    proof = Proof(str(pathlib.Path(args.tool).resolve()), torch, others)
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "lib" / "python3.12" / "site-packages"
        for wheel in [torch, *others]:
            with zipfile.ZipFile(wheel) as archive:
                wanted = [name for name in archive.namelist() if ".so" in name or ".dist-info/" in name or "/bin/" in name]
                archive.extractall(site, wanted)
        proof.closures(site)
        proof.installed(site)
        proof.without_each(pathlib.Path(folder), site)
    print(f"environment: {len(others)} wheels beside torch, {proof.compared} needs compared with the loader, {proof.faults} faults")
    return 1 if proof.faults else 0


if __name__ == "__main__":
    sys.exit(main())
