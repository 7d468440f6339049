"""Numbers in text: as people write them, with their units, and the interval that they mean."""
