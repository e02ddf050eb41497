"""``ADDONS = {"scrapy_webtext.Addon": 500}``: the one line that enables everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy_webtext.downloadermiddleware import WebtextDownloaderMiddleware
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.spidermiddleware import WebtextSpiderMiddleware

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: Setting -> component and its place; the reasons stand in the components' docstrings.
COMPONENTS: Final = (
    ("DOWNLOADER_MIDDLEWARES", WebtextDownloaderMiddleware, 540),
    ("SPIDER_MIDDLEWARES", WebtextSpiderMiddleware, 10),
    ("ITEM_PIPELINES", WebtextPipeline, 100),
)


class Addon:
    """Adds the three components; what the user placed himself stays where it is."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add each component that no setting names yet."""
        for name, component, priority in COMPONENTS:
            settings.setdefault_in_component_priority_dict(name, component, priority)
