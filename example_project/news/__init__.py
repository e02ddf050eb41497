"""A Scrapy project that shows scrapy_webtext on a small news site, without a network."""
