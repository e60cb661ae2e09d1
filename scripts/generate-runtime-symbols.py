#!/usr/bin/env python3
"""Writes rules/linux/tables/runtime-symbols.json: the names that the C and C++ runtimes export, by
library, from the ones installed here (Debian's libc6, libgcc-s1, libatomic1, zlib1g and musl) with `nm -D`."""
import glob
import json
import pathlib
import subprocess

LIBRARIES = ["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgcc_s.so.1", "libresolv.so.2",
             "libmvec.so.1", "libatomic.so.1", "libz.so.1"]
# glibc 2.34 moved these into libc.so.6; a wheel for an older tag still needs the library by name.
FORMER = {"libpthread.so.0": ("pthread_", "sem_"), "libdl.so.2": ("dlopen", "dlsym", "dlclose", "dlerror", "dladdr"),
          "librt.so.1": ("clock_", "timer_", "shm_", "mq_", "aio_")}
# libstdc++ exports some 6,000 mangled names, and programs instantiate more of its templates.
PREFIXES = ["_ZNSt", "_ZNKSt", "_ZSt", "_ZTISt", "_ZTVSt", "_ZTSSt", "_ZTTSt", "_ZNVSt", "_ZGVNSt", "_ZN9__gnu_cxx",
            "_ZNK9__gnu_cxx", "_ZN10__cxxabiv1", "_ZTVN10__cxxabiv1", "_ZTIN10__cxxabiv1", "_ZnwmSt", "_ZnamSt",
            "_ZdlPv", "_ZdaPv", "_Znw", "_Zna", "__cxa_", "__gxx_personality", "_ZNSo", "_ZNSi", "_ZNSs", "_ZNKSs",
            "_ZNSa", "_ZNSb", "_ZNSd", "_ZNKSa", "_ZNKSb", "_ZNKSi", "_ZNKSo", "_ZNKSd", "_ZTVS",
            "_ZTTS", "_ZTIS", "_ZTSS", "_ZTVNSt", "_ZTTNSt", "_ZTINSt", "_ZTSNSt", "_ZTVNKSt", "_ZTINKSt", "_ZTSNKSt",
            "_ZTIP", "_ZTIK", "_ZTIb", "_ZTIc", "_ZTId", "_ZTIf", "_ZTIi", "_ZTIj", "_ZTIl", "_ZTIm", "_ZTIv"]


MUSL = "libc.musl-x86_64.so.1"


def exported(library):
    paths = glob.glob(f"/lib/*/{library}") + glob.glob(f"/usr/lib/*/{library}")
    paths += ["/lib/ld-musl-x86_64.so.1"] if library == MUSL else []
    out = subprocess.run(["nm", "-D", "--defined-only", paths[0]], check=True, capture_output=True, text=True).stdout
    return sorted({line.split()[-1].split("@")[0] for line in out.splitlines()})


def main():
    libraries = {name: exported(name) for name in [*LIBRARIES, MUSL]}
    for library, prefixes in FORMER.items():
        libraries[library] = sorted(n for n in libraries["libc.so.6"] if n.startswith(prefixes))
    table = {"about": "Names that the C and C++ runtimes export, by library, and prefixes of libstdc++'s mangled names. "
                      "Written by scripts/generate-runtime-symbols.py.",
             "prefixes": PREFIXES, "libraries": libraries}
    path = pathlib.Path(__file__).parent.parent / "rules/linux/tables/runtime-symbols.json"
    path.write_text(json.dumps(table, indent=0) + "\n")


main()
