#!/usr/bin/env python3
"""What is released, looked at as its users would: the static binary, the packages, the wheel.

    python3 tests/packaging/run.py static|packages|wheel

Builds nothing: exits 77 (skipped) where the artefact was not built, and says by which script it is.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "build/static/wheel-audit"
BASE = ROOT / "fixtures/_base/cuda13.json"


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, timeout=600, **options)
    if done.returncode != code:
        sys.exit(f"{command} exited {done.returncode}, expected {code}:\n{done.stdout}")
    return done.stdout


def check(condition, what):
    if not condition:
        sys.exit(what)


def skip_unless(found, script):
    if not found:
        print(f"skipped: not built (sh scripts/{script})")
        sys.exit(77)


def as_root(*command):
    """The command as root, or in a user namespace of its own where this is not root."""
    return [*command] if os.geteuid() == 0 else ["unshare", "--map-root-user", *command]


def static():
    skip_unless(STATIC.exists(), "build-static.sh")
    dynamic = run("readelf", "-dW", STATIC)
    check("(NEEDED)" not in dynamic, "the binary needs shared libraries")
    check("PATH)" not in dynamic, "the binary has a search path")
    check("INTERP" not in run("readelf", "-lW", STATIC), "the binary asks for a loader")
    check("no symbols" in run("nm", STATIC).lower(), "the binary is not stripped")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(STATIC, folder)
        shutil.copy(BASE, folder)
        inside = as_root("chroot", folder, "/wheel-audit")
        print(run(*inside, "selftest").splitlines()[-1])
        run(*inside, "forge", "/cuda13.json", "-o", "/")
        wheel = next(pathlib.Path(folder).glob("*.whl"))
        check(": clean" in run(*inside, "check", f"/{wheel.name}"), "a sound wheel is not clean")
        # Nothing of the environment is wanted either.
        run(*inside, "check", "/missing.whl", code=2, env={"PATH": os.environ["PATH"]})
    print(f"static: {STATIC.stat().st_size / 2**20:.1f} MiB, needs nothing")


def packages():
    found = sorted((ROOT / "build/static/packages").glob("wheel-audit*"))
    skip_unless(len(found) == 2, "build-packages.sh")
    (deb,) = [path for path in found if path.suffix == ".deb"]
    (archive,) = [path for path in found if path.name.endswith(".tar.gz")]
    wanted = ["bin/wheel-audit", "share/man/man1/wheel-audit.1", "share/doc/wheel-audit/LICENSE",
              "share/doc/wheel-audit/README.md", "share/doc/wheel-audit/docs/ci.md", "share/doc/wheel-audit/licenses/libzip-dev.txt",
              "share/bash-completion/completions/wheel-audit", "share/zsh/vendor-completions/_wheel-audit",
              "share/fish/vendor_completions.d/wheel-audit.fish"]
    with tempfile.TemporaryDirectory() as folder:
        for path, prefix in ((deb, "usr/"), (archive, archive.name.removesuffix(".tar.gz") + "/")):
            place = pathlib.Path(folder) / path.suffix
            place.mkdir()
            run(*(["dpkg-deb", "-x", path, place] if path == deb else ["tar", "xzf", path, "-C", place]))
            for name in wanted:
                there = place / prefix / name
                # Debian keeps manual pages and change logs compressed; CPack leaves them as they are.
                check(there.is_file() and there.stat().st_size > 0, f"{path.name} lacks {prefix}{name}")
            # The README's links lead somewhere there too.
            documents = place / prefix / "share/doc/wheel-audit"
            links = re.findall(r"\]\((?!https?:)([^)#]+)", (documents / "README.md").read_text())
            check(links, "the README links to nothing")
            dead = [link for link in links if not (documents / link).exists()]
            check(not dead, f"{path.name}: the README links to {dead}, which the package lacks")
            print(f"{path.name}: {run(place / prefix / 'bin/wheel-audit', 'selftest').splitlines()[-1]}")
    check("Depends" not in run("dpkg-deb", "-f", deb), "the package of a static binary depends on others")


def wheel():
    found = sorted((ROOT / "build/wheel/dist").glob("wheel_audit-*.whl"))
    skip_unless(found, "build-wheel.sh")
    (path,) = found
    tags = set(path.stem.split("-")[-1].split("."))
    check(tags == {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}, f"tags are {tags}")
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        run(f"{folder}/bin/pip", "install", "--no-index", "--disable-pip-version-check", path)
        tool = f"{folder}/bin/wheel-audit"
        # Installed from the wheel, it finds nothing wrong with the wheel.
        print(run(tool, "check", "--pack", "base,linux,pypi", "--fail-on", "note", path))
        print(run(tool, "selftest").splitlines()[-1])


def main():
    {"static": static, "packages": packages, "wheel": wheel}[sys.argv[1]]()


main()
