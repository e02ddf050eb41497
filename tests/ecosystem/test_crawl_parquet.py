"""`scrapy webtext crawl -o articles.parquet`."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.commands import refused, webtext
from tests.commands.crawl_site import STORIES, crawl_site


def test_the_articles_of_a_sitemap_are_rows_of_parquet(tmp_path: Path) -> None:
    args = ("-o", "out.parquet", "--job", "job", "--fields", "url,main_text_score,main_text")
    with crawl_site() as site:
        source = site.url + "/sitemap.xml"
        done = webtext("crawl", source, *args, "-s", "AUTOTHROTTLE_START_DELAY=0.01", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        table = pq.read_table(tmp_path / "out.parquet")
        assert table.schema.names == ["url", "main_text_score", "main_text"]
        assert str(table.schema.field("main_text_score").type) == "double"
        assert len(table) == len(STORIES)
        assert "is there already: name another file" in refused(
            "crawl", source, *args, cwd=tmp_path
        )
