"""Draw the pictures of docs/images: the report of a page of the example's site in Chromium.

``python -m tests.kits.pictures`` writes report.webp and a picture for each extractor.
"""

import base64
import re
import tempfile
from pathlib import Path

from scrapy_webtext.lab.report import read, render_report
from scrapy_webtext.page import parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from tests.lab.browser import Browser

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
PAGE = ROOT / "example_project/news/site/labelled/column-counting-gulls.html"
#: The default first, since the report opens with it.
NAMES = list(dict.fromkeys(["fusion", *EXTRACTORS]))
WINDOW = (1280, 800)
#: The width of pictures on a page of the docs.
NARROW = (720, 900)


def main() -> None:
    """Write the pictures."""
    # One entry of its menu is in Chinese. Not every machine has a font for it.
    html = re.sub("[\u4e00-\u9fff]+", "Chinese", PAGE.read_text("utf-8"))
    page = parse(html, url="https://news.example/opinion/counting-gulls")
    extractors = [make_extractor(name) for name in NAMES]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        report = render_report(page, [read(page, one) for one in extractors], PageReader.of())
        path.write_text(report, encoding="utf-8")
        browser = Browser(Path(folder) / "profile")
        try:
            browser.open(path, WINDOW)
            _save(browser, "report.webp")
            browser.open(path, NARROW)
            browser.run("document.querySelector('.scroll').style.height = 'auto'")
            browser.run("document.querySelector('.details').style.display = 'none'")
            for name in NAMES:
                browser.show(name)
                _save(browser, f"{name}.png", "#pictures")
        finally:
            browser.driver.quit()


def _save(browser: Browser, name: str, selector: str | None = None) -> None:
    kind = name.partition(".")[2]
    order: dict[str, object] = {"format": kind, "captureBeyondViewport": selector is not None}
    if kind == "webp":
        order["quality"] = 85
    if selector:
        box = browser.run(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        box["y"] += browser.run("scrollY")
        order["clip"] = {**{k: box[k] for k in ("x", "y", "width", "height")}, "scale": 1}
    data = browser.driver.execute_cdp_cmd("Page.captureScreenshot", order)["data"]
    (IMAGES / name).write_bytes(base64.b64decode(data))


if __name__ == "__main__":
    main()
