"""What tests of WFFTE share."""

from __future__ import annotations

from scrapy_webtext import extract
from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.extractors.wffte.container_tree import Containers
from scrapy_webtext.page import parse

# Worked by hand. Title words of four letters or more, as often as the containers say them:
# storm 2, harbour 1, over 0. FirstWord is storm, SecondWord harbour.
STORM = """<html><head><title>Storm over Harbour</title></head><body>
<div><a>Home page</a> <a>Sport</a></div>
<div>
  <div>The storm came, at noon. The harbour, the storm, the boats: gone! <a>More news</a></div>
</div>
<table><tr><td>No link here.</td></tr></table>
</body></html>"""


# container               rd    DSD    NC  HC  p  FP     PSD             FW SW TSD  SD
# html/body/div[1]        1     1/1     0   3  0  0.001  0.001 *  0 / 3   0  0  0    0
# html/body/div[2]/div[1] 2, 1  1/2.1  12   2  6  0.5    0.5   * 12 / 2   2  1  2    (2 + 3) / 2.1
# ...table[3]/tr[1]/td[1] 3,1,1 1/3.11  3   0  1  0.001  0.001 *  3 / 1   0  0  0    0.003 / 3.11
# (table[3] and its tr, and div[2], have no text of their own; HC = 0 counts as 1 here.)
OWN = WffteExtractor(content="own", min_link_words=1)


def paths(html: str, extractor: WffteExtractor = OWN) -> dict[str, float]:
    """SD of every candidate by the path of its first container."""
    page = parse(html)
    found = extractor.find(page)
    return {
        found.held.containers.path(candidate.rows[0], page.nodes): candidate.support
        for candidate in found.candidates
    }


def text_of(html: str, **options: object) -> str:
    return extract(html, extractor="wffte", **options).main_text


def nested(page_html: str) -> tuple[list[str], Containers]:
    page = parse(page_html)
    containers = OWN.find(page).held.containers
    return [containers.path(row, page.nodes) for row in range(len(containers.node))], containers
