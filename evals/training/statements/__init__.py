"""Texts with what they say that is no figure, for training a reader of it, and for measuring any."""
