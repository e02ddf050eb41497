"""Settings of the example. The one line that concerns scrapy_webtext is ADDONS."""

BOT_NAME = "news"
SPIDER_MODULES = ["news.spiders"]
NEWSPIDER_MODULE = "news.spiders"
ROBOTSTXT_OBEY = True

ADDONS = {"scrapy_webtext.Addon": 500}
