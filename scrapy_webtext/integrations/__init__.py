"""What only other packages ask for: Parquet feeds, Spidermon, scrapy-poet, fetching of pages."""
