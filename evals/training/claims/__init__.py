"""Trains and measures the claim reader: see `train` and `report`."""
