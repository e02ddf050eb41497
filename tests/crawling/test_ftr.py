"""Rules in the format of ftr-site-config, on pages made by hand."""

import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request

from scrapy_webtext.crawling.sites import read_ftr_rule
from scrapy_webtext.errors import SettingsError
from tests.crawls.offline import Components
from tests.crawls.site import SENTENCE
from tests.kits.data import read_json

CASES = read_json(__file__, "ftr.json")


TEXT = f"<p>The story. {SENTENCE * 6}</p>"
BOX = f"<p>Join our readers. {SENTENCE * 6}</p>"

#: Manner of a file -> its lines, the body of a page, and the expected title, authors and date.
FILES: dict[str, tuple[str, str, tuple[Any, ...]]] = CASES["files by their manner"]


@pytest.mark.parametrize("manner", FILES)
def test_a_file_of_a_site_decides_text_and_metadata(manner: str, tmp_path: Path) -> None:
    lines, body, expected = FILES[manner]
    body = body.replace("{TEXT}", TEXT).replace("{BOX}", BOX)
    (tmp_path / ".news.example.txt").write_text(lines)
    (tmp_path / "README.md").write_text("# not a rule")
    crawl = Components(
        SITES=str(tmp_path),
        FIELDS={name: name for name in ("title", "authors", "published")},
        JUDGE="learned",
    )
    item = crawl.item_of(page("www.news.example", body))
    assert "The story." in item["main_text"]
    assert "Join our readers" not in item["main_text"]
    title, authors, published = expected
    assert item["title"] == (title or item["title"])
    assert item["authors"] == authors
    assert item["published"] == published
    assert "Join our readers" in crawl.item_of(page("other.example", BOX))["main_text"]


def page(host: str, body: str) -> HtmlResponse:
    request = Request(f"https://{host}/page", callback=lambda _: None)
    html = f"<html><head><title>Page</title></head><body>{body}</body></html>"
    return HtmlResponse(request.url, body=html.encode(), request=request)


def test_a_line_without_an_equal_in_css_is_left_out_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "a.example.txt"
    file.write_text(
        "\ufefftitle: //h1\nbody: //p[text()='x']\nauthor: substring-after(//p, 'by')\n"
    )
    caplog.set_level(logging.INFO)
    assert read_ftr_rule(file) == {"title": ["//h1"]}
    told = [record.getMessage() for record in caplog.records]
    assert [line.split(" is not used")[0] for line in told] == [
        f"webtext: line {n} of {file}" for n in (2, 3)
    ]


def test_a_folder_without_files_is_refused_and_a_file_that_went_has_no_rule(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"has no file of a site \(\*\.txt\)"):
        Components(SITES=str(tmp_path))
    (tmp_path / "a.example.txt").write_text("title: //h1")
    crawl = Components(SITES=str(tmp_path / "a.example.txt"))
    (tmp_path / "a.example.txt").unlink()
    item = crawl.item_of(page("a.example", TEXT))
    assert "The story." in item["main_text"]
