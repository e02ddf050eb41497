"""From probabilities to chosen blocks: threshold, filters, completion."""
