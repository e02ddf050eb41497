"""A user's own extractors and judges: one that works, and one for each mistake."""

from typing import Any

from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement

#: Text of the page on which some of them fail.
TRIGGER = "Item 7"


class Shout:
    """Returns the text in capitals."""

    name = "shout"

    def extract(self, page: Page) -> Any:
        if TRIGGER in page.source:
            self.fail(page)
        return Extraction(" ".join(page.blocks.text).upper(), 1.0, self.name)

    def fail(self, page: Page) -> None:
        pass


class Raising(Shout):
    def fail(self, page: Page) -> None:
        raise ValueError(f"\x1b[2J\n2024-01-01 00:00:00 [root] INFO: {page.source * 100}")


class Leaving(Shout):
    def fail(self, page: Page) -> None:
        raise SystemExit("bye")


class Recursing(Shout):
    def fail(self, page: Page) -> None:
        self.fail(page)


class Devouring(Shout):
    def fail(self, page: Page) -> None:
        raise MemoryError


class Failing:
    name = "failing"

    def extract(self, page: Page) -> Any:
        raise ZeroDivisionError("always")


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
    error: BaseException = LookupError()

    def judge(self, page: Page, threshold: float = 0.5) -> Any:
        if TRIGGER in page.source:
            raise self.error
        return Judgement(True, 1.0, 1.0)


class LeavingJudge(RaisingJudge):
    error = SystemExit()
