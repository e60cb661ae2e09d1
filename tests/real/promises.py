#!/usr/bin/env python3
"""What has to be said, and what must not, of published wheels that work by design: libraries that
Python loads beforehand, plugins of optional runtimes, packages that only an extra brings, torch that
is needed and not declared. Also ExecuTorch's wheels under the pack made for them.

    promises.py WHEEL_AUDIT [--wheels FOLDER]

Exit 0: all of it holds; 1: some does not; 77: a wheel is not there (fetch.py all).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# Errors that these wheels deserve, each true of the file (docs/field-report.md shows it): tags below
# what the libraries need, tags unlike the file name's, search paths of the machine that built them.
OWN_FAULTS = {
    "faiss_gpu_cu12-1.14": set(),
    "vllm-0.33": {"base/tag-mismatch"},
    "nvidia_nvshmem_cu12-3.8": {"linux/symbol-too-new", "linux/runpath-build-tree"},
    "nvidia_nvshmem_cu13-3.7": {"linux/symbol-too-new", "linux/runpath-build-tree"},
}
# cupy's modules for cuTENSOR and NCCL need libraries that neither a requirement nor an extra names.
CUPY_UNDECLARED = {"libcutensor.so.2", "libcutensorMg.so.2", "libnccl.so.2"}
# The pack's findings about ExecuTorch: rules with their number of findings, adjusted ones aside.
EXECUTORCH = {
    "1.5.1-cp312-cp312-manylinux_2_28_x86_64": ({}, {"linux/undeclared-library": 18, "linux/runpath-dangling": 30, "linux/runpath-repeated": 9}),
    "1.5.1-cp312-cp312-manylinux_2_28_aarch64": ({}, {"linux/undeclared-library": 18, "linux/runpath-dangling": 28, "linux/runpath-repeated": 7}),
    "1.5.1-cp312-cp312-macosx_14_0_arm64": ({}, {}),
    "1.5.1-cp312-cp312-win_amd64": ({}, {}),
    "1.5.0-cp312-cp312-manylinux_2_28_x86_64": ({}, {"linux/undeclared-library": 18, "linux/runpath-dangling": 30, "linux/runpath-repeated": 9}),
    "1.4.1-cp312-cp312-manylinux_2_28_x86_64": ({"linux/torch-unpinned": 5}, {}),
}


class Proof:
    def __init__(self, tool, wheels):
        self.tool, self.wheels, self.held, self.faults = tool, wheels, 0, 0

    def holds(self, truth, text):
        self.held += bool(truth)
        if not truth:
            self.faults += 1
            print(f"FAULT {text}", flush=True)

    def path(self, prefix):
        return next(self.wheels.glob(f"{prefix}*.whl"))

    def report(self, prefix, *options):
        result = subprocess.run([self.tool, "check", "--no-hash", "--format", "json", *options, str(self.path(prefix))],
                                capture_output=True, text=True)
        if not result.stdout:
            raise SystemExit(f"{prefix}: {result.stderr}")
        return json.loads(result.stdout)["wheels"][0]

    def works_by_design(self):
        """No error but the wheel's own faults; plugins of runtimes that most machines lack are told apart."""
        for prefix, own in OWN_FAULTS.items():
            findings = self.report(prefix)["findings"]
            errors = {finding["rule"] for finding in findings if finding["severity"] == "error"}
            self.holds(errors <= own, f"{prefix}: errors {sorted(errors - own)}")
            missing = [finding for finding in findings if finding["rule"] == "linux/missing-library"]
            self.holds(not missing, f"{prefix}: {[finding['message'] for finding in missing]}")
        warned = {finding["rule"]: finding["severity"] for finding in self.report("faiss_gpu_cu12-1.14")["findings"]}
        self.holds(warned.get("cuda/no-hop") == "warning", "faiss: libraries that Python preloads are a warning of cuda/no-hop")
        runtimes = {finding["evidence"]["runtime"] for finding in self.report("nvidia_nvshmem_cu13-3.7")["findings"]
                    if finding["rule"] == "linux/optional-library"}
        self.holds({"MPI", "PMIx", "UCX"} <= runtimes, f"nvshmem: optional runtimes {sorted(runtimes)}")
        brought = [finding for finding in self.report("vllm-0.33")["findings"] if finding["rule"] == "cuda/indirect-package"]
        self.holds(brought and all(finding["evidence"]["via"] == "torch" for finding in brought), "vllm: what torch brings")

    def extras(self):
        """What only an extra of the wheel brings is a warning that names the package."""
        packages = {"cupy_cuda12x": {"nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cuda-nvrtc-cu12"},
                    "onnxruntime_gpu": {"nvidia-cublas", "nvidia-cuda-runtime", "nvidia-cudnn-cu13", "nvidia-curand"}}
        for prefix, expected in packages.items():
            findings = self.report(prefix)["findings"]
            optional = [finding for finding in findings if finding["rule"] == "cuda/optional-package"]
            named = {finding["evidence"]["package"] for finding in optional}
            self.holds(expected <= named, f"{prefix}: cuda/optional-package names {sorted(named)}")
            self.holds(all(finding["severity"] == "warning" for finding in optional), f"{prefix}: cuda/optional-package is a warning")
            undeclared = {finding["evidence"]["soname"] for finding in findings if finding["rule"] == "cuda/undeclared-package"}
            self.holds(undeclared == (CUPY_UNDECLARED if prefix == "cupy_cuda12x" else set()), f"{prefix}: undeclared {sorted(undeclared)}")

    def torch_undeclared(self):
        for prefix in ("torchao-0.18", "executorch-1.5.1-cp312-cp312-manylinux_2_28_x86_64"):
            findings = [finding for finding in self.report(prefix)["findings"] if finding["severity"] == "error"]
            self.holds({finding["rule"] for finding in findings} == {"linux/undeclared-library"}, f"{prefix}: errors are of linux/undeclared-library alone")
            self.holds({finding["evidence"]["package"] for finding in findings} == {"torch"}, f"{prefix}: they name torch")

    def executorch(self):
        """Under its pack: no error and no warning but those that docs/executorch.md explains."""
        page = (HERE.parent.parent / "docs" / "executorch.md").read_text()
        for name, (expected, adjusted) in EXECUTORCH.items():
            report = self.report(f"executorch-{name}", "--pack", "executorch")
            found, set_aside = {}, {}
            for finding in report["findings"]:
                if finding["severity"] != "note":
                    found[finding["rule"]] = found.get(finding["rule"], 0) + 1
            for rule in sorted({finding["rule"] for finding in report["findings"]}):
                self.holds(f"`{rule}`" in page, f"executorch {name}: docs/executorch.md does not explain {rule}")
            for finding in report.get("adjusted", []):
                set_aside[finding["rule"]] = set_aside.get(finding["rule"], 0) + 1
            self.holds(found == expected, f"executorch {name}: {found}, expected {expected}")
            self.holds(set_aside == adjusted, f"executorch {name}: adjusted {set_aside}, expected {adjusted}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--wheels", type=pathlib.Path, default=HERE / "cache")
    args = parser.parse_args()
    wanted = [*OWN_FAULTS, "cupy_cuda12x-14", "onnxruntime_gpu-1", "torchao-0.18", *(f"executorch-{name}" for name in EXECUTORCH)]
    lacking = [prefix for prefix in wanted if not any(args.wheels.glob(f"{prefix}*.whl"))]
    if lacking:
        print(f"SKIPPED: not fetched: {', '.join(lacking)}")
        return SKIPPED
    proof = Proof(os.path.abspath(args.tool), args.wheels)
    proof.works_by_design()
    proof.extras()
    proof.torch_undeclared()
    proof.executorch()
    print(f"promises: {proof.held} held, {proof.faults} faults")
    return 1 if proof.faults else 0


if __name__ == "__main__":
    sys.exit(main())
