"""The HTML of attacks, opened in a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.browser import Browser
from tests.render.test_render import ATTACKS, render_case_html


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


def test_browser_runs_no_script_of_main_html(browser: Browser, tmp_path: Path) -> None:
    written = "".join(map(render_case_html, ATTACKS)).replace("https://", "about:")
    path = tmp_path / "embedded.html"
    path.write_text(
        "<!doctype html><meta charset=utf-8><script>hits = []; hit = n => hits.push(n)</script>"
        f"<body>{written}<script>document.documentElement.dataset.ready = true</script>"
    )
    browser.open(path)
    assert browser.run("hits") == []
    assert browser.run("document.querySelectorAll('body script').length") == 1
    attributes = "[...document.querySelectorAll('body *')].flatMap(e => e.getAttributeNames())"
    assert not [name for name in browser.run(attributes) if name.startswith("on")]
