"""What uses Scrapy beside the add-on: commands that fetch and crawl, feeds, page objects."""
