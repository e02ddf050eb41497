"""A crawl of the unreliable site in four parts; kill -9 ends the first and the third of them.

    python -m tests.crawls.long_crawl PAGES FOLDER

Prints a JSON report: the account of `tests.crawls.endurance`, and for each part its CPU seconds and
its resident memory in MB, in its middle and at its end. A Ctrl-C ends the second part.
"""

import json
import resource
import signal
import sqlite3
import subprocess
import sys
import time
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


def cpu_of_children() -> float:
    """Return the CPU seconds of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def memory_of(process: "subprocess.Popen[str]") -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return round(pages * 4096 / 1e6, 1)


def crawl(pages: int, folder: Path) -> dict[str, Any]:
    base = unreliable.start(pages)
    command = [
        *(sys.executable, "-m", "tests.crawls.endurance"),
        *(base, str(pages), str(folder), *job_in(folder), STORE),
    ]
    eighth = (pages - len(endurance.lost_of(pages))) / 8
    parts = []
    for number, end in enumerate(ENDS):
        began = cpu_of_children()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        part: dict[str, Any] = {"mb": []}
        for point in (2 * number + 1, 2 * number + 2):
            while count(folder / "pages") < int(point * eighth) and process.poll() is None:
                time.sleep(0.02)
            part["mb"].append(memory_of(process))
        if end:
            process.send_signal(end)
        process.communicate(timeout=120)
        part.update(cpu=round(cpu_of_children() - began, 1), status=process.returncode)
        parts.append(part)
    return {"parts": parts, **account(folder)}


def job_in(folder: Path) -> list[str]:
    """Return the settings of a job in a folder."""
    scheduler = "scrapy_webtext.integrations.job_queue.JobScheduler"
    return [f"SCHEDULER={scheduler}", f"JOBDIR={folder / 'job'}"]


def account(folder: Path) -> dict[str, Any]:
    """Return the account of `endurance` for the items of the database."""
    with closing(sqlite3.connect(folder / "items.sqlite")) as items:
        rows = [row for (row,) in items.execute("SELECT item FROM items")]
    (folder / "items").write_text("".join(rows))
    return endurance.account(folder)


def count(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    print(json.dumps(crawl(int(sys.argv[1]), Path(sys.argv[2]))))
