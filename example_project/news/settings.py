"""Settings of the example. The last two lines concern scrapy_webtext."""

BOT_NAME = "news"
SPIDER_MODULES = ["news.spiders"]
NEWSPIDER_MODULE = "news.spiders"
ROBOTSTXT_OBEY = True
FEED_EXPORT_ENCODING = "utf-8"  # else Chinese is written as \u4e2d\u6587

ADDONS = {"scrapy_webtext.Addon": 500}
WEBTEXT_JUDGE = "learned"  # the default is the paper's: P value >= 0.5
