"""What tests share: pages, laws, measures of cost. No tests."""
