"""Chips by the names that drivers, frameworks and clouds print, and their peaks, without an index."""
