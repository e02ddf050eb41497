"""``scrapy webtext crawl``: the articles of sites, sitemaps and feeds, as one file."""
