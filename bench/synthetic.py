"""Makes the wheels that no index has: hundreds of extensions, of symbols, of members, of wheels.

Built with gcc and Python's zipfile, and not with our own forge, so that sizes and layouts are those
of real tools. Each function answers a path and makes the wheel only if it is not there.
"""
import base64
import hashlib
import os
import pathlib
import random
import subprocess
import tempfile
import zipfile

TAG = "cp312-cp312-manylinux_2_28_x86_64"
EXTENSION = """
#include <stdlib.h>
#include <string.h>
void *PyModule_Create2(void *, int);
static int table[256];
int work_{name}(const char *text, size_t size) {{
  char *copy = malloc(size + 1);
  if (!copy) return -1;
  memcpy(copy, text, size);
  int sum = {seed};
  for (size_t i = 0; i < size; ++i) sum = sum * 31 + copy[i] + table[copy[i] & 255];
  free(copy);
  return sum;
}}
void *PyInit_{name}(void) {{ return PyModule_Create2(table, 1013); }}
"""


def wheel(path, name, files, level=6):
    """Writes a wheel of (member path, bytes) pairs, with metadata and RECORD as build tools do."""
    info = f"{name}-1.0.dist-info"
    files = [*files,
             (f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
                                  f"License: MIT\nRequires-Python: >=3.12,<3.13\n".encode()),
             (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: bench (1.0)\nRoot-Is-Purelib: false\n"
                               f"Tag: {TAG}\n".encode())]
    record = []
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for member, data in files:
            entry = zipfile.ZipInfo(member, (2024, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, data, compresslevel=level)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{member},sha256={digest},{len(data)}\n")
        archive.writestr(f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]))
    os.replace(partial, path)
    return path


def compiled(source, suffix=".c", *options):
    """The shared library of a source text."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = pathlib.Path(folder, f"source{suffix}"), pathlib.Path(folder, "out.so")
        file.write_text(source)
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-s", *options, file, "-o", out], check=True,
                       cwd=folder)
        return out.read_bytes()


def extension(name):
    seed = int(hashlib.sha256(name.encode()).hexdigest()[:6], 16)
    return compiled(EXTENSION.format(name=name, seed=seed))


def extensions(folder, count):
    """One wheel of many small extensions."""
    path = folder / f"extensions{count}-1.0-{TAG}.whl"
    if path.exists():
        return path
    files = [("manyext/__init__.py", b"")]
    files += [(f"manyext/m{i}.cpython-312-x86_64-linux-gnu.so", extension(f"m{i}"))
              for i in range(count)]
    return wheel(path, f"extensions{count}", files)


def symbols(folder, count):
    """One wheel of one library that exports many symbols, with names as C++ has them."""
    path = folder / f"symbols{count}-1.0-{TAG}.whl"
    if path.exists():
        return path
    lines = [".text\n"]
    for i in range(count):
        name = f"_ZN4demo8registry{len(str(i)) + 8}operator{i}EPKcS2_jRKNSt7__cxx1112basic_stringE"
        lines.append(f".globl {name}\n.type {name},@function\n{name}: ret\n.size {name},1\n")
    library = compiled("".join(lines) + '.section .note.GNU-stack,"",@progbits\n', ".s")
    return wheel(path, f"symbols{count}", [("manysym/__init__.py", b""), ("manysym/lib.so", library)])


def text(random_source, size):
    """Python-like bytes that deflate to about a third."""
    words = [f"{random_source.choice('abcdefgh')}{random_source.getrandbits(16):x}" for _ in range(4096)]
    out, length = [], 0
    while length < size:
        line = " = ".join(random_source.choices(words, k=4)) + "\n"
        out.append(line)
        length += len(line)
    return "".join(out).encode()[:size]


def members(folder, count):
    """One wheel of many small modules."""
    path = folder / f"members{count}-1.0-{TAG}.whl"
    if path.exists():
        return path
    source = random.Random(count)
    files = [("manyfiles/__init__.py", b"")]
    files += [(f"manyfiles/p{i // 100}/m{i}.py", text(source, 600)) for i in range(count)]
    return wheel(path, f"members{count}", files)


def large(folder, mebibytes):
    """One wheel of one library, most of it read-only data that deflates to about a third."""
    path = folder / f"large{mebibytes}-1.0-{TAG}.whl"
    if path.exists():
        return path
    block = text(random.Random(mebibytes), 4 << 20)
    with tempfile.TemporaryDirectory() as data:
        blob = pathlib.Path(data, "blob")
        with open(blob, "wb") as stream:
            for i in range(mebibytes // 4):
                stream.write(bytes(block[i:] + block[:i]))
        source = (f'.section .rodata\n.globl blob\nblob: .incbin "{blob}"\n'
                  '.section .note.GNU-stack,"",@progbits\n')
        library = compiled(source, ".s")
    return wheel(path, f"large{mebibytes}", [("big/__init__.py", b""), ("big/lib.so", library)], level=1)


def hundred_kilobytes(folder):
    """One wheel of about 100 KB: an extension and a few modules."""
    path = folder / f"hundred-1.0-{TAG}.whl"
    if path.exists():
        return path
    source = random.Random(100)
    files = [("hundred/__init__.py", b""), ("hundred/m.cpython-312-x86_64-linux-gnu.so", extension("m"))]
    files += [(f"hundred/m{i}.py", text(source, 12_000)) for i in range(18)]
    return wheel(path, "hundred", files)


def small(folder, count):
    """Many wheels of one small extension each."""
    folder = folder / f"small{count}"
    folder.mkdir(exist_ok=True)
    paths = []
    for i in range(count):
        path = folder / f"small{i}-1.0-{TAG}.whl"
        if not path.exists():
            wheel(path, f"small{i}", [(f"small{i}/__init__.py", b""), (
                f"small{i}/m{i}.cpython-312-x86_64-linux-gnu.so", extension(f"m{i}"))])
        paths.append(path)
    return paths
