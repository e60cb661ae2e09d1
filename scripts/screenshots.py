#!/usr/bin/env python3
"""Makes docs/report-*.png: the HTML report on forged wheels, as a browser shows it.

    python3 scripts/screenshots.py BINARY [FOLDER]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def code(**sizes):
    """Device code from keywords: sass_80=300000 is SASS for 8.0 of that many bytes."""
    entries = []
    for name, size in sizes.items():
        form, arch = name.split("_")
        entries.append({"form": form, "arch": f"{arch[:-1]}.{arch[-1]}", "bytes": size})
    return entries


def library(name, *containers, needed=(), **elf):
    return {"mode": "0755", "elf": {
        "machine": "x86_64", "soname": name, "needed": [*needed, "libcudart.so.13", "libc.so.6"],
        "runpath": "$ORIGIN/../../nvidia/cu13/lib:$ORIGIN", "imports": ["malloc@GLIBC_2.2.5:libc.so.6"],
        "gpu": {"containers": [{"code": container} for container in containers]}, **elf}}


# The pictures show one wheel with something of everything, and a sound one.
RECIPES = {
    "broken": {"base": "cuda13", "change": {"files": {
        "demo/lib/libdemo_cuda.so": {"elf": {
            "needed": ["libdemo_attention.so", "libdemo_gemm.so", "libcudart.so.13", "libc.so.6"],
            "runpath": "$ORIGIN/../nvidia/cu13/lib:$ORIGIN:/home/ci/build/lib"}},
        "demo/lib/libdemo_attention.so": library(
            "libdemo_attention.so",
            code(sass_80=1900000, sass_90=2600000, sass_100=3100000, ptx_100=240000),
            code(sass_80=700000, sass_90=900000), needed=["libdemo_gemm.so"]),
        "demo/lib/libdemo_gemm.so": library(
            "libdemo_gemm.so", code(sass_75=800000, sass_80=1200000, sass_90=1500000, ptx_90=90000, lto_90=60000),
            stack="rwx"),
        "demo/.DS_Store": {"text": "x"}, "demo/kernels.cu.orig": {"text": "x"}}}},
    "clean": {"base": "native", "change": {}},
}


# Name, width, height, dark, and the element at the top.
SHOTS = [("findings", 1100, 1150, False, None), ("gpu-dark", 1100, 1050, True, ".gpu"),
         ("gpu-phone", 390, 1000, False, ".gpu"), ("findings-phone-dark", 390, 1000, True, None)]


def forge(binary, folder):
    for name, recipe in RECIPES.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(recipe))
        (folder / "dist").mkdir(exist_ok=True)
        subprocess.run([binary, "forge", path, "-o", folder / "dist"], check=True, stderr=subprocess.PIPE, cwd=ROOT)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    out = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs").resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        forge(binary, folder)
        subprocess.run([binary, "check", "dist", "--format", "html=report.html"], cwd=folder, stderr=subprocess.PIPE)
        page = browser.Browser()
        try:
            for label, width, height, dark, above in SHOTS:
                page.open(f"file://{folder}/report.html", width, 800, dark)
                page.screenshot(out / f"report-{label}.png", height, above)
                print(out / f"report-{label}.png")
        finally:
            page.close()


if __name__ == "__main__":
    main()
