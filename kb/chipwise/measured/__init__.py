"""Measured figures: rates and times of known runs, with all that their sources state of each.

    rows       the rows of corpus/facts/measured, and those that state what is wanted
    matching   what a question wants of them, and the answer as text with its quotes

A row is compared or told only with its axes (model, chips, load, format, engine, benchmark); what its
source does not state is "" and never a default. Nothing here knows of passages or of other facts.
"""
