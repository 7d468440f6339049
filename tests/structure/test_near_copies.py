"""What would otherwise be written twice: each of these rules stands in one place of the library."""

from __future__ import annotations

import pytest

from ..conftest import ROOT


@pytest.mark.parametrize("rule", ['("multiple", "change", "discount")', r'r"(\d+)$"'])
def test_a_rule_stands_once(rule: str) -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "kb" / "chipwise").rglob("*.py")]
    assert sum(text.count(rule) for text in texts) == 1
