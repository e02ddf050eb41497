"""Which corpora teach what."""

import json
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.train_fusion import train_fusion

RAIN = "It rained in the valley, and the river rose by a metre within the hour of noon. "
SHOP = "<ul class=goods><li>Kettle, 30 euros<li>Cup, 4 euros<li>Spoon, 2 euros</ul>"


def page(number: int, kind: str, words: str = RAIN) -> dict[str, Any]:
    story = words * (number % 5 + 2)
    body = SHOP if kind == "collection" else f"<p class=story>{story}</p>"
    html = f"<title>Rain {number}</title><div>Home News</div><h1>Rain</h1>{body}<div>Imprint</div>"
    text = "Kettle, 30 euros" if kind == "collection" else story
    url = f"https://site{number}.example/"
    return {"id": str(number), "url": url, "type": kind, "html": html, "text": text}


def write(path: Path, pages: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def general(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [page(n, "collection" if n % 3 else "article") for n in range(48)]
    return write(tmp_path_factory.mktemp("corpora") / "general.jsonl", pages)


def test_kinds_alone_teach_no_blocks(general: Path, tmp_path: Path) -> None:
    news = write(tmp_path / "news.jsonl", [page(100 + n, "article", "Sun. ") for n in range(40)])
    alone, more = train_fusion([general]), train_fusion([general], types_only=[news])
    assert more["class_names"] == alone["class_names"]
    assert more["first"] == alone["first"]
    assert more["judge"] != alone["judge"]
    with pytest.raises(CorpusError, match="there are 0"):
        train_fusion([], types_only=[general])


def test_training_twice_gives_the_same(general: Path) -> None:
    assert train_fusion([general], seed=3) == train_fusion([general], seed=3)
