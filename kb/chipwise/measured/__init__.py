"""Measured figures: rates and times of known runs, with all that their sources state of each.

rows       the rows of corpus/facts/measured, and the MFU of a training run
matching   those that a question wants, as text with quotes
"""
