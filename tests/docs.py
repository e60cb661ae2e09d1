#!/usr/bin/env python3
"""The commands that the documents show, run again: each must print what the document says.

    python3 tests/docs.py BINARY [DOCUMENT…]            runs them; without documents, those of all
    python3 tests/docs.py BINARY --update DOCUMENT…     writes what they printed into the documents

A block that begins with ```console holds commands after `$ ` and below each what it printed, to
either stream, then `[exit N]` where the code is not 0. A line with `…` stands for any line that
begins and ends like it. A block that begins with ```sh is run as a whole, and ends as its wheels
are. Commands run with wheel-audit on PATH: those of docs/ in the root of the repository, those of
README.md in a folder with the wheels that it speaks of. Numbers of rules asked grow with every rule:
those of README.md are held to it, those of other pages are not compared.

Every page has to have commands, or stand below with the reason why it has none that are run here.
"""
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WITHOUT = {
    "docs/design.md": "for readers of the sources; it shows no commands",
    "docs/field-report.md": "its commands look at published wheels, and tests/real/report.py wrote what they printed",
    "docs/peers.md": "written by tests/peers/compare.py, as the page says",
    "docs/performance.md": "written by bench/run.py, as the page says",
    "docs/rules.md": "written from the binary; ctest rules-doc holds it to that",
}
# Scripts that set up and build: ctest is what they run in the end.
BUILDS = {"README.md": ["sh scripts/run.sh check", "sh scripts/test.sh"],
          "docs/reliability.md": ["cmake --preset fuzz", "ctest --preset fuzz", "sh build/fuzz/bundle/fuzz.sh"]}
NEWER = {"base": "cuda13", "change": {"name": {"version": "1.1+cu130"}, "files": {"demo/lib/libdemo_cuda.so": {"elf": {
    "needed": ["libnew.so.2", "libcudart.so.13", "libc.so.6"], "exports": ["demo_other"],
    "gpu": ["sass 9.0", "ptx 9.0"]}}}}}
BROKEN = ROOT / "fixtures/cuda/missing-hop/reject-level-short.json"


def workspace(folder, text, binary):
    """What the README speaks of: broken wheels in broken/ and dist/, two releases, its configuration,
    its rule."""
    (folder / "newer.json").write_text(json.dumps(NEWER))
    for recipe, where in ((BROKEN, "broken/"), (BROKEN, "dist/"), (ROOT / "fixtures/_base/cuda13.json", "old/"),
                          (folder / "newer.json", "new/")):
        (folder / where).mkdir()
        subprocess.run([binary, "forge", recipe, "-o", folder / where], check=True, stderr=subprocess.DEVNULL)
    for name in ("old", "new"):
        next((folder / name).iterdir()).rename(folder / f"{name}.whl")
    (folder / "rules/mine").mkdir(parents=True)
    (folder / "rules/mine/no-openmp.json").write_text(re.search(r"^```json\n(.*?)^```$", text, re.M | re.S)[1])
    (folder / "settings").mkdir()
    (folder / "settings/wheel-audit.toml").write_text(re.search(r"^```toml\n(.*?)^```$", text, re.M | re.S)[1])
    told = subprocess.run([binary, "config"], cwd=folder / "settings", capture_output=True, text=True)
    if told.returncode or "the vendor's assembler" not in told.stdout:
        sys.exit(f"README.md: its configuration is refused: {told.stderr}")
    # As it stands, not only as it parses: what it names has to be there.
    checked = subprocess.run([binary, "check", "../old.whl"], cwd=folder / "settings", capture_output=True, text=True)
    if checked.returncode == 2:
        sys.exit(f"README.md: check refuses its configuration: {checked.stderr}")


def run(command, folder, binary):
    # Debian's python3 first: it has the modules that the fix script needs.
    env = dict(os.environ, PATH=f"{binary.parent}:/usr/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout + (f"[exit {done.returncode}]\n" if done.returncode else "")


def again(block, folder, binary):
    """The block with every command's output as it is now, but for lines that `…` stands for."""
    out = ""
    for command, said in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        now = run(command, folder, binary)
        lines = said.splitlines()
        if len(lines) == len(now.splitlines()):
            pairs = zip(lines, now.splitlines())
            now = "".join(f"{old if stands_for(old, new) else new}\n" for old, new in pairs)
        out += f"$ {command}\n" + now
    return out


def stands_for(line, now):
    return "…" in line and re.fullmatch(".*".join(map(re.escape, line.split("…"))), now) is not None


def script_fails(block, name, folder, binary):
    """What is wrong with a block of shell that is run as a whole; empty where it does as it should."""
    lines = [line for line in block.splitlines() if not any(line.startswith(each) for each in BUILDS.get(name, []))]
    if not lines:
        return ""
    said = run("\n".join(lines), folder, binary)
    code = re.search(r"\[exit (\d+)\]\n\Z", said)
    # What was mended is clean; the other wheels have the fault that they were given.
    as_it_should = code is None if lines[-1].endswith("mended") else code is not None and code[1] == "1"
    return "" if as_it_should else f"{name}: fails:\n{block}\n{said}"


def comparable(name, text):
    if name == "README.md":
        return text
    return re.sub(r"\d+ rules asked, \d+ not applicable", "N rules asked, N not applicable", text)


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def hold(name, binary, update):
    """How many differences a document has from what its commands do."""
    text = (ROOT / name).read_text()
    with tempfile.TemporaryDirectory() as made:
        folder = ROOT
        if name == "README.md":
            folder = pathlib.Path(made)
            workspace(folder, text, binary)
        new = re.sub(r"(?<=^```console\n).*?(?=^```$)", lambda block: again(block[0], folder, binary), text,
                     flags=re.M | re.S)
        # Each from the start: what one leaves behind is no help to the next.
        wrong = [] if update else list(filter(None, (script_fails(block, name, folder, binary)
                                                     for block in blocks("sh", text))))
    commands = len(re.findall(r"^\$ ", "".join(blocks("console", text)), re.M)) + len(blocks("sh", text))
    print(f"{name}: {commands} commands")
    if update:
        (ROOT / name).write_text(new)
        return 0
    if comparable(name, new) != comparable(name, text):
        wrong.append("\n".join(difflib.unified_diff(text.splitlines(), new.splitlines(), name, "now", lineterm="")))
    if re.search(r"^\$ ", re.sub(r"^```console\n.*?^```$", "", text, flags=re.M | re.S), re.M):
        wrong.append(f"{name}: has a command in a block that is no console")
    if not commands:
        wrong.append(f"{name}: shows no command; say in tests/docs.py why")
    print("\n".join(wrong), end="\n" if wrong else "")
    return len(wrong)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    names = [word for word in sys.argv[2:] if word != "--update"]
    failed = 0
    if not names:
        pages = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
        names = [page for page in pages if page not in WITHOUT]
        for page, why in WITHOUT.items():
            left = blocks("console", (ROOT / page).read_text()) if page in pages else None
            if left is None or (left and page != "docs/field-report.md"):
                print(f"{page}: has commands, or is gone; yet it is said to be {why}")
                failed += 1
    failed += sum(hold(name, binary, update) for name in names)
    sys.exit(1 if failed else 0)


main()
