"""Checks: each reads the casebook and yields findings; none knows another."""
