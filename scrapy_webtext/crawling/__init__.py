"""What the components of one crawl share: state, binding of items, responses, results, counts."""
