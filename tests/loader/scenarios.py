"""What each rule of the loaders looks like as files. `expect` gives, by C library, the objects in
the order of loading, or `missing NAME` where loading fails; the real loader and the model must both
say so. Paths are wheel members; the root is demo/_C.so."""

ROOT = "demo/_C.so"


def lib(*needed, soname=None, rpath=None, runpath=None, patch=None):
    """A library to link; `patch` is (offset, bytes) to write over its ELF header."""
    return {"needed": needed, "soname": soname, "rpath": rpath, "runpath": runpath, "patch": patch}


TEXT = "INPUT(libreal.so)\n"  # a file that is no ELF file
DIRECTORY = None
OTHER_CLASS = (4, b"\x01")
OTHER_DATA = (5, b"\x02")
OTHER_MACHINE = (18, b"\x16\x00")  # EM_S390


def both(*loaded):
    return {"glibc": list(loaded), "musl": list(loaded)}


def missing(name):
    return {"glibc": f"missing {name}", "musl": f"missing {name}"}


def chain(first, second, third=None, **more):
    """_C.so needs liba.so in demo.libs, which needs libb.so in other."""
    return {ROOT: first, "demo.libs/liba.so": second, "other/libb.so": third or lib(), **more}


TO_LIBS = "$ORIGIN/../demo.libs"
TO_BOTH = "$ORIGIN/../demo.libs:$ORIGIN/../other"
A, B = "demo.libs/liba.so", "other/libb.so"

SCENARIOS = {
    "DT_RUNPATH finds": (
        {ROOT: lib("liba.so", runpath=TO_LIBS), A: lib()}, both(ROOT, A)),
    "DT_RUNPATH is inherited by musl only": (
        chain(lib("liba.so", runpath=TO_BOTH), lib("libb.so")),
        {"glibc": "missing libb.so", "musl": [ROOT, A, B]}),
    "DT_RPATH is inherited": (
        chain(lib("liba.so", rpath=TO_BOTH), lib("libb.so")), both(ROOT, A, B)),
    "an object with DT_RUNPATH does not see inherited DT_RPATH": (
        chain(lib("liba.so", rpath=TO_BOTH), lib("libb.so", runpath="$ORIGIN")),
        {"glibc": "missing libb.so", "musl": [ROOT, A, B]}),
    "an object with DT_RUNPATH does not end the chain": (
        {ROOT: lib("liba.so", rpath="$ORIGIN/../demo.libs:$ORIGIN/../other:$ORIGIN/../third"),
         A: lib("libb.so", runpath="$ORIGIN/../other"), B: lib("libc3.so"), "third/libc3.so": lib()},
        both(ROOT, A, B, "third/libc3.so")),
    "DT_RUNPATH in the middle of the chain gives glibc nothing": (
        {ROOT: lib("liba.so", rpath=TO_LIBS), A: lib("libb.so", runpath=TO_BOTH),
         B: lib("libc3.so"), "demo.libs/libc3.so": lib()},
        both(ROOT, A, B, "demo.libs/libc3.so")),
    "DT_RUNPATH in the middle of the chain alone": (
        {ROOT: lib("liba.so", rpath="$ORIGIN/../one"), "one/liba.so": lib("libb.so", runpath=TO_BOTH),
         B: lib("libc3.so"), "demo.libs/libc3.so": lib()},
        {"glibc": "missing libc3.so", "musl": [ROOT, "one/liba.so", B, "demo.libs/libc3.so"]}),
    "own DT_RPATH comes before inherited": (
        {ROOT: lib("liba.so", rpath="$ORIGIN/../demo.libs:$ORIGIN/../far"),
         A: lib("libb.so", rpath="$ORIGIN/../other"), B: lib(), "far/libb.so": lib()},
        both(ROOT, A, B)),
    "the nearest ancestor's DT_RPATH comes first": (
        {ROOT: lib("liba.so", rpath="$ORIGIN/../demo.libs:$ORIGIN/../far"),
         A: lib("libb.so", rpath="$ORIGIN/../other"), B: lib("libd.so"),
         "other/libd.so": lib(), "far/libd.so": lib()},
        both(ROOT, A, B, "other/libd.so")),
    "inherited $ORIGIN is that of its owner": (
        {ROOT: lib("liba.so", rpath="$ORIGIN/deep:$ORIGIN/deep/er"), "demo/deep/liba.so": lib("libb.so"),
         "demo/deep/er/libb.so": lib("libd.so"), "demo/deep/libd.so": lib(),
         "demo/deep/er/deep/libd.so": lib()},
        both(ROOT, "demo/deep/liba.so", "demo/deep/er/libb.so", "demo/deep/libd.so")),
    "the chain goes through what loaded first": (
        {ROOT: lib("libx.so", "liby.so", runpath="$ORIGIN"),
         "demo/libx.so": lib("libs.so", runpath="$ORIGIN"),
         "demo/liby.so": lib("libs.so", "libt.so", rpath="$ORIGIN:$ORIGIN/../other"),
         "demo/libs.so": lib("libt.so"), "demo/libt.so": lib()},
        {"glibc": [ROOT] + [f"demo/lib{x}.so" for x in "xyst"],
         "musl": [ROOT] + [f"demo/lib{x}.so" for x in "xyst"]}),
    "breadth first": (
        {ROOT: lib("liba.so", "libb.so", rpath="$ORIGIN"), "demo/liba.so": lib("libd.so"),
         "demo/libb.so": lib("libe.so"), "demo/libd.so": lib(), "demo/libe.so": lib()},
        both(ROOT, *(f"demo/lib{x}.so" for x in "abde"))),
    "a cycle": (
        {ROOT: lib("liba.so", rpath="$ORIGIN"), "demo/liba.so": lib("libb.so"),
         "demo/libb.so": lib("liba.so", "libb.so")},
        both(ROOT, "demo/liba.so", "demo/libb.so")),
    "${ORIGIN}": ({ROOT: lib("liba.so", runpath="${ORIGIN}/../demo.libs"), A: lib()}, both(ROOT, A)),
    "$ORIGIN alone": (
        {ROOT: lib("liba.so", runpath="$ORIGIN"), "demo/liba.so": lib()}, both(ROOT, "demo/liba.so")),
    "text right after $ORIGIN": (
        {ROOT: lib("liba.so", runpath="$ORIGIN.libs"), A: lib()}, both(ROOT, A)),
    "$ORIGINAL": (
        {ROOT: lib("liba.so", runpath="$ORIGINAL"), "demoAL/liba.so": lib()},
        {"glibc": "missing liba.so", "musl": [ROOT, "demoAL/liba.so"]}),
    "$ORIGIN twice": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/$ORIGIN"), "demo/$ORIGIN/liba.so": lib(),
         "demo/liba.so": lib()}, missing("liba.so")),
    "an unknown token": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/$HOME:$ORIGIN"), "demo/$HOME/liba.so": lib(),
         "demo/liba.so": lib()},
        {"glibc": [ROOT, "demo/$HOME/liba.so"], "musl": "missing liba.so"}),
    "a host token": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/$LIB"),
         **{f"demo/{x}/liba.so": lib() for x in ("lib64", "lib", "lib/x86_64-linux-gnu",
                                                 "lib/aarch64-linux-gnu")}},
        {"glibc": [ROOT, "demo/$LIB/liba.so"], "musl": "missing liba.so"}),
    "a token in braces that does not close": (
        {ROOT: lib("liba.so", runpath="${ORIGIN/x:$ORIGIN"), "demo/liba.so": lib()},
        {"glibc": [ROOT, "demo/liba.so"], "musl": "missing liba.so"}),
    "an empty and a relative entry": (
        {ROOT: lib("liba.so", runpath=":demo:./demo:${UNKNOWN}"), "demo/liba.so": lib()},
        missing("liba.so")),
    "out of the prefix and back": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/../../../../lib/../lib/./python3//site-packages/demo"),
         "demo/liba.so": lib()}, both(ROOT, "demo/liba.so")),
    "the data scheme at the prefix": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/../../.."), "demo-1.data/data/lib/liba.so": lib()},
        both(ROOT, "demo-1.data/data/lib/liba.so")),
    "the platlib scheme": (
        {ROOT: lib("liba.so", runpath="$ORIGIN"), "demo-1.data/platlib/demo/liba.so": lib()},
        both(ROOT, "demo-1.data/platlib/demo/liba.so")),
    "a soname meets a need in glibc whatever the path": (
        {ROOT: lib("liba.so", "libb.so.1", runpath="$ORIGIN"), "demo/liba.so": lib(soname="libb.so.1"),
         "demo/libb.so.1": lib()},
        {"glibc": [ROOT, "demo/liba.so"], "musl": [ROOT, "demo/liba.so", "demo/libb.so.1"]}),
    "a soname without a file of that name": (
        {ROOT: lib("liba.so", "libb.so.1", runpath="$ORIGIN"), "demo/liba.so": lib(soname="libb.so.1")},
        {"glibc": [ROOT, "demo/liba.so"], "musl": "missing libb.so.1"}),
    "the root's soname meets a need": (
        {ROOT: lib("liba.so", soname="libroot.so", runpath="$ORIGIN"),
         "demo/liba.so": lib("libroot.so")},
        {"glibc": [ROOT, "demo/liba.so"], "musl": "missing libroot.so"}),
    "a root without soname does not meet its file name": (
        {ROOT: lib("liba.so", runpath="$ORIGIN"), "demo/liba.so": lib("_C.so")},
        {"glibc": "missing _C.so", "musl": [ROOT, "demo/liba.so"]}),
    "a root without soname is met through a search": (
        {ROOT: lib("liba.so", rpath="$ORIGIN"), "demo/liba.so": lib("_C.so", "libb.so", rpath="$ORIGIN"),
         "demo/libb.so": lib("_C.so", runpath="$ORIGIN/none")},
        both(ROOT, "demo/liba.so", "demo/libb.so")),
    "a name found once meets needs elsewhere": (
        {ROOT: lib("liba.so", "libb.so", runpath="$ORIGIN"), "demo/liba.so": lib(),
         "demo/libb.so": lib("liba.so")}, both(ROOT, "demo/liba.so", "demo/libb.so")),
    "two files of one name": (
        {ROOT: lib("liba.so", "libx.so", runpath="$ORIGIN:$ORIGIN/../other"), "demo/libx.so": lib(),
         "demo/liba.so": lib("libx.so", runpath="$ORIGIN/../other"), "other/libx.so": lib()},
        both(ROOT, "demo/liba.so", "demo/libx.so")),
    "a file of another class is passed over": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(),
              **{"demo/liba.so": lib(patch=OTHER_CLASS)}), {"glibc": [ROOT, A]}),
    "a file of another machine is passed over": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(),
              **{"demo/liba.so": lib(patch=OTHER_MACHINE)}), {"glibc": [ROOT, A]}),
    "a file of another byte order ends the search": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(),
              **{"demo/liba.so": lib(patch=OTHER_DATA)}), {"glibc": "missing liba.so"}),
    "an object file ends the search": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(),
              **{"demo/liba.so": lib(patch=(16, b"\x01\x00"))}), missing("liba.so")),
    "a file that is no ELF file ends the search": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(), **{"demo/liba.so": TEXT}),
        missing("liba.so")),
    "a directory ends the search": (
        chain(lib("liba.so", runpath="$ORIGIN:" + TO_LIBS), lib(), **{"demo/liba.so/x": TEXT}),
        missing("liba.so")),
    "a need with a slash is not searched": (
        {ROOT: lib("sub/liba.so", runpath="$ORIGIN"), "demo/sub/liba.so": lib()},
        missing("liba.so")),
    "a need of $ORIGIN": (
        {ROOT: lib("$ORIGIN/sub/liba.so", "liba.so", runpath="$ORIGIN/none"),
         "demo/sub/liba.so": lib(soname="liba.so")},
        {"glibc": [ROOT, "demo/sub/liba.so"], "musl": "missing liba.so"}),
    "a machine's copy stands for the baseline file": (
        {ROOT: lib("liba.so", runpath="$ORIGIN"), "demo/liba.so": lib(),
         "demo/glibc-hwcaps/x86-64-v2/liba.so": lib()}, both(ROOT, "demo/liba.so")),
    "a machine's copy alone is no baseline": (
        {ROOT: lib("liba.so", runpath="$ORIGIN"), "demo/glibc-hwcaps/x86-64-v2/liba.so": lib()},
        missing("liba.so")),
    "the host's C and math libraries are there first": (
        {ROOT: lib("libm.so.6", "libc.so.6", runpath="$ORIGIN"), "demo/libm.so.6": lib(),
         "demo/libc.so.6": lib()}, both(ROOT)),
    "an entry said twice, and an end of line": (
        {ROOT: lib("liba.so", runpath="$ORIGIN/none\n$ORIGIN:$ORIGIN/x:$ORIGIN/x"),
         "demo/x/liba.so": lib(), "demo/liba.so": lib()},
        {"glibc": [ROOT, "demo/x/liba.so"], "musl": [ROOT, "demo/liba.so"]}),
}
