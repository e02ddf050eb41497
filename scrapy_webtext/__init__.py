"""Main text and article judgement for every page of a Scrapy crawl.

``from scrapy_webtext import extract`` works without a crawler. In a project, the setting ``ADDONS =
{"scrapy_webtext.Addon": 500}`` enables the extension. Public names are imported on first use, so
that ``import scrapy_webtext`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy_webtext.addon import Addon
    from scrapy_webtext.api import extract, extract_many
    from scrapy_webtext.pipeline import WebTextFields, WebTextItem, fill
    from scrapy_webtext.results import WebText, WebTextResult

    #: Whether the package was compiled when it was installed.
    is_compiled: bool

__version__ = "0.2.0"
__all__ = [
    "Addon",
    "WebText",
    "WebTextFields",
    "WebTextItem",
    "WebTextResult",
    "__version__",
    "extract",
    "extract_many",
    "fill",
    "is_compiled",
]

#: Module -> its public names.
_HOMES = {
    "addon": ("Addon",),
    "api": ("extract", "extract_many"),
    "pipeline": ("WebTextFields", "WebTextItem", "fill"),
    "results": ("WebText", "WebTextResult"),
}


def __getattr__(name: str) -> Any:
    if name == "is_compiled":
        return import_module("scrapy_webtext.page.parse").IS_COMPILED
    for home, names in _HOMES.items():
        if name in names:
            globals()[name] = value = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
