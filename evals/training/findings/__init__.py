"""How likely a finding is to be true: weights for `audit.confidence`."""
