#!/usr/bin/env python3
"""Downloads the real wheels that wheels.tsv names, with pip's own client, and verifies each SHA-256.

    fetch.py small|large|all [PATTERN]      fetch rows of a set, those whose file name holds PATTERN
    fetch.py --add NAME[==VERSION] --set small --platform manylinux_2_28_x86_64 --python 3.12
                                            fetch the newest match and add its row

The index is whatever pip is set up to use. Files land in cache/, which git ignores.
"""
import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE / "cache"
TABLE = HERE / "wheels.tsv"
COLUMNS = ["name", "version", "file", "sha256", "size", "set"]


def rows():
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:] if line]


def save(table):
    table = sorted(table, key=lambda row: (row["set"] != "small", row["file"].lower()))
    lines = ["\t".join(COLUMNS)] + ["\t".join(row[key] for key in COLUMNS) for row in table]
    TABLE.write_text("\n".join(lines) + "\n")


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def download(requirement, platforms, python, folder):
    """Runs pip download for a foreign platform; answers the one wheel that it brought."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir",
               "--only-binary=:all:", "--python-version", python, "--implementation", "cp", "-d",
               str(folder)]
    for platform in platforms:
        command += ["--platform", platform]
    result = subprocess.run(command + requirement, stderr=subprocess.PIPE, text=True)
    wheels = list(pathlib.Path(folder).glob("*.whl"))
    if result.returncode != 0 or len(wheels) != 1:
        raise RuntimeError(result.stderr.strip()[-400:] or f"pip brought {len(wheels)} wheels")
    return wheels[0]


def target(file_name):
    """The --platform and --python-version arguments that make pip take this very file."""
    python, abi, platform = file_name[: -len(".whl")].split("-")[-3:]
    platforms = platform.split(".") if platform != "any" else ["manylinux_2_28_x86_64"]
    # A stable ABI's tag may be older than the Pythons that the wheel requires.
    number = "312" if abi == "abi3" else python.split(".")[-1].lstrip("cpy")
    return platforms, f"{number[0]}.{number[1:]}" if len(number) > 1 else "3.12"


def fetch(row):
    path = CACHE / row["file"]
    if path.exists() and sha256(path) == row["sha256"]:
        return
    platforms, python = target(row["file"])
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        pin = pathlib.Path(folder) / "pin.txt"
        pin.write_text(f"{row['name']}=={row['version']} --hash=sha256:{row['sha256']}\n")
        wheel = download(["-r", str(pin)], platforms, python, folder)
        if wheel.name != row["file"]:
            raise RuntimeError(f"got {wheel.name}")
        if sha256(wheel) != row["sha256"]:
            raise RuntimeError("SHA-256 differs from wheels.tsv")
        wheel.rename(path)


def add(args):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        wheel = download([args.add], args.platform, args.python, folder)
        name, version = wheel.name.split("-")[:2]
        row = {"name": name.replace("_", "-").lower(), "version": version, "file": wheel.name,
               "sha256": sha256(wheel), "size": str(wheel.stat().st_size), "set": args.set}
        wheel.rename(CACHE / wheel.name)
    save([other for other in rows() if other["file"] != row["file"]] + [row])
    print(f"{row['size']:>10} {row['file']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", nargs="?", choices=["small", "large", "all"], default="small")
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--add", metavar="REQUIREMENT")
    parser.add_argument("--set", choices=["small", "large"], default="large")
    parser.add_argument("--platform", action="append")
    parser.add_argument("--python", default="3.12")
    args = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    if args.add:
        args.platform = args.platform or ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64",
                                          "manylinux_2_17_x86_64", "manylinux2014_x86_64"]
        add(args)
        return 0
    failed = 0
    for row in rows():
        if args.which not in (row["set"], "all") or args.pattern not in row["file"]:
            continue
        try:
            fetch(row)
            print(f"ok      {row['file']}", flush=True)
        except (RuntimeError, OSError) as error:
            failed += 1
            print(f"FAILED  {row['file']}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
