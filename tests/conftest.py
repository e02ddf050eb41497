"""Tests that can run here.

Those in ``ecosystem`` need the packages of ``ecosystem/requirements.txt``. Some need the labelled
corpora, in the folder WEBTEXT_CORPORA or in ``../shared/corpora`` next to the checkout.
"""

import logging
import os
import signal
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest
from hypothesis import settings

# The time of one example depends on the machine's other work more than on the code.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

# Shells start background jobs with SIGINT ignored, and the processes of tests would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: Test -> packages and programs. Programs are of Debian's redis-server, postgresql,
#: default-jre-headless, chromium, chromium-driver and curl.
NEEDS = {
    "render/test_browser.py": "selenium chromedriver",
    "lab/test_browser.py": "chromedriver",
    "test_notebooks.py": "pandas pyarrow",
    "ecosystem/test_poet.py": "scrapy_poet",
    "ecosystem/test_zyte_items.py": "scrapy_poet zyte_common_items",
    "ecosystem/test_redis.py": "scrapy_redis redis-server",
    "ecosystem/test_storage.py": "psycopg boto3 moto pg_lsclusters",
    "ecosystem/test_feeds.py": "pyarrow",
    "ecosystem/test_crawl_parquet.py": "pyarrow",
    "ecosystem/test_peers.py": "pyarrow trafilatura resiliparse readability html_text newspaper",
    "ecosystem/test_spidermon.py": "spidermon",
    "ecosystem/test_playwright.py": "scrapy_playwright chromium",
    "ecosystem/test_scrapyd.py": "scrapyd curl",
    **dict.fromkeys(
        (f"archive/test_{n}.py" for n in "warc reader readers batch pages parts run".split()),
        "fastwarc pyarrow",
    ),
    "archive/test_dask.py": "distributed",
    "archive/test_spark.py": "pyspark java",
    "archive/test_recipes.py": "ray java",
}
LEFT_OUT = {
    path: missing
    for path, names in NEEDS.items()
    if (missing := [name for name in names.split() if not (find_spec(name) or which(name))])
}
if LEFT_OUT and os.environ.get("WEBTEXT_ECOSYSTEM") == "all":
    raise RuntimeError(f"WEBTEXT_ECOSYSTEM=all, but these are not installed: {LEFT_OUT}")

CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
if not (CORPORA / "wcxb_dev.jsonl.gz").is_file():
    LEFT_OUT["lab/test_floors.py"] = ["labelled corpora (WEBTEXT_CORPORA), as parts of other tests"]

collect_ignore = list(LEFT_OUT)


def pytest_runtest_teardown() -> None:
    """Undo ``logging.disable``, by which commands silence the packages that they compare."""
    logging.disable(logging.NOTSET)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that could not run here, and the packages and programs that they need."""
    if LEFT_OUT:
        terminalreporter.section("not run here")
    for path, missing in LEFT_OUT.items():
        terminalreporter.write_line(f"{path} needs {', '.join(missing)}")
