"""The recipe of storage: killed, with a full disk, without a server; what each store loses."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import boto3
import psycopg
import pytest
from moto.server import ThreadedMotoServer

from tests.crawls.site import SENTENCE, Answer, Site
from tests.ecosystem.recipes import Recipe, run
from tests.kits.processes import free_port, wait_for

PAGES = 300
BATCH = 40
#: PostgreSQL does not run as root.
USER = "postgres" if os.geteuid() == 0 else None
TEXT = (SENTENCE * 80).strip()
SPIDER = """
import scrapy


class LinkedSpider(scrapy.Spider):
    name = "simple"
    start_urls = ["{}/0"]

    def parse(self, response):
        yield {{"url": response.url}}
        yield from response.follow_all(css="a")
"""


def page(number: int) -> Answer:
    links = "".join(f"<a href='/{(number * 5 + step) % PAGES}'>x</a>" for step in range(1, 6))
    return Answer(f"<article><p>{TEXT}</p></article>{links}".encode())


class Database(NamedTuple):
    url: str
    server: "subprocess.Popen[bytes]"

    def ask(self, query: str) -> list[Any]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(query)
            return cursor.fetchall() if cursor.description else []

    def limit_files(self, size: str) -> None:
        """Limit the files of new connections to a number of bytes."""
        command = ["prlimit", f"--pid={self.server.pid}", f"--fsize={size}:unlimited"]
        subprocess.run(command, user=USER, check=True)

    def numbers(self) -> list[int]:
        return sorted(int(url.rpartition("/")[2]) for (url,) in self.ask("SELECT url FROM pages"))


@pytest.fixture
def database() -> Iterator[Database]:
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    folder, port = tempfile.mkdtemp(), free_port()
    if USER:
        shutil.chown(folder, USER)
    create = [programs / "initdb", "-U", "crawler", "-A", "trust", "--wal-segsize=1", folder]
    subprocess.run(create, user=USER, check=True, stdout=subprocess.DEVNULL)
    serve = [programs / "postgres", "-D", folder, "-k", folder, "-h", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(serve, user=USER, stderr=subprocess.DEVNULL)
    running = Database(f"postgresql://crawler@127.0.0.1:{port}/postgres", server)
    wait_for(
        lambda: subprocess.run([programs / "pg_isready", "-q", "-d", running.url]).returncode == 0
    )
    yield running
    server.send_signal(signal.SIGINT)
    server.wait()
    shutil.rmtree(folder)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    server = ThreadedMotoServer("127.0.0.1", free_port(), verbose=False)
    server.start()
    address = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    client = boto3.resource("s3", endpoint_url=address)
    yield client.create_bucket(Bucket="pages")
    server.stop()


@pytest.fixture
def project(tmp_path: Path, database: Database, bucket: Any) -> Iterator[Recipe]:
    """Return the project of the recipe, with its table, for a site of 300 pages."""
    with Site({f"/{number}": page(number) for number in range(PAGES)}) as base:
        changes = {
            "postgresql:///crawl": database.url,
            "http://127.0.0.1:9000": bucket.meta.client.meta.endpoint_url,
            '"batch_item_count": 1000': f'"batch_item_count": {BATCH}',
        }
        made = Recipe("PostgreSQL", tmp_path, changes)
        with (made.folder / "myproject" / "settings.py").open("a") as settings:
            settings.write("CONCURRENT_REQUESTS_PER_DOMAIN = 16\nDOWNLOAD_DELAY = 0.02\n")
        spider = made.folder / "myproject" / "spiders" / "simple.py"
        spider.write_text(SPIDER.format(base))
        run(made.commands[0], made.folder)
        yield made


def kill(project: Recipe, bucket: Any) -> None:
    """Start the crawl, and kill it when the bucket has two batches."""
    command = [sys.executable, "-m", "scrapy", "crawl", "simple"]
    crawl = subprocess.Popen(command, cwd=project.folder, stderr=subprocess.DEVNULL)
    wait_for(lambda: crawl.poll() is not None or len(list(bucket.objects.all())) >= 2)
    crawl.kill()
    assert crawl.wait() == -signal.SIGKILL


def lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the url and the size of each whole row."""
    for line in text.splitlines(keepends=True):
        if line.endswith("\n"):
            yield json.loads(line)["url"], len(line)


def test_a_killed_crawl_loses_what_the_recipe_says(
    project: Recipe, database: Database, bucket: Any
) -> None:
    kill(project, bucket)
    assert 2 * BATCH <= len(database.numbers()) < PAGES
    run(project.commands[1], project.folder)
    assert database.numbers() == list(range(PAGES))
    texts = database.ask("SELECT DISTINCT item->>'main_text' FROM pages")
    assert texts == [(TEXT,)]
    files = list(project.folder.glob("pages-*.jsonl"))
    assert len(files) == 2
    sizes = dict(row for path in files for row in lines(path.read_text()))
    assert (PAGES - len(sizes)) * max(sizes.values()) <= 8192 + max(sizes.values())
    objects = [item.get()["Body"].read().decode() for item in bucket.objects.all()]
    in_bucket = dict(row for text in objects for row in lines(text))
    print(f"lost: {PAGES - len(sizes)} rows of the file, {PAGES - len(in_bucket)} of the bucket")
    assert len(in_bucket) >= PAGES - 2 * BATCH  # an open batch, and one that is uploaded


def test_a_full_disk_of_the_database_ends_the_crawl_and_the_next_run_goes_on(
    project: Recipe, database: Database
) -> None:
    database.ask("ALTER TABLE pages ALTER item SET STORAGE EXTERNAL")
    database.limit_files("1100000")
    log = run(project.commands[1], project.folder)
    assert "could not extend file" in log
    assert "'finish_reason': 'webtext_job_failed'" in log
    assert 10 < len(database.numbers()) < PAGES
    database.limit_files("unlimited")
    run(project.commands[1], project.folder)
    assert database.numbers() == list(range(PAGES))


def test_batches_that_cannot_be_uploaded_are_counted_and_in_the_database(
    project: Recipe, database: Database
) -> None:
    nowhere = f"-s AWS_ENDPOINT_URL=http://127.0.0.1:{free_port()} -s AWS_MAX_ATTEMPTS=1"
    log = run(f"{project.commands[1]} {nowhere}", project.folder)
    assert "'feedexport/failed_count/S3FeedStorage': " in log
    assert database.numbers() == list(range(PAGES))
