"""The report in a browser: opened, switched, hovered, on laptop and phone, in light and dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.lab.report import ExtractorView, PageJudgement, read, render_report
from scrapy_webtext.page import parse
from scrapy_webtext.registry import EXTRACTORS
from scrapy_webtext.results import Extraction, Judgement
from tests.lab import ATTACK, HTML, SENTENCE, hostile_page, report
from tests.lab.browser import LAPTOP, PHONE, Browser

JUDGED = PageJudgement(Judgement(True, 0.75, 0.6), 0.5, "judge")
TABS = ["All together", "per_block", "per_node", "per_token", "per_line", "silent"]


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


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_drawn_without_a_word_on_the_console_or_a_request(
    browser: Browser, path: Path, size: tuple[int, int], scheme: str
) -> None:
    browser.open(path, size, scheme)
    assert browser.texts(".switch button") == TABS
    pictures = []
    for name in ["agreement", *TABS[1:]]:
        browser.show(name)
        pictures.append(
            browser.run("document.querySelectorAll('.picture svg.main-svg').length > 0")
        )
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), name
    assert pictures == [True] * 5 + [False]
    assert browser.log() == []
    assert browser.requests() == [path.as_uri()]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_report_opens_on_its_first_extractor_at_the_first_block_that_it_took(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    menu = "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(100))
    page = parse(f"<body><ul>{menu}</ul><p>{SENTENCE}</p>")
    found = [
        ExtractorView(Extraction("text", 0.5, name, taken))
        for name, taken in (("first", (100,)), ("second", (0,)))
    ]
    path = tmp_path / "long.html"
    path.write_text(render_report(page, found, JUDGED), encoding="utf-8")
    browser.open(path, size)
    assert browser.run("document.body.dataset.view") == "first"
    assert browser.run("document.querySelector('#b100').getBoundingClientRect().top < innerHeight")
    assert bool(browser.texts("#details .excerpt")) == (size == LAPTOP)
    browser.run("document.querySelector('#b0').scrollIntoView()")
    assert browser.run("document.querySelector('#b0').getBoundingClientRect().top >= 0")
    path.write_text(render_report(page, found, JUDGED, "second"), encoding="utf-8")
    browser.open(path, size)
    assert browser.run("document.body.dataset.view") == "second"


def test_the_table_of_scores_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    found = [ExtractorView(Extraction("text" * 5_000, 0.5, name, (0,))) for name in EXTRACTORS]
    path = tmp_path / "scores.html"
    path.write_text(render_report(parse(HTML), found, JUDGED), encoding="utf-8")
    browser.open(path, PHONE)
    browser.show("agreement")
    right = "document.querySelector('.scores').getBoundingClientRect().right"
    assert browser.run(right) <= PHONE[0]


def test_a_block_that_was_not_weighed_says_so(browser: Browser, tmp_path: Path) -> None:
    page = parse(f"<body><nav><a href='/'>Home</a></nav><h1>Boat</h1><p>{SENTENCE * 2}</p>")
    path = tmp_path / "fusion.html"
    view = read(page, FusionExtractor())
    path.write_text(render_report(page, [view], JUDGED), encoding="utf-8")
    browser.open(path)
    assert len(browser.texts(".features table")) == 2
    assert "It was left out" not in browser.texts("#details")[0]
    browser.hover("#b0")
    browser.wait("document.querySelector('#b0.marked')")
    assert "It was left out before it was weighed" in browser.texts("#details")[0]


def test_switching_tints_the_blocks_that_the_extractor_took(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.show("agreement")
    taken = "[...document.querySelectorAll('.block.taken')].map(b => b.id)"
    assert browser.run(taken) == ["b4", "b5", "b6"]
    browser.show("per_block")
    assert browser.run(taken) == ["b4", "b5"]
    assert browser.texts("#legend") == ["2 of 8 blocks taken by per_block"]
    browser.show("silent")
    assert browser.run(taken) == ["b4", "b5", "b6"]


def test_an_address_with_the_name_of_an_extractor_opens_its_view(
    browser: Browser, path: Path
) -> None:
    browser.open(path)
    browser.driver.get(f"{path.as_uri()}#per_token")
    browser.wait("document.body.dataset.view === 'per_token'")


def test_hovering_a_block_tells_why_it_was_left(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.show("per_block")
    browser.hover("#b1")
    browser.wait("document.querySelector('#b1.marked')")
    (details,) = browser.texts("#details")
    assert "body › ul.menu › li" in details
    assert "4 characters, 100% of it in links" in details
    assert "per_block: probability 0.04, below the threshold 0.5" in details
    assert "per_token: tokens 4 to 7, before the stretch from 16 to 23" in details
    assert browser.texts(".features td:first-child") == ["it has 0.0 characters", "<b> 1"]


def test_hovering_a_block_marks_where_it_lies_in_the_picture(browser: Browser, path: Path) -> None:
    browser.open(path)
    bands = "document.querySelectorAll('.plot .shapelayer path').length"
    browser.press_escape()
    for name in ("agreement", "per_block", "per_node", "per_token", "per_line"):
        browser.show(name)
        browser.hover("footer")
        before = browser.run(bands)
        browser.hover("#b5")
        browser.wait(f"{bands} === {before + 1}")


@pytest.mark.parametrize(
    ("name", "point"),
    [("per_block", "g.point:nth-of-type(6) path"), ("per_line", "g.point:nth-of-type(6) path")],
)
def test_hovering_a_bar_marks_its_block_on_the_page(
    browser: Browser, path: Path, name: str, point: str
) -> None:
    browser.open(path)
    browser.show(name)
    browser.hover("h1")
    browser.hover(f".plot {point}")
    browser.wait("document.querySelector('#b5.marked')")
    assert "Again." in browser.texts("#details .excerpt")[0]


def test_hovering_an_element_of_a_ranking_marks_all_its_blocks(
    browser: Browser, path: Path
) -> None:
    browser.open(path)
    browser.show("per_node")
    browser.hover(".plot g.point:nth-of-type(1) path")
    browser.wait("document.querySelectorAll('.block.marked').length === 8")


def test_a_click_keeps_a_block_and_another_one_lets_it_go(browser: Browser, path: Path) -> None:
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


def test_on_a_phone_a_bar_stays_in_sight_and_its_block_is_one_tap_away(
    browser: Browser, path: Path
) -> None:
    browser.open(path, PHONE)
    browser.show("per_block")
    browser.run("document.querySelector('.plot').scrollIntoView({ block: 'start' })")
    browser.run("scrollBy(0, -90)")
    before = browser.run("scrollY")
    browser.click(".plot .nsewdrag")
    browser.wait("document.querySelector('.block.pinned')")
    assert browser.run("scrollY") == before
    browser.click(".jump")
    browser.wait(f"scrollY !== {before}")


def test_blocks_can_be_filtered(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.show("agreement")
    shown = "[...document.querySelectorAll('.block')].filter(b => b.offsetHeight).map(b => b.id)"
    for name, expected in (
        ("taken", ["b4", "b5", "b6"]),
        ("left", ["b0", "b1", "b2", "b3", "b7"]),
        ("disputed", ["b6"]),
        ("all", [f"b{n}" for n in range(8)]),
    ):
        browser.click(f'[data-filter="{name}"]')
        assert browser.run(shown) == expected


def test_pictures_follow_a_change_between_light_and_dark(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.show("per_block")
    colour = "getComputedStyle(document.querySelector('.plot g.point:nth-of-type(6) path')).fill"
    light = browser.run(colour)
    media = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
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


def test_without_pictures_the_text_still_works(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "broken.html"
    html = report(parse(HTML))
    path.write_text(html.replace("H4sI", "AAAA", 1), encoding="utf-8")
    browser.open(path)
    assert "cannot unpack the pictures" in browser.texts("#pictures")[0]
    browser.hover("#b5")
    browser.wait("document.querySelector('#b5.marked')")
