"""Which tests can run here.

Those in ``ecosystem`` need packages beyond the extra ``test``; some need the labelled corpora, in
the folder that WEBTEXT_CORPORA names or in ``../shared/corpora`` beside the checkout.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest
from hypothesis import settings

# How long one example takes says more of the machine's other work than of the code.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

NEEDS = {
    "render/test_browser.py": "selenium",
    "ecosystem/test_poet.py": "scrapy_poet",
    "ecosystem/test_zyte_items.py": "zyte_common_items",
    "ecosystem/test_article_provider.py": "scrapy_poet zyte_common_items",
    "ecosystem/test_redis.py": "scrapy_redis",
    "ecosystem/test_feeds.py": "pyarrow",
    "ecosystem/test_crawl_parquet.py": "pyarrow",
    "ecosystem/test_peers.py": "pyarrow trafilatura resiliparse readability html_text newspaper",
    "ecosystem/test_spidermon.py": "spidermon",
    "ecosystem/test_playwright.py": "scrapy_playwright",
    "ecosystem/test_scrapyd.py": "scrapyd",
    "archive/test_warc.py": "fastwarc pyarrow",
    "archive/test_readers.py": "fastwarc pyarrow",
    "archive/test_batch.py": "fastwarc pyarrow",
    "archive/test_parts.py": "fastwarc pyarrow",
    "archive/test_main.py": "fastwarc pyarrow",
    "archive/test_dask.py": "distributed",
    "archive/test_spark.py": "pyspark",
    "archive/test_recipes.py": "ray",
}
#: Programs of Debian's: redis-server, default-jre-headless, chromium, chromium-driver, curl.
PROGRAMS = {
    "render/test_browser.py": "chromedriver",
    "lab/test_browser.py": "chromedriver",
    "ecosystem/test_redis.py": "redis-server",
    "ecosystem/test_playwright.py": "chromium",
    "ecosystem/test_scrapyd.py": "curl",
    "archive/test_spark.py": "java",
    "archive/test_recipes.py": "java",
}
LEFT_OUT = {path: need for path, need in NEEDS.items() if not all(map(find_spec, need.split()))}
LEFT_OUT |= {path: need for path, need in PROGRAMS.items() if which(need) is None}
MISSING = sorted(set(LEFT_OUT.values()))

collect_ignore = list(LEFT_OUT)

CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
HAS_CORPORA = (CORPORA / "wcxb_dev.jsonl.gz").is_file()
if not HAS_CORPORA:
    collect_ignore.append("lab/test_floors.py")


def pytest_report_header() -> list[str]:
    corpora = f"in {CORPORA}" if HAS_CORPORA else "not here; tests that need them do not run"
    return [_ecosystem(), f"labelled corpora: {corpora}"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what could not run here, and what it needs."""
    if not LEFT_OUT and HAS_CORPORA:
        return
    terminalreporter.section("not run here")
    for need in MISSING:
        kind = "program" if need in PROGRAMS.values() else "package"
        files = ", ".join(path for path in sorted(LEFT_OUT) if LEFT_OUT[path] == need)
        terminalreporter.write_line(f"{kind} {need} is not installed: {files}")
    if not HAS_CORPORA:
        terminalreporter.write_line(
            "no labelled corpora (WEBTEXT_CORPORA): test_floors.py, and parts of others"
        )


def _ecosystem() -> str:
    if not MISSING:
        return "ecosystem: all packages are here"
    if os.environ.get("WEBTEXT_ECOSYSTEM") == "all":
        raise RuntimeError(f"WEBTEXT_ECOSYSTEM=all, but these are not installed: {MISSING}")
    return f"ecosystem: tests that need {', '.join(MISSING)} do not run (not installed)"
