"""Serves the pages of a labelled corpus on loopback and crawls them all.

scrapy crawl corpus -a path=pages.jsonl.gz -O items.jsonl
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

import scrapy
from scrapy.http import Response

from news.loopback import LoopbackSpider
from news.server import Answer
from scrapy_webtext.lab.corpus import read_corpus

COMPRESSED = (("Content-Encoding", "gzip"),)


class CorpusSpider(LoopbackSpider):
    """Yields an item per page, with its id, its type and its original address.

    ``path`` is a .jsonl or .jsonl.gz (an object a line: html, text, perhaps id, url, type) or a
    folder of x.html and x.txt, such as news/site/labelled.
    """

    name = "corpus"
    custom_settings = {
        "METAREFRESH_ENABLED": False,  # a page must not redirect out of the corpus
        "ROBOTSTXT_OBEY": False,
    }

    def __init__(self, path: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not path:
            raise ValueError(
                "The spider 'corpus' needs a labelled corpus: "
                "scrapy crawl corpus -a path=pages.jsonl.gz"
            )
        self.path = path
        self.labels: list[dict[str, Any]] = []

    def answers(self) -> Mapping[str, Answer]:
        answers = {}
        for number, page in enumerate(read_corpus(self.path)):
            body = gzip.compress(page.html.encode("utf-8", "replace"), 1)
            answers[f"/{number}"] = Answer(body, headers=COMPRESSED)
            self.labels.append({"id": page.id, "url": page.url, "type": page.type})
        return answers

    async def start(self) -> Any:
        for number, labels in enumerate(self.labels):
            yield scrapy.Request(f"{self.server.url}/{number}", cb_kwargs={"labels": labels})

    def parse(self, response: Response, labels: dict[str, Any]) -> Any:  # noqa: ARG002
        yield labels
