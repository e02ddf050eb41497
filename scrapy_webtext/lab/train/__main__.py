"""``python -m scrapy_webtext.lab.train fusion|naive_bayes CORPUS... -o model.json``."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy_webtext.lab.corpus import read_corpora
from scrapy_webtext.lab.train.fusion.training import train_fusion
from scrapy_webtext.lab.train.naive_bayes import train
from scrapy_webtext.models import dump_model


def main() -> None:
    """Train a model and write its file."""
    parser = argparse.ArgumentParser(prog="python -m scrapy_webtext.lab.train", description=__doc__)
    parser.add_argument("model", choices=["fusion", "naive_bayes"])
    parser.add_argument("corpora", nargs="+", help="files or folders of labelled pages")
    parser.add_argument(
        "--types-only", nargs="*", default=[], help="corpora that train the judge only"
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.model == "fusion":
        model = train_fusion(options.corpora, types_only=options.types_only, seed=options.seed)
    else:  # no seed: nothing in it is random
        model = train(read_corpora(options.corpora))
    options.output.write_text(dump_model(model), encoding="utf-8")


main()
