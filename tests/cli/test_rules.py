"""``scrapy webtext rules``, and what its rules do in a report."""

import json
from pathlib import Path

import pytest

from tests.cli import refused, webtext
from tests.crawls.site import SENTENCE

PROMO = f"<div class='promo box'><p>Join us, {SENTENCE * 3}</p></div>"


def test_repeated_elements_are_printed_as_a_value_of_the_setting(tmp_path: Path) -> None:
    for n in "12345":
        own = f"<p class=own>{n} {SENTENCE * 9}</p>"
        menu = "<ul class=menu><li>Home<li>News</ul>"
        (tmp_path / f"{n}.html").write_text(
            f"<body>{menu}<article class=a><h1>{n}</h1>{own}{PROMO if n < '5' else ''}</article>"
        )
    (tmp_path / "no.html").write_bytes(b"%PDF-1.4")
    done = webtext("rules", *sorted(tmp_path.glob("*.html")))
    assert json.loads(done.stdout) == {"example.com": {"without": "div.promo.box"}}
    first, second = done.stderr.splitlines()
    assert "no.html is a PDF" in first
    assert second.startswith("example.com: div.promo.box on 4 of 5 pages, in the text of 4: Join")


def test_a_report_lists_what_the_rule_of_the_site_left_out(site: str, tmp_path: Path) -> None:
    sites = json.dumps({"127.0.0.1": {"without": "p"}})
    done = webtext("report", f"{site}/article", "-s", f"WEBTEXT_SITES={sites}", cwd=tmp_path)
    assert done.stderr == ""
    html = (tmp_path / "report.html").read_text("utf-8")
    assert "Left out by the rule of the site" in html
    assert f"<td>{SENTENCE.strip()}" in html


@pytest.mark.parametrize("subcommand", ["extract", "report", "crawl"])
def test_a_wrong_rule_is_refused_before_anything_is_fetched(subcommand: str) -> None:
    sites = json.dumps({"a.example": {"within": "a["}})
    assert "WEBTEXT_SITES['a.example']: within = 'a['" in refused(
        subcommand, "http://a.example/", "-s", f"WEBTEXT_SITES={sites}"
    )
