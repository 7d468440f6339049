"""Which test modules `pytest -m fast` runs: pure functions and golden files, measured at a minute of one core in all."""

from __future__ import annotations

from fnmatch import fnmatch

FAST = (
    "answering/test_parse.py",
    "answering/test_windows.py",
    "answering/test_wishes.py",
    "asking/test_spelling.py",
    "audit/*",
    "claims/*",
    "domain/*",
    "evals/test_drafts.py",
    "evals/test_sizing_cases.py",
    "figures/*",
    "index/test_vectors.py",
    "numbers/*",
    "reading/*",
    "structure/*",
)
# of those, what reads with the learned reader, audits long texts or starts processes
SLOW = (
    "audit/test_arithmetic.py",
    "audit/test_codes.py",
    "audit/test_earning.py",
    "audit/test_excerpt.py",
    "audit/test_peaks.py",
    "audit/test_raw_sources.py",
    "audit/test_restating.py",
    "audit/test_settling.py",
    "claims/test_claim_properties.py",
    "claims/test_claims.py",
    "claims/test_decode.py",
    "claims/test_grid_properties.py",
    "claims/test_reader.py",
    "reading/test_bounded.py",
    "reading/test_reading_properties.py",
    "structure/test_api.py",
    "structure/test_documentation.py",
    "structure/test_private.py",
    "structure/test_start.py",
)


def is_fast(module: str) -> bool:
    """True for "numbers/test_text.py"; the path is below tests/."""
    return any(fnmatch(module, one) for one in FAST) and module not in SLOW
