"""Code that uses Scrapy outside the add-on: fetching, crawls of sites, feeds, page objects."""
