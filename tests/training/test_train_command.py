"""``python -m training`` makes a model file that ``fusion`` and ``learned`` read."""

from __future__ import annotations

from pathlib import Path

from scrapy_webtext.extractors.fusion import FusionExtractor, LearnedJudge
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import parse
from tests.kits.processes import python
from tests.lab import SENTENCE, labelled, write_corpus

STORY = f"<h1>The boat</h1><p>{SENTENCE}</p>"


def test_a_model_of_one_site_is_read_by_extractor_and_judge(tmp_path: Path) -> None:
    pages = [
        labelled(n, STORY + f"<p>{SENTENCE * (n % 7)}</p>", [SENTENCE * (n % 7 + 1)])
        for n in range(20)
    ]
    corpus = write_corpus(tmp_path / "pages.jsonl", pages)
    menu = LabelledPage("menu", "<ul><li><a href=/>Home</a></ul>", "", type="listing")
    types, model = write_corpus(tmp_path / "types.jsonl", [menu]), tmp_path / "model.json"
    done = python("-m", "training", str(corpus), "--types-only", str(types), "-o", str(model))
    assert f'{{"model": "{model}"}}' in done.stdout
    assert "20 of them with labelled blocks" in done.stderr
    page = parse(STORY)
    assert SENTENCE in FusionExtractor(model=model).extract(page).text
    assert 0 <= LearnedJudge(model=model).judge(page).probability <= 1
