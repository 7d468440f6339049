"""Questions answered: understood once as typed queries, evaluated against facts, sums or passages, quoted and rendered."""
