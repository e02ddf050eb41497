"""``python -m training``: makes the model file of ``fusion`` and ``learned``."""

from __future__ import annotations

import argparse
import logging

from scrapy_webtext.errors import WebtextError
from scrapy_webtext.files import check_file, write_file
from scrapy_webtext.models import dump_model
from training.fusion import train_fusion


def main() -> None:
    """Train a model on the corpora of the command line; print the settings that use it."""
    parser = argparse.ArgumentParser("training", description=__doc__)
    parser.add_argument("corpora", nargs="+", metavar="CORPUS", help="a corpus with gold texts")
    parser.add_argument("-o", dest="output", metavar="FILE", required=True, help="the model file")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of random numbers (0)")
    parser.add_argument(
        "--types-only",
        action="append",
        default=[],
        metavar="CORPUS",
        help="a corpus that trains only the judge, by the types of its pages; may be repeated",
    )
    options = parser.parse_args()
    logging.basicConfig(
        level=logging.INFO, style="{", format="{relativeCreated:8.0f} ms  {message}"
    )
    try:
        check_file(options.output)
        content = train_fusion(options.corpora, types_only=options.types_only, seed=options.seed)
        write_file(options.output, dump_model(content))
    except WebtextError as error:
        parser.exit(1, f"{error}\n")
    print(
        f'{options.output}: use it with WEBTEXT_EXTRACTOR_OPTIONS = {{"model": "{options.output}"}}'
        ' (extractor "fusion") and with WEBTEXT_JUDGE_OPTIONS in the same way (judge "learned")'
    )


if __name__ == "__main__":
    main()
