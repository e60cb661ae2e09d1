"""Drives a headless Chromium through its debugging pipe: the pages that reports make are looked at
and measured as a reader's browser shows them. Needs nothing but Chromium and Python."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


def chromium():
    """The browser's path, or None where there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One page. Sends commands of the DevTools protocol; a command that fails is a failure here."""

    def __init__(self):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # The protocol's pipe is descriptors 3 (read) and 4 (written) of the browser.
        far = [os.dup2(descriptor, 100 + i) for i, descriptor in enumerate((to_browser, from_browser))]

        def place():
            os.dup2(far[0], 3)
            os.dup2(far[1], 4)

        self.process = subprocess.Popen(
            [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe"],
            close_fds=False, preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for descriptor in (to_browser, from_browser, *far):
            os.close(descriptor)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.send(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser is gone")
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def send(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.writer, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, url, width, height, dark=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.send("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def ask(self, expression):
        """The value of a script's expression in the page."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['text']}")
        return result["result"].get("value")

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def screenshot(self, path, height, above=None):
        """A PNG of the page's width and `height` pixels, from its top or from an element's on."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        top = 0 if above is None else self.ask(
            f"document.querySelector({json.dumps(above)}).getBoundingClientRect().top + scrollY") - 12
        clip = {"x": 0, "y": top, "width": size["width"], "height": min(height, size["height"] - top), "scale": 1}
        data = self.send("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def requests(self):
        """What the page asked for since it was opened."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """What the browser logged since the page was opened."""
        return [event["params"]["entry"]["text"] for event in self.events if event["method"] == "Log.entryAdded"]

    def close(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=30)
        os.close(self.writer)
        os.close(self.reader)
        self.profile.cleanup()
