"""Every page of labelled corpora, whole and mutated, through every extractor and judge.

    python -m tests.fuzz.corpora [--mutations 2] [--seed 0] [--every 1] CORPUS.jsonl.gz...

Holds the laws of ``tests/kits/laws.py``; prints how many pages were tried and each fault with its
page, and ends with status 1 if there was one.
"""

import argparse
import random
import sys
import traceback
from itertools import chain

from scrapy_webtext.lab.corpus import read_corpus
from tests.fuzz.pages import PIECES
from tests.kits import laws


def mutated(html: str, rng: random.Random) -> str | bytes:
    """The page with pieces cut, doubled, moved or replaced; sometimes with broken bytes."""
    for _ in range(rng.randint(1, 30)):
        first = rng.randrange(len(html) + 1)
        piece = html[first : first + rng.randrange(1 + rng.choice([10, 100, 3_000, 30_000]))]
        rest = html[first + len(piece) :]
        how = rng.choice(["cut", "double", "move", "replace", "insert"])
        if how == "cut":
            html = html[:first] + rest
        elif how == "double":
            html = html[:first] + piece * rng.randint(2, 8) + rest
        elif how == "move":
            html = piece + html[:first] + rest
        else:
            new = "".join(rng.choices(PIECES, k=rng.randint(1, 20)))
            html = html[:first] + new + (rest if how == "replace" else html[first:])
    if rng.random() < 0.5:
        return html
    body = bytearray(html.encode("utf-8", "replace"))
    for _ in range(rng.randint(1, 200) if body else 0):
        body[rng.randrange(len(body))] = rng.randrange(256)
    return bytes(body)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--mutations", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    pages = tried = faults = 0
    for corpus in given.corpora:
        for labelled in list(read_corpus(corpus))[:: given.every]:
            pages += 1
            mutations = (mutated(labelled.html, rng) for _ in range(given.mutations))
            for number, html in enumerate(chain([labelled.html], mutations)):
                tried += 1
                try:
                    laws.check_all(html)
                except Exception:
                    faults += 1
                    print(f"{corpus} {labelled.id}, variant {number}")
                    traceback.print_exc(limit=-3, file=sys.stdout)
    print(f"{pages} pages, {tried} tried with their mutations, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
