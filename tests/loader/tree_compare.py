#!/usr/bin/env python3
"""Holds the loader model to the real loaders: compare.py BINARY

Each scenario is a few libraries, made with the compiler and patchelf, in a folder that stands for
site-packages. A small program opens the root with dlopen, under glibc and under musl, and prints
what was loaded; `tree --json` says what the model thinks of a wheel of the same files. Both have to
agree on whether everything is found, and on the set of files.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HOST = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
static int show(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size; (void)data;
  printf("%s\n", info->dlpi_name);
  return 0;
}
int main(int argc, char** argv) {
  (void)argc;
  if (!dlopen(argv[1], RTLD_NOW)) { printf("failed: %s\n", dlerror()); return 1; }
  dl_iterate_phdr(show, 0);
  return 0;
}
"""


def lib(needs=(), soname=None, rpath=None, runpath=None, machine=None):
    return {"needs": needs, "soname": soname, "rpath": rpath, "runpath": runpath, "machine": machine}


# Name, C libraries, files; the first file is the root. Whether all is found is the loaders' to say.
SCENARIOS = [
    ("runpath of its own", "glibc musl", {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/lib"), "p/lib/liba.so": lib()}),
    ("no search path", "glibc musl", {"p/root.so": lib(["liba.so"]), "p/liba.so": lib()}),
    ("runpath and a dependency's need", "glibc musl",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/a:$ORIGIN/b"), "p/a/liba.so": lib(["libb.so"]), "p/b/libb.so": lib()}),
    ("rpath and a dependency's need", "glibc musl",
     {"p/root.so": lib(["liba.so"], rpath="$ORIGIN/a:$ORIGIN/b"), "p/a/liba.so": lib(["libb.so"]), "p/b/libb.so": lib()}),
    ("rpath hidden by the dependency's own runpath", "glibc musl",
     {"p/root.so": lib(["liba.so"], rpath="$ORIGIN/a:$ORIGIN/b"),
      "p/a/liba.so": lib(["libb.so"], runpath="$ORIGIN/c"), "p/b/libb.so": lib()}),
    ("a runpath in the chain does not end it", "glibc musl",
     {"p/root.so": lib(["liba.so"], rpath="$ORIGIN/a:$ORIGIN/d"), "p/a/liba.so": lib(["libb.so"], runpath="$ORIGIN"),
      "p/a/libb.so": lib(["libd.so"]), "p/d/libd.so": lib()}),
    ("both tags: rpath is ignored", "glibc musl",
     {"p/root.so": lib(["liba.so"], rpath="$ORIGIN/a", runpath="$ORIGIN/b"), "p/a/liba.so": lib()}),
    ("loaded before under that name", "glibc musl",
     {"p/root.so": lib(["liba.so", "libb.so"], runpath="$ORIGIN/lib"), "p/lib/liba.so": lib(),
      "p/lib/libb.so": lib(["liba.so"])}),
    ("asked for before it is loaded", "glibc musl",
     {"p/root.so": lib(["libb.so", "liba.so"], runpath="$ORIGIN/lib"), "p/lib/liba.so": lib(),
      "p/lib/libb.so": lib(["liba.so"])}),
    ("a need that is the soname of another file", "glibc musl",
     {"p/root.so": lib(["liba.so", "libb.so"], runpath="$ORIGIN/lib"), "p/lib/liba.so": lib(soname="libother.so"),
      "p/lib/libb.so": lib(["libother.so"])}),
    ("the root's soname", "glibc musl",
     {"p/root.so": lib(["liba.so"], soname="libroot.so", runpath="$ORIGIN/lib"), "p/lib/liba.so": lib(["libroot.so"])}),
    ("the root's file name without soname", "glibc musl",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/lib"), "p/lib/liba.so": lib(["root.so"])}),
    ("braces", "glibc musl", {"p/root.so": lib(["liba.so"], runpath="${ORIGIN}/lib"), "p/lib/liba.so": lib()}),
    ("dots and slashes", "glibc musl",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/./x/../lib//"), "p/lib/liba.so": lib(), "p/x/y.so": lib()}),
    ("the parent's directory", "glibc musl",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/../p.libs"), "p.libs/liba.so": lib()}),
    ("another machine's file is passed over", "glibc",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/a:$ORIGIN/b"), "p/a/liba.so": lib(machine=183), "p/b/liba.so": lib()}),
    ("the first directory that has it", "glibc musl",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/a:$ORIGIN/b"), "p/a/liba.so": lib(), "p/b/liba.so": lib()}),
    ("two that need each other", "glibc musl",
     {"p/root.so": lib(["liba.so"], rpath="$ORIGIN"), "p/liba.so": lib(["libb.so"]), "p/libb.so": lib(["liba.so"])}),
    ("a hwcaps directory of no machine", "glibc",
     {"p/root.so": lib(["liba.so"], runpath="$ORIGIN/lib"), "p/lib/glibc-hwcaps/x86-64-v9/liba.so": lib()}),
    ("a relative entry", "glibc musl", {"p/root.so": lib(["liba.so"], runpath="lib"), "p/lib/liba.so": lib()}),
]


def make(path, spec, base):
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(base, path)
    commands = [["--add-needed", need] for need in reversed(spec["needs"])]
    commands += [["--set-soname", spec["soname"]]] if spec["soname"] else []
    if spec["rpath"] and spec["runpath"]:
        raise_both(path, spec)
    else:
        commands += [["--force-rpath", "--set-rpath", spec["rpath"]]] if spec["rpath"] else []
        commands += [["--set-rpath", spec["runpath"]]] if spec["runpath"] else []
    for command in commands:
        subprocess.run(["patchelf", *command, path], check=True, capture_output=True)
    if spec["machine"]:
        data = bytearray(path.read_bytes())
        data[18:20] = spec["machine"].to_bytes(2, "little")
        path.write_bytes(data)


def raise_both(path, spec):
    """Both tags: no tool writes them, so DT_RUNPATH is set and a DT_DEBUG-sized entry becomes DT_RPATH."""
    subprocess.run(["patchelf", "--set-soname", spec["rpath"], path], check=True)  # the string, under DT_SONAME
    subprocess.run(["patchelf", "--set-rpath", spec["runpath"], path], check=True)
    data = path.read_bytes()
    out = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True, text=True).stdout
    line = next(line.split() for line in out.splitlines() if line.strip().startswith("DYNAMIC"))
    offset, size = int(line[1], 16), int(line[4], 16)
    table = bytearray(data)
    for at in range(offset, offset + size, 16):
        if int.from_bytes(table[at:at + 8], "little") == 14:  # DT_SONAME becomes DT_RPATH
            table[at:at + 8] = (15).to_bytes(8, "little")
    path.write_bytes(table)


def real(host, site, root):
    done = subprocess.run([host, site / root], cwd="/", capture_output=True, text=True)
    if done.returncode != 0:
        return None
    loaded = {pathlib.Path(line).resolve() for line in done.stdout.splitlines() if line.startswith(str(site))}
    return {str(path.relative_to(site)) for path in loaded}


def model(binary, site, root, libc):
    tag = {"glibc": "manylinux_2_28_x86_64", "musl": "musllinux_1_2_x86_64"}[libc]
    wheel = site.parent / f"p-1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted(site.rglob("*.so")):
            archive.write(path, path.relative_to(site))
    done = subprocess.run([binary, "tree", "--json", wheel], capture_output=True, text=True, check=True)
    closure = next(c for c in json.loads(done.stdout) if c["root"] == root)
    if any(edge["met"] == "absent" for edge in closure["edges"]):
        return None
    return {root} | {edge["to"] for edge in closure["edges"]}


def main():
    binary, failed, asked = pathlib.Path(sys.argv[1]).resolve(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "host.c").write_text(HOST)
        (folder / "empty.c").write_text("")
        (folder / "module.c").write_text("void* PyInit_root(void) { return 0; }\n")
        for libc, compiler in (("glibc", "gcc"), ("musl", "musl-gcc")):
            host = folder / f"host-{libc}"
            bases = {}
            for source in ("module", "empty"):  # an extension is a root, whoever needs its name
                bases[source] = folder / f"{source}-{libc}.so"
                subprocess.run([compiler, "-shared", "-nostdlib", "-fPIC", folder / f"{source}.c", "-o", bases[source]],
                               check=True)
            subprocess.run([compiler, folder / "host.c", "-o", host, "-ldl"], check=True)
            for number, (name, libcs, files) in enumerate(SCENARIOS):
                if libc not in libcs.split():
                    continue
                site = folder / f"{libc}-{number}" / "site"
                root = next(iter(files))
                for path, spec in files.items():
                    make(site / path, spec, bases["module" if path == root else "empty"])
                said, happened = model(binary, site, root, libc), real(host, site, root)
                asked += 1
                if said != happened:
                    failed += 1
                    print(f"FAIL {libc}: {name}: the model says {said}, the loader {happened}")
    print(f"loader: {asked} scenarios, {failed} differ")
    sys.exit(1 if failed or not asked else 0)


main()
