"""The add-on: ``ADDONS = {"scrapy_webtext.Addon": 500}`` enables every component."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from scrapy_webtext.downloadermiddleware import WebtextDownloaderMiddleware
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.registry import path_of
from scrapy_webtext.spidermiddleware import WebtextSpiderMiddleware

#: (setting, component, priority). The docstrings of the components explain the priorities.
COMPONENTS: Final = (
    ("DOWNLOADER_MIDDLEWARES", WebtextDownloaderMiddleware, 540),
    ("SPIDER_MIDDLEWARES", WebtextSpiderMiddleware, 10),
    ("ITEM_PIPELINES", WebtextPipeline, 100),
)

#: A dotted path, so that scrapy-poet imports the provider only if it needs it.
POET_PROVIDER: Final = "scrapy_webtext.integrations.scrapy_poet.WebTextProvider"

PARQUET_EXPORTER: Final = "scrapy_webtext.integrations.parquet_feed.ParquetItemExporter"

ARTICLE_PROVIDER: Final = "scrapy_webtext.integrations.scrapy_poet.ArticleProvider"
#: A package whose provider gives articles from an API that costs money.
ZYTE_API: Final = "scrapy_zyte_api"

#: Pipelines that read fields that `WebtextPipeline` writes, so it must run before them.
AFTER_PIPELINE: Final = ("zyte_common_items.pipelines.DropLowProbabilityItemPipeline",)


class Addon:
    """Adds the three components, unless the project placed them itself.

    Adds the providers, too, if scrapy-poet is installed. The pipeline has the priority 100. If a
    pipeline of :data:`AFTER_PIPELINE` has a priority of 100 or less, this pipeline has a priority
    that is one less.
    """

    def update_settings(self, settings: BaseSettings) -> None:
        """Add each component that the project's settings do not name."""
        for name, component, priority in COMPONENTS:
            if component is WebtextPipeline:
                priority = min([priority, *_before_readers(settings)])
            if not has_subclass(settings.getdict(name), component):
                settings.setdefault_in_component_priority_dict(name, component, priority)
        _add_parquet(settings)
        if find_spec("scrapy_poet") is not None:
            _offer_provider(settings, POET_PROVIDER, 550)
            if find_spec("zyte_common_items") is not None and not _uses_zyte_api(settings):
                _offer_provider(settings, ARTICLE_PROVIDER, 560)


def has_subclass(places: Mapping[Any, int | None], component: type) -> bool:
    """Return whether a setting names a component or a subclass of it."""
    placed = (load_object(one) for one, place in places.items() if place is not None)
    return any(isinstance(one, type) and issubclass(one, component) for one in placed)


def _before_readers(settings: BaseSettings) -> list[int]:
    places = settings.getdict("ITEM_PIPELINES").items()
    return [n - 1 for one, n in places if n is not None and _path(one) in AFTER_PIPELINE]


def _add_parquet(settings: BaseSettings) -> None:
    """Register the exporter if a feed is in Parquet.

    Scrapy imports all registered exporters for any feed, and this one needs pyarrow.
    """
    name = "FEED_EXPORTERS"
    exporters = settings.getdict(name)
    feeds = settings.getdict("FEEDS").items()
    # If a feed has no "format", Scrapy takes the format from the suffix of its name.
    forms = {feed.get("format", Path(place).suffix.removeprefix(".")) for place, feed in feeds}
    if "parquet" in forms and "parquet" not in exporters:
        exporters["parquet"] = PARQUET_EXPORTER
        settings.set(name, exporters, settings.getpriority(name) or 0)


def _offer_provider(settings: BaseSettings, provider: str, place: int) -> None:
    name = "SCRAPY_POET_PROVIDERS"
    placed = settings.getdict(name)
    if provider not in map(_path, placed):
        settings.set(name, {**placed, provider: place}, settings.getpriority(name) or 0)


def _uses_zyte_api(settings: BaseSettings) -> bool:
    placed = [*settings.getdict("ADDONS"), *settings.getdict("SCRAPY_POET_PROVIDERS")]
    return any(_path(component).startswith(ZYTE_API) for component in placed)


def _path(component: Any) -> str:
    """Return the dotted path of a component; settings name components by path or by class."""
    return path_of(component) if isinstance(component, type) else str(component)
