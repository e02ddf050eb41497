"""The standfirst above a text."""

from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import predict
from scrapy_webtext.extractors.fusion.rules import with_standfirst
from scrapy_webtext.page import Page, parse

ABOUT = "Eleven retired engineers teach mathematics in a town that found no teachers."
STORY = "The oldest of them is seventy-nine and built bridges for most of his life."


def texts_of(page: Page) -> BlockTable:
    return predict(page, load_fusion(FusionExtractor().model)).table.texts


def page_of(described: str, above: str = f"<p>{ABOUT}</p>") -> Page:
    head = f'<meta property="og:description" content="{described}">'
    return parse(f"<head>{head}</head><body><main>{above}<p>{STORY}</p><p>{STORY}</p></main>")


def test_the_standfirst_is_what_the_page_says_of_itself() -> None:
    for described in (ABOUT, f"{ABOUT} They were asked in May.", ABOUT[:50] + "…"):
        page = page_of(described)
        assert with_standfirst(page, texts_of(page), [1, 2]) == [0, 1, 2]


def test_other_lines_above_the_text_are_no_standfirst() -> None:
    for page in (
        page_of("Eleven teachers."),
        page_of(ABOUT, f"<h1>{ABOUT}</h1>"),
        page_of(ABOUT, f"<figure><figcaption>{ABOUT}</figcaption></figure>"),
        page_of(ABOUT, "<p>Schools</p>"),
    ):
        assert with_standfirst(page, texts_of(page), [1, 2]) == [1, 2]
