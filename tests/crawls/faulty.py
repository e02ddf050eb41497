"""Extractors and judges that do all that one can do wrong."""

from typing import Any

from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement

#: A page that holds this is the one on which they go wrong.
TRIGGER = "Item 7"


class Shout:
    name = "shout"

    def extract(self, page: Page) -> Any:
        text = " ".join(page.blocks.text).upper()
        if TRIGGER in page.source:
            self.go_wrong(page)
        return Extraction(text, 1.0, self.name)

    def go_wrong(self, page: Page) -> None:
        pass


class Raising(Shout):
    def go_wrong(self, page: Page) -> None:
        raise ValueError(f"\x1b[2J\n2024-01-01 00:00:00 [root] INFO: {page.source * 100}")


class Leaving(Shout):
    def go_wrong(self, page: Page) -> None:
        raise SystemExit("bye")


class Recursing(Shout):
    def go_wrong(self, page: Page) -> None:
        self.go_wrong(page)


class Devouring(Shout):
    def go_wrong(self, page: Page) -> None:
        raise MemoryError


class Nothing:
    def extract(self, page: Page) -> Any:
        return None


class NoText:
    def extract(self, page: Page) -> Any:
        return Extraction(None, 1.0, "no_text")  # type: ignore[arg-type]


class NoScore:
    def extract(self, page: Page) -> Any:
        return Extraction("text", "high", "no_score")  # type: ignore[arg-type]


class Generator:
    def extract(self, page: Page) -> Any:
        yield Extraction("text", 1.0, "generator")


class NoJudgement:
    def judge(self, page: Page, threshold: float = 0.5) -> Any:
        return True


class RaisingJudge:
    def judge(self, page: Page, threshold: float = 0.5) -> Any:
        if TRIGGER in page.source:
            raise LookupError(page.source)
        return Judgement(True, 1.0, 1.0)


class LeavingJudge:
    def judge(self, page: Page, threshold: float = 0.5) -> Any:
        if TRIGGER in page.source:
            raise SystemExit
        return Judgement(True, 1.0, 1.0)
