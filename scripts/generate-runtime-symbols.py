#!/usr/bin/env python3
"""Writes rules/linux/tables/runtime-symbols.json, the names that the C runtimes export, by library, and
cxx-symbols.json, those of libstdc++, from the ones installed here (Debian's libc6, libgcc-s1, libatomic1,
zlib1g, libstdc++6 and musl) with `nm -D`."""
import glob
import json
import pathlib
import subprocess

LIBRARIES = ["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgcc_s.so.1", "libresolv.so.2",
             "libmvec.so.1", "libatomic.so.1", "libz.so.1"]
# glibc 2.34 moved these into libc.so.6; a wheel for an older tag still needs the library by name.
FORMER = {"libpthread.so.0": ("pthread_", "sem_"), "libdl.so.2": ("dlopen", "dlsym", "dlclose", "dlerror", "dladdr"),
          "librt.so.1": ("clock_", "timer_", "shm_", "mq_", "aio_")}
# What later releases of libstdc++ than the one installed export: GCC 13 and 14.
LATER = ["_ZSt21ios_base_library_initv", "__cxa_call_terminate",
         "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm",
         "_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE15_M_replace_coldEPwmPKwmm"]
LATER_PREFIXES = ["_ZNSt6chrono", "_ZNKSt6chrono", "_ZNSt8__format", "_ZTIDF16", "_ZTIPDF16", "_ZTIPKDF16"]
# Names differ with the sizes of the machine's types: on others than x86_64 and aarch64 these beginnings do.
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


def by_beginning(names, length=24):
    """Names by their first characters, which mangled names share by the hundred: {beginning: [rest]}."""
    groups = {}
    for name in names:
        groups.setdefault(name[:length], []).append(name[length:])
    return groups


def main():
    libraries = {name: exported(name) for name in [*LIBRARIES, MUSL]}
    for library, prefixes in FORMER.items():
        libraries[library] = sorted(n for n in libraries["libc.so.6"] if n.startswith(prefixes))
    tables = pathlib.Path(__file__).parent.parent / "rules/linux/tables"
    about = "Written by scripts/generate-runtime-symbols.py."
    runtimes = {"about": f"Names that the C runtimes export, by library. {about}", "libraries": libraries}
    (tables / "runtime-symbols.json").write_text(json.dumps(runtimes, indent=0) + "\n")
    names = sorted({*exported("libstdc++.so.6"), *LATER})
    cxx = {"about": "Names that libstdc++ exports on the machines listed, by their first characters, and how such names begin, there (of releases "
                    f"later than the one that the names are from) and on other machines. {about}",
           "machines": ["x86_64", "aarch64"], "later_prefixes": LATER_PREFIXES, "other_prefixes": PREFIXES,
           "names": by_beginning(name for name in names if not name.startswith(("GLIBCXX_", "CXXABI_")))}
    (tables / "cxx-symbols.json").write_text(json.dumps(cxx, indent=0) + "\n")


main()
