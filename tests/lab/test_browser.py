"""The report in a browser: opened, switched, hovered; in a wide window and in a narrow one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.lab.pictures import ExtractorView
from scrapy_webtext.lab.report import read, render_report
from scrapy_webtext.page import parse
from scrapy_webtext.registry import EXTRACTORS
from scrapy_webtext.results import Extraction
from tests.lab import ATTACK, HTML, SENTENCE, hostile_page, report
from tests.lab.browser import NARROW, WIDE, Browser
from tests.lab.odd_systems import LENGTH

TABS = ["All together", "per_block", "per_node", "per_token", "per_line", "silent"]
TAKEN = "[...document.querySelectorAll('.block.taken')].map(b => b.id)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report(parse(HTML, url="https://example.com/boat")), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_view_is_drawn_without_log_entries_or_requests(
    browser: Browser, path: Path, size: tuple[int, int]
) -> None:
    browser.open(path, size)
    assert browser.texts(".switch button") == TABS
    pictures = []
    for name in ["agreement", *TABS[1:]]:
        browser.show(name)
        pictures.append(browser.run("!!document.querySelector('.picture svg.main-svg')"))
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), name
    assert pictures == [True] * 5 + [False]
    assert browser.log() == []
    assert browser.requests() == [path.as_uri()]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_report_opens_at_the_first_block_of_an_extractor(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    menu = "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(100))
    page = parse(f"<body><ul>{menu}</ul><p>{SENTENCE}</p>")
    found = [
        ExtractorView(Extraction("text" * 5_000, 0.5, name, taken))
        for name, taken in zip(EXTRACTORS, ((100,), *[(0,)] * 9), strict=False)
    ]
    path = tmp_path / "long.html"
    for opened in (None, list(EXTRACTORS)[1]):
        path.write_text(render_report(page, found, LENGTH, opened), encoding="utf-8")
        browser.open(path, size)
        assert browser.run("document.body.dataset.view") == (opened or found[0].name)
        assert browser.run("scrollY") == 0
        assert browser.texts("#details .excerpt") == ["Menu 0" if opened else SENTENCE]
    browser.show("agreement")  # the table of scores has a row per extractor
    right = "document.querySelector('.scores').getBoundingClientRect().right"
    assert browser.run(right) <= size[0]


def test_a_block_that_was_not_weighed_says_so(browser: Browser, tmp_path: Path) -> None:
    page = parse(f"<body><nav><a href='/'>Home</a></nav><h1>Boat</h1><p>{SENTENCE * 2}</p>")
    path = tmp_path / "fusion.html"
    view = read(page, FusionExtractor())
    path.write_text(render_report(page, [view], LENGTH), encoding="utf-8")
    browser.open(path)
    assert len(browser.texts(".features table")) == 2
    assert "It was left out" not in browser.texts("#details")[0]
    browser.hover("#b0")
    browser.wait("document.querySelector('#b0.marked')")
    assert "It was left out before it was weighed" in browser.texts("#details")[0]


def test_switching_marks_the_blocks_that_the_extractor_took(browser: Browser, path: Path) -> None:
    browser.open(path)
    for name, taken in (("agreement", "456"), ("per_block", "45"), ("silent", "456")):
        browser.show(name)
        assert browser.run(TAKEN) == [f"b{n}" for n in taken]
    assert browser.texts("#legend") == ["3 of 8 blocks taken by silent"]
    browser.driver.get(f"{path.as_uri()}#per_token")
    browser.wait("document.body.dataset.view === 'per_token'")


def test_hovering_a_block_shows_why_it_was_left_and_where_it_is(
    browser: Browser, path: Path
) -> None:
    browser.open(path, view="per_block")
    browser.hover("#b1")
    browser.wait("document.querySelector('#b1.marked')")
    (details,) = browser.texts("#details")
    assert "body › ul.menu › li" in details
    assert "4 characters, 100% of it in links" in details
    assert "per_block: probability 0.04, below 0.5, the threshold for main text" in details
    assert "per_token: tokens 4 to 7, before the stretch from 16 to 23" in details
    assert browser.texts(".features td:first-child") == ["it has 0.0 characters", "<b> 1"]
    browser.press_escape()  # where the block lies is a band in the picture
    bands = "document.querySelectorAll('.plot .shapelayer path').length"
    for name in ("agreement", "per_block", "per_node", "per_token", "per_line"):
        browser.show(name)
        browser.hover("h1")
        before = browser.run(bands)
        browser.hover("#b5")
        browser.wait(f"{bands} === {before + 1}")


@pytest.mark.parametrize(
    ("name", "point", "blocks"),
    [
        ("per_block", 6, ["b5"]),
        ("per_line", 6, ["b5"]),
        ("per_node", 1, [f"b{n}" for n in range(8)]),
    ],
)
def test_hovering_a_bar_marks_its_blocks_on_the_page(
    browser: Browser, path: Path, name: str, point: int, blocks: list[str]
) -> None:
    browser.open(path, view=name)
    browser.press_escape()
    browser.hover("h1")
    browser.hover(f".plot g.point:nth-of-type({point}) path")
    browser.wait("document.querySelector('.marked')")
    assert browser.run("[...document.querySelectorAll('.marked')].map(b => b.id)") == blocks


def test_a_click_pins_a_block_and_a_second_click_unpins_it(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.click("#b5")
    browser.hover("#b1")
    browser.hover("h1")
    browser.wait("document.querySelector('#b5.pinned.marked')")
    browser.show("per_token")
    assert browser.texts("#details li")[0].startswith("per_token: tokens 20 to 23, inside")
    browser.click("#b5")
    browser.hover("h1")
    browser.wait("!document.querySelector('.marked, .pinned')")


def test_in_a_narrow_window_a_tap_on_a_bar_leads_to_its_block(browser: Browser, path: Path) -> None:
    browser.open(path, NARROW, "per_block")
    browser.click("#to-pictures")
    before = browser.run("scrollY")
    browser.click(".plot .nsewdrag")
    browser.wait("document.querySelector('.block.pinned')")
    assert browser.run("scrollY") == before
    browser.click(".jump")
    browser.wait(f"scrollY !== {before}")


def test_blocks_can_be_filtered(browser: Browser, path: Path) -> None:
    browser.open(path, view="agreement")
    shown = "[...document.querySelectorAll('.block')].filter(b => b.offsetHeight).map(b => b.id)"
    kinds = {"taken": "456", "left": "01237", "disputed": "6", "all": "01234567"}
    for name, expected in kinds.items():
        browser.click(f'[data-filter="{name}"]')
        assert browser.run(shown) == [f"b{n}" for n in expected]


def test_pictures_follow_a_change_between_light_and_dark(browser: Browser, path: Path) -> None:
    browser.open(path, view="per_block")
    colour = "getComputedStyle(document.querySelector('.plot g.point:nth-of-type(6) path')).fill"
    light = browser.run(colour)
    browser.set_scheme("dark")
    browser.wait(f"{colour} !== '{light}'")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 23)"


def test_a_report_of_a_hostile_page_runs_none_of_its_scripts(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(report(hostile_page()), encoding="utf-8")
    browser.open(path)
    for name in ["agreement", *TABS[1:]]:
        browser.show(name)
        for block in ("#b0", "#b1", "#b2"):
            browser.hover(block)
            browser.click(block)
    assert browser.run("window.hacked === undefined")
    assert browser.log() == []
    assert browser.requests() == [path.as_uri()]
    shown = browser.run("document.querySelector('#b1').textContent")
    assert " ".join(shown.split()) == " ".join(ATTACK.split())
    assert browser.run("document.querySelectorAll('#details script, #details svg').length") == 0
