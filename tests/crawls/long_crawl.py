"""A crawl of the unreliable site in four parts; kill -9 ends the first and the third of them.

    python -m tests.crawls.long_crawl PAGES FOLDER

A Ctrl-C ends the second part. Prints a JSON report: the account of `tests.crawls.endurance`, the
exit status of each part, CPU seconds, and the greatest resident memory of a part in MB.
"""

import json
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from itemadapter import ItemAdapter

from tests.crawls import endurance, unreliable
from tests.crawls.parts import Part

STORE = 'ITEM_PIPELINES={"tests.crawls.long_crawl.KeepOnce": 900}'
ENDS = (signal.SIGKILL, signal.SIGINT, signal.SIGKILL, None)
TABLE = "CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, item TEXT)"


class KeepOnce(Part):
    """Writes each item by its key to a database, at once."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        path = Path(crawler.spider.items.name).with_suffix(".sqlite")
        self.items = sqlite3.connect(path, isolation_level=None)
        self.items.execute("PRAGMA synchronous = OFF")
        self.items.execute(TABLE)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        row = ItemAdapter(item)["key"], endurance.line_of(item)
        self.items.execute("INSERT OR REPLACE INTO items VALUES (?, ?)", row)
        return item

    def close_spider(self, spider: Any = None) -> None:
        self.items.close()


def crawl(pages: int, folder: Path) -> dict[str, Any]:
    base = unreliable.start(pages)
    command = [
        *(sys.executable, "-m", "tests.crawls.endurance"),
        *(base, str(pages), str(folder), *job_in(folder), STORE),
    ]
    quarter = (pages - len(endurance.lost_of(pages))) // 4
    statuses = []
    for end in ENDS:
        stop = [f"SIGNAL={int(end)}", f"SIGNAL_AFTER={quarter}"] if end else []
        done = subprocess.run([*command, *stop], stdout=subprocess.DEVNULL, check=False)
        statuses.append(done.returncode)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    costs = {"cpu": used.ru_utime + used.ru_stime, "max_mb": used.ru_maxrss / 1000}
    return {"statuses": statuses, **costs, **account(folder)}


def job_in(folder: Path) -> list[str]:
    """Return the settings of a job in a folder."""
    scheduler = "scrapy_webtext.sitecrawl.job_queue.JobScheduler"
    return [f"SCHEDULER={scheduler}", f"JOBDIR={folder / 'job'}"]


def account(folder: Path) -> dict[str, Any]:
    """Return the account of `endurance` for the items of the database."""
    with closing(sqlite3.connect(folder / "items.sqlite")) as items:
        rows = [row for (row,) in items.execute("SELECT item FROM items")]
    (folder / "items").write_text("".join(rows))
    return endurance.account(folder)


if __name__ == "__main__":
    print(json.dumps(crawl(int(sys.argv[1]), Path(sys.argv[2]))))
