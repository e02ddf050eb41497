"""Groups of pages that are left out of training."""

from scrapy_webtext.lab.corpus import LabelledPage
from tests.benchmarks.validation import groups_of
from tests.lab.test_train_examples import RAIN


def test_a_page_of_two_corpora_is_left_out_with_both() -> None:
    twice, once = "https://a.example/1", "https://b.example/2"
    pages = [
        ("x/news.jsonl.gz", LabelledPage("n1", "", RAIN["greek"], twice)),
        ("x/news.jsonl.gz", LabelledPage("n2", "", RAIN["german"], once)),
        ("x/blogs.jsonl.gz", LabelledPage("b1", "", RAIN["greek"], twice)),
    ]
    assert groups_of("corpus", pages) == {
        "blogs": [("news", "n1"), ("blogs", "b1")],
        "news": [("news", "n1"), ("news", "n2"), ("blogs", "b1")],
    }
    assert groups_of("script", pages)["german"] == [("news", "n2")]


def test_sites_stay_together_in_folds() -> None:
    pages = [
        (corpus, LabelledPage(f"{corpus}{k}", "", "x", f"https://{k}.example/{corpus}"))
        for corpus in ("a", "b")
        for k in range(30)
    ]
    found = groups_of("domain", pages)
    assert sum(map(len, found.values())) == 60
    for group in found.values():
        assert {name[1:] for c, name in group if c == "a"} == {n[1:] for c, n in group if c == "b"}
