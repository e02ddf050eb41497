"""Pages that are left out of training are scored by the model of the other pages."""

from pathlib import Path

from scrapy_webtext.lab.validation import summary, validate
from tests.lab import write_corpus
from tests.lab.test_train_fusion import page


def test_left_out_pages_are_scored_and_summarised(tmp_path: Path) -> None:
    kinds = ("article", "collection", "collection")
    corpus = write_corpus(tmp_path / "rain.jsonl", [page(n, kinds[n % 3]) for n in range(48)])
    rows = list(validate([str(corpus)], groups=["fold 0"]))
    assert 0 < len(rows) < 48
    assert {row["group"] for row in rows} == {"fold 0"}
    assert all(row["best_other"] for row in rows if row["f1"] < 0.5)
    printed = summary(rows).split("\n")
    assert printed[0].startswith(f"rain                     {len(rows):5} F1 ")
    assert f"{'wcxb_dev article':36} no pages" in printed
    assert any("others called articles" in line for line in printed)
    assert "reliability, all" in printed
