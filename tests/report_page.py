#!/usr/bin/env python3
"""The HTML report in a real browser, of a wheel with hostile names: it asks the network for nothing,
runs nothing, is as wide as a phone, is dark where that is wished, and works by keyboard. Skipped
(exit 77) where no Chromium is installed.

    python3 tests/report_page.py BINARY
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import browser  # noqa: E402

MARKUP = "</code></summary></details></style><img src=x onerror=document.title=1><script>document.title=2</script>"
RECIPE = {"base": "cuda13", "change": {"files": {
    "demo/lib/libdemo_cuda.so": {"elf": {
        "runpath": f"$ORIGIN/../nvidia/cu13/lib:$ORIGIN:/home/{'long' * 60}/{MARKUP}", "stack": "rwx"}},
    "demo/" + MARKUP.replace("/", "|") + "\u202e/.DS_Store": {"text": "x"},
    "demo/" + "x" * 200 + ".orig": {"text": "x"}}}}


def check(condition, what):
    if not condition:
        sys.exit(f"report_page: {what}")


def hold(page, url, width, dark):
    page.open(url, width, 844, dark)
    title = page.ask("document.title")
    check(title == "wheel-audit: findings", f"the title is {title}: something ran")
    check(page.requests() == [url], f"the page asked for {page.requests()}")
    check(page.complaints() == [], f"the browser says {page.complaints()}")
    wide = page.ask("document.documentElement.scrollWidth")
    check(wide == width, f"the page is {wide} wide on a screen of {width}")
    strange = page.ask("document.querySelectorAll('img, script, iframe, object, link, [onerror], [onclick]').length")
    check(strange == 0, f"{strange} elements that no report makes")
    shown = page.ask("[...document.querySelectorAll('.where')].filter(e => e.textContent.includes('<img src=x')).length")
    check(shown == 1, f"the hostile name is shown {shown} times, expected once")
    channel = page.ask("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    check((channel < 60) == dark, f"the page's paper is {channel} of 255, dark is {dark}")
    # WCAG asks for 4.5 between text and paper; the browser's own numbers, of every text that shows.
    poor = page.ask("""(() => {
      const numbers = text => text.match(/[\\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      const paper = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
      const poor = new Set();
      for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const [a, b] = [light(numbers(getComputedStyle(e).color)), light(paper(e))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) poor.add(e.tagName + '.' + e.className + ' in ' + e.parentElement.className);
      }
      return [...poor];
    })()""")
    check(poor == [], f"too little contrast (dark: {dark}): {poor}")


def keyboard(page):
    """Tab reaches what opens and shuts, Enter and Space work it."""
    reached = set()
    for _ in range(60):
        page.press("Tab", 9)
        reached.add(page.ask("document.activeElement.tagName + (document.activeElement.id ? '#' + document.activeElement.id : '')"))
        if page.ask("document.activeElement.matches('.finding.error > summary')") and "SUMMARY!" not in reached:
            reached.add("SUMMARY!")
            before = page.ask("document.activeElement.parentElement.open")
            page.press("Enter", 13)
            check(page.ask("document.activeElement.parentElement.open") != before, "Enter does not shut a finding")
        if page.ask("document.activeElement.id") == "show-error":
            page.send("Input.dispatchKeyEvent", type="keyDown", key=" ", code="Space", windowsVirtualKeyCode=32, text=" ")
            page.send("Input.dispatchKeyEvent", type="keyUp", key=" ", code="Space", windowsVirtualKeyCode=32)
            hidden = page.ask("getComputedStyle(document.querySelector('.finding.error')).display")
            check(hidden == "none", "the box does not hide the errors")
            page.ask("document.getElementById('show-error').click()")
    check({"SUMMARY!", "INPUT#show-error", "INPUT#show-warning", "DIV"} <= reached, f"Tab reaches {sorted(reached)}")


def main():
    if browser.chromium() is None:
        print("report_page: no Chromium (Debian: chromium)")
        sys.exit(77)
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "dist").mkdir()
        (folder / "recipe.json").write_text(json.dumps(RECIPE))
        subprocess.run([binary, "forge", folder / "recipe.json", "-o", folder / "dist"], check=True, stderr=subprocess.PIPE)
        subprocess.run([binary, "check", "dist", "--format", "html=report.html"], cwd=folder, check=False)
        page = browser.Browser()
        try:
            for width in (1200, 390):
                for dark in (False, True):
                    hold(page, f"file://{folder}/report.html", width, dark)
            keyboard(page)
        finally:
            page.close()
    print("report_page: holds in the browser, at 390 and 1200 pixels, light and dark")


main()
