"""What a question wants worked out: weights for `answering.wishes`."""
