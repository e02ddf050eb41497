"""Settings of the example. The one line that concerns scrapy_webtext is ADDONS."""

BOT_NAME = "news"
SPIDER_MODULES = ["news.spiders"]
NEWSPIDER_MODULE = "news.spiders"
ROBOTSTXT_OBEY = True
FEED_EXPORT_ENCODING = "utf-8"  # else Chinese stands in the files as \u4e2d\u6587

ADDONS = {"scrapy_webtext.Addon": 500}
