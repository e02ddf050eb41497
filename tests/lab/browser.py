"""A headless Chromium that looks at reports."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SWITCHES = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()
WIDE, NARROW = (1366, 850), (390, 844)


class Browser:
    """Open reports in one window size, in light until `set_scheme` is called."""

    def __init__(self, profile: Path) -> None:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        driver = shutil.which("chromedriver")
        if chromium is None or driver is None:
            pytest.fail("Chromium and chromedriver are not installed: run .ci/browser")
        options = Options()
        options.binary_location = chromium
        for switch in (*SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = Chrome(options=options, service=Service(driver))

    def open(self, path: Path, size: tuple[int, int] = WIDE, view: str = "") -> None:
        """Open a report, and show the view of an extractor if one is named."""
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1}
        metrics["mobile"] = size == NARROW
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.set_scheme("light")
        self.driver.get("about:blank")
        self.log(), self.requests()
        self.driver.get(path.as_uri())
        self.wait("document.documentElement.dataset.ready === 'true'")
        if view:
            self.show(view)

    def set_scheme(self, scheme: str) -> None:
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def wait(self, condition: str) -> None:
        WebDriverWait(self.driver, 120, 0.05).until(
            lambda driver: driver.execute_script(f"return {condition}"), condition
        )

    def run(self, script: str) -> Any:
        return self.driver.execute_script(f"return {script}")

    def hover(self, selector: str, dx: int = 0, dy: int = 0) -> None:
        element = self.driver.find_element("css selector", selector)
        ActionChains(self.driver, 0).move_to_element_with_offset(element, dx, dy).perform()

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()

    def show(self, name: str) -> None:
        """Open the view of an extractor, and wait for its pictures."""
        self.click(f'.switch button[data-name="{name}"]')
        self.wait(f"document.body.dataset.view === '{name}'")
        self.wait("[...document.querySelectorAll('.plot')].every(p => p.querySelector('svg'))")

    def press_escape(self) -> None:
        ActionChains(self.driver, 0).send_keys(Keys.ESCAPE).perform()

    def texts(self, selector: str) -> list[str]:
        found = self.driver.find_elements("css selector", selector)
        return [element.text for element in found]

    def log(self) -> list[str]:
        """Return the entries of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the requested addresses since the last call, without data: addresses."""
        messages = [json.loads(e["message"]) for e in self.driver.get_log("performance")]
        sent = [m["message"] for m in messages if "requestWillBeSent" in m["message"]["method"]]
        urls = [m["params"]["request"]["url"] for m in sent if "request" in m["params"]]
        return [url for url in urls if not url.startswith("data:")]
