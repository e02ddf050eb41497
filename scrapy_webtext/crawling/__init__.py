"""The state that the components of one crawl share: settings, responses, items, results, stats."""
