"""Numbers in text: the forms that people write, their units, and the interval each one means."""
