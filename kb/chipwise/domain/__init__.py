"""The field as data: its entities, metrics, units and terms, read from files and found in text."""
