"""Pages that are left out of training are scored by the model of the other pages."""

from pathlib import Path

from tests.benchmarks.validation import summary, validate
from tests.lab import write_corpus
from tests.lab.test_training import page


def test_left_out_pages_are_scored_and_summarised(tmp_path: Path) -> None:
    kinds = ("article", "collection", "collection")
    corpus = write_corpus(tmp_path / "rain.jsonl", [page(n, kinds[n % 3]) for n in range(48)])
    rows = list(validate([str(corpus)], groups=["fold 0"]))
    assert 0 < len(rows) < 48
    assert {row["group"] for row in rows} == {"fold 0"}
    assert all(row["best_other"] for row in rows if row["f1"] < 0.5)
    texts, judged, curve = summary(rows).split("\n\n")
    assert [line.split()[1] for line in texts.split("\n")[2:4]] == ["all", "rain"]
    assert [line.split()[3] for line in texts.split("\n")[2:4]] == [f"{len(rows)}"] * 2
    assert "rain, collection: article_without_url" in judged
    assert sum(int(line.split()[-2]) for line in curve.split("\n")[2:]) == len(rows)
