"""Measured figures: rates and times of known runs, with all that their sources state of each.

rows       the rows of corpus/facts/measured
matching   those that a question wants, as text with quotes
estimate   what they tell of other runs: the time of a token, and the MFU of training
"""
