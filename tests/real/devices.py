"""Which GPU code runs on which device: the loader's rules written down a second time, for the oracle
and for the report. docs/fatbin.md has the table and where it was measured."""

TEGRA = {(5, 3), (6, 2), (7, 2), (8, 7)}


def split(arch):
    """'12.0f' -> ((12, 0), 'f'); 10.1 is the older name of 11.0."""
    suffix = arch[-1] if arch[-1] in "af" else ""
    major, minor = arch.removesuffix(suffix).split(".")
    number = (int(major), int(minor))
    return ((11, 0) if number == (10, 1) else number), suffix


def runs(form, arch, device):
    """Whether code of this form and arch can run on a device such as '8.9'."""
    target, suffix = split(arch)
    have, _ = split(device)
    if form == "lto":
        return False
    if suffix == "a":
        return target == have
    if suffix == "f":
        return target[0] == have[0] and target[1] <= have[1]
    if form == "ptx":
        return target <= have
    if have in TEGRA or target in TEGRA:
        return target == have
    return target[0] == have[0] and target[1] <= have[1]


def coverage(code, device):
    """'sass', 'ptx' or 'none' for a list of {form, arch}."""
    for form in ("sass", "ptx"):
        if any(item["form"] == form and runs(form, item["arch"], device) for item in code):
            return form
    return "none"


def wheel_coverage(gpu, device):
    """The weakest answer of the libraries that have code; 'part' where some of them have none."""
    answers = {coverage(entry["code"], device) for entry in gpu
               if any(item["form"] != "lto" for item in entry["code"])}
    if answers <= {"none"}:
        return "none"
    if "none" in answers:
        return "part"
    return "ptx" if "ptx" in answers else "sass"
