"""Sizing models on chips, and what was measured of them."""
