"""Importers of measured figures: each reads one public repository at one commit and writes rows of corpus/facts/measured/.

    python -m evals.measured.mlperf_inference GIT_DIR      # a clone of mlcommons/inference_results_v4.1

Only figures, names and settings are taken, no sentences. `evals.measured.verify` reads a sample of the rows at their origin again.
"""
