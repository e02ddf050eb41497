"""From probabilities to chosen blocks."""
